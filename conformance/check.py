# SPDX-License-Identifier: MIT
"""Runs an engine's adapter over the suite and compares vertices. Needs Python 3 and numpy only.

    python3 check.py [--json OUT.json] [--only TEXT] [--batch N] COMMAND…

COMMAND gets the arguments MODEL CLIP TIME ATTRIBUTE OUTPUT.npy (README.md). --batch N: it gets N such groups at once.
"""
import argparse, concurrent.futures, json, os, subprocess, sys, tempfile  # noqa: E401
from pathlib import Path

import numpy as np


def error_of(output, want):
    """Largest distance of a coordinate by the diagonal of the wanted box; a text where there is no such number."""
    if not output.exists():
        reason = Path(f"{output}.txt")
        return reason.read_text("utf-8").strip() if reason.exists() else "failed: no output"
    got = np.load(output)
    if got.shape != want.shape:
        return f"wrong: the output has the shape {got.shape} instead of {want.shape}"
    worst = np.abs(got.astype(float) - want).max() / (np.linalg.norm(np.ptp(want, 0)) or 1)
    return float(f"{worst:.3g}") if np.isfinite(worst) else "wrong: not a number"


def run(command, cases, batch):
    jobs, results = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            for pose in case["poses"]:
                clip = "-" if pose["clip"] is None else str(pose["clip"])
                jobs.append([str(case["folder"] / case["model"]), clip, str(pose["time"]), case["attribute"], f"{folder}/{len(jobs)}.npy"])
        commands = [[*command, *sum(jobs[start : start + batch], [])] for start in range(0, len(jobs), batch)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for done in pool.map(lambda words: subprocess.run(words, capture_output=True, stdin=subprocess.DEVNULL), commands):
                if done.returncode:
                    print(f"exit status {done.returncode}: {done.stderr.decode(errors='replace').strip()[-1000:]}", file=sys.stderr)
        outputs = iter(Path(job[-1]) for job in jobs)
        for case in cases:
            errors = [error_of(next(outputs), want) for want in np.load(case["folder"] / "vertices.npy")]
            results[case["name"]] = next((error for error in errors if isinstance(error, str)), None) or max(errors)
    return results


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--json"), parser.add_argument("--only", default=""), parser.add_argument("--batch", type=int, default=1)
parser.add_argument("command", nargs=argparse.REMAINDER)
asked = parser.parse_args()
files = sorted(path for path in Path(__file__).resolve().parent.glob("cases/*/*/case.json") if asked.only in str(path))
cases = [{**json.loads(path.read_text("utf-8")), "folder": path.parent} for path in files]
results = run(asked.command, cases, asked.batch)
wrong = [case for case in cases if isinstance(results[case["name"]], str) or results[case["name"]] > case["tolerance"]]
for case in wrong:
    print(f"{case['name']}: {results[case['name']]}\n    {case['rule']} [{case['source']}; {case['status']}]")
print(f"{len(cases) - len(wrong)} of {len(cases)} cases pass")
if asked.json:
    Path(asked.json).write_text(json.dumps(results, indent=1) + "\n", "utf-8")
sys.exit(1 if wrong or not cases else 0)
