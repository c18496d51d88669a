# SPDX-License-Identifier: MIT
"""Runs the program under test: code shared by the test files of this folder and of tests/outside.

Each test file runs as `python FILE --sinew PROGRAM [--shared FOLDER] [unittest arguments]`.
"""
import argparse
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "tests", "oracle"))

SETTINGS = argparse.Namespace(sinew=None, shared=None)
PATIENCE = float(os.environ.get("SINEW_PATIENCE", 1))  # factor for time limits: programs with sanitizers are slower

DONE, FINDINGS, USAGE, INPUT, OUTPUT, UNSUPPORTED = 0, 1, 2, 3, 4, 5


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--sinew", required=True)
    parser.add_argument("--shared", default=os.environ.get("SINEW_SHARED"))
    known, rest = parser.parse_known_args()
    SETTINGS.sinew = os.path.abspath(known.sinew)
    if known.shared and os.path.isdir(known.shared):
        SETTINGS.shared = os.path.abspath(known.shared)
    unittest.main(module="__main__", argv=[sys.argv[0], *rest])


class Ran:
    """One finished run: exit status, and both streams as text (`data`: standard output as bytes)."""

    def __init__(self, arguments, done):
        self.arguments = arguments
        self.status = done.returncode
        self.data = done.stdout
        self.out = done.stdout.decode("utf-8", "replace")
        self.err = done.stderr.decode("utf-8", "replace")

    def __str__(self):
        return f"sinew {' '.join(map(str, self.arguments))}\n  exit status {self.status}\n  stderr: {self.err.strip()[:2000]}"

    def error_lines(self):
        """Returns the lines of standard error that report errors, without warnings and other messages."""
        return [line for line in self.err.splitlines() if line.startswith("sinew: ") and not line.startswith("sinew: warning")]


def sinew(*arguments, stdin=None, env=None, cwd=None, timeout=60):
    command = [SETTINGS.sinew, *map(str, arguments)]
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    environment.update(env or {})
    done = subprocess.run(
        command, input=stdin if stdin is not None else b"", capture_output=True, timeout=timeout * PATIENCE, env=environment, cwd=cwd
    )
    return Ran(arguments, done)


def limited(command, data=None, memory=None, seconds=None):
    """The command with limits of its process: of data and of address space in bytes, of processor time in seconds. A `preexec_fn` would
    copy this process for each start, with all its pages."""
    limits = {"-d": data and data >> 10, "-v": memory and memory >> 10, "-t": seconds}
    script = "".join(f"ulimit {option} {value} && " for option, value in limits.items() if value is not None)
    return ["sh", "-c", script + 'exec "$@"', "sh", *command]


def patiently(run, fine):
    """Returns what the last of up to four runs returned. What else a machine does takes time on the wall, and processor time where two
    threads share a core; a test that limits either accepts one run in time."""
    for _ in range(4):
        ran = run()
        if fine(ran):
            break
    return ran


def in_parallel(function, items):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(function, items))


def corpus_models():
    """Returns (name, path) of the real files in the shared folder, in order; empty if the folder is absent."""
    corpus = os.path.join(SETTINGS.shared or "", "corpus")
    if not SETTINGS.shared or not os.path.isdir(corpus):
        return []
    found = []
    for name in sorted(os.listdir(corpus)):
        manifest = os.path.join(corpus, name, "oracle", "manifest.json")
        if os.path.exists(manifest):
            with open(manifest, encoding="utf-8") as file:
                found.append((name, os.path.join(corpus, name, json.load(file)["file"])))
    return found


def samples():
    """Returns (name, path) of the project's own glTF samples."""
    found = []
    for folder, folders, files in os.walk(os.path.join(ROOT, "samples", "gltf")):
        folders.sort()
        found += [(file, os.path.join(folder, file)) for file in sorted(files) if file.endswith((".gltf", ".glb"))]
    return found


class ProgramTest(unittest.TestCase):
    """A test with its own folder and the checks that every run must pass."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="sinew-test-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, content):
        path = self.path(name)
        mode = "wb" if isinstance(content, bytes) else "w"
        with open(path, mode, **({} if "b" in mode else {"encoding": "utf-8"})) as file:
            file.write(content if isinstance(content, (bytes, str)) else json.dumps(content))
        return path

    def succeeds(self, *arguments, **options):
        ran = sinew(*arguments, **options)
        self.assertEqual(ran.status, DONE, str(ran))
        return ran

    def fails(self, status, *arguments, says=(), **options):
        """Checks the exit status, for exactly one error line `sinew: …`, and that the line contains every text of `says`."""
        ran = sinew(*arguments, **options)
        self.assertEqual(ran.status, status, str(ran))
        lines = ran.error_lines()
        self.assertEqual(len(lines), 1, f"one error line expected\n{ran}")
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, lines[0], str(ran))
        return ran

    def deform(self, *arguments, **options):
        """Deforms to a `.npy` file and loads it."""
        out = self.path("deformed.npy")
        self.succeeds("deform", *arguments, "-o", out, **options)
        return np.load(out)
