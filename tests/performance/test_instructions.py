#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the instructions of deforming a small fixed mesh with every kernel (callgrind) and compares them with those of
instructions.json within 3 %: a slower kernel is seen on any machine, however busy. Wall clock is the business of `make bench`.

usage: test_instructions.py --kernels PROGRAM --compiler NAME [--update]

Counts depend on the compiler, so they are kept by its name and version; where it has none, or valgrind is missing, the test is skipped.
valgrind knows no AVX-512, so that is not counted; it must not be chosen there either. --update writes what was found.
"""
import argparse
import json
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

COUNTS = Path(__file__).resolve().parent / "instructions.json"
KERNELS = ("plain", "sse4", "avx2")
TOLERANCE = 0.03
SKIPPED = 77
UNSUPPORTED = 5


def count(program, case, kernel):
    """Instructions inside deform::run, and the kernel that ran; None where this machine cannot run it."""
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=sinew::deform::run(*", program,
                           case, kernel], capture_output=True, text=True)
    if done.returncode == UNSUPPORTED:
        return None, done.stderr
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not found or int(found[1]) == 0:
        sys.exit(f"test_instructions: {case} with {kernel or 'the best kernel'} failed:\n{done.stderr}")
    return int(found[1]), done.stdout.strip()


def compare(expected, found):
    """One line per count that is missing, not kept, or more than 3 % from the kept one."""
    problems = [f"{name}: {found[name]:,} instructions, none are kept" for name in found if name not in expected]
    for name, kept in expected.items():
        if name not in found:
            problems.append(f"{name}: {kept:,} instructions are kept, it is no case any more")
        elif found[name] is not None and abs(found[name] / kept - 1) > TOLERANCE:
            problems.append(f"{name}: {found[name]:,} instructions, {kept:,} are kept: {found[name] / kept - 1:+.1%}")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernels", required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("skipped: no valgrind (scripts/setup --for test installs it)")
        return SKIPPED
    kept = json.loads(COUNTS.read_text()) if COUNTS.exists() else {}
    if options.compiler not in kept and not options.update:
        print(f"skipped: no counts of {options.compiler} are kept, only of {', '.join(kept)}")
        return SKIPPED

    cases = subprocess.run([options.kernels], capture_output=True, text=True, check=True).stdout.split()
    jobs = [(case, kernel) for case in cases for kernel in (*KERNELS, "")]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda job: count(options.kernels, *job), jobs))
    best = {name for (_, kernel), (_, name) in zip(jobs, results) if not kernel}
    if not best <= set(KERNELS):
        print(f"valgrind was taken for a processor with {best}")
        return 1
    found = {f"{case} {kernel}": result for (case, kernel), (result, _) in zip(jobs, results) if kernel}
    if options.update:
        if missing := [name for name, result in found.items() if result is None]:
            sys.exit(f"test_instructions: this machine cannot run {', '.join(missing)}")
        kept[options.compiler] = found
        COUNTS.write_text(json.dumps(kept, indent=2, sort_keys=True) + "\n")
        print(f"{COUNTS}: {len(found)} counts of {options.compiler}")
        return 0
    problems = compare(kept[options.compiler], found)
    for problem in problems:
        print(problem)
    if problems:
        print("where that is meant: scripts/update_instructions, and say in the commit why")
    else:
        ran = sum(result is not None for result in found.values())
        print(f"{ran} of {len(found)} counts are within {TOLERANCE:.0%} of those kept")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
