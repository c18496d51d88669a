# SPDX-License-Identifier: MIT
"""The conformance suite: the program passes all cases, the suite is what its script writes, and the checker notices wrong vertices."""
import filecmp
import json
import os
import re
import subprocess
import sys

from program import PATIENCE, ROOT, SETTINGS, ProgramTest, main

SUITE = os.path.join(ROOT, "conformance")
LEAST = 290  # cases


class Conformance(ProgramTest):
    def check(self, *command, **environment):
        """Runs the checker; returns its process and the results by case."""
        out = self.path("results.json")
        done = subprocess.run([sys.executable, os.path.join(SUITE, "check.py"), "--json", out, "--batch", "100", *command], capture_output=True, text=True,
                              timeout=300 * PATIENCE, env={**os.environ, **environment})
        with open(out, encoding="utf-8") as file:
            return done, json.load(file)

    def test_program_passes_all_cases(self):
        done, results = self.check(sys.executable, os.path.join(SUITE, "adapters", "sinew_program.py"), SINEW=SETTINGS.sinew)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertGreaterEqual(len(results), LEAST)
        print(f"conformance: {len(results)} cases, largest error {max(results.values()):.1e} of the diagonal", file=sys.stderr)

    def test_page_has_the_right_numbers(self):
        with open(os.path.join(ROOT, "docs", "conformance.md"), encoding="utf-8") as file:
            page = file.read()
        counts = {folder: len(os.listdir(os.path.join(SUITE, "cases", folder))) for folder in os.listdir(os.path.join(SUITE, "cases"))}
        self.assertEqual({name: int(count) for name, count in re.findall(r"^\| `(\w+)` \| (\d+) \|", page, re.M)}, counts)
        total = sum(counts.values())
        self.assertIn(f"{total} of {total} cases pass", page)
        self.assertIn(f"It has {total} small models", page)

    def test_checker_notices_wrong_vertices(self):
        """An adapter that writes the origin for every vertex passes nothing, and one that writes nothing neither."""
        zeros = ("import sys, json, os, numpy as np\n"
                 "for model, *_, out in zip(*[iter(sys.argv[1:])] * 5):\n"
                 "    np.save(out, 0 * np.load(os.path.join(os.path.dirname(model), 'vertices.npy'))[0])\n")
        for program in (zeros, "pass"):
            done, results = self.check(sys.executable, "-c", program)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"0 of {len(results)} cases pass", done.stdout)

    def test_suite_is_what_its_script_writes(self):
        subprocess.run([sys.executable, os.path.join(SUITE, "make_suite.py"), self.path("cases")], check=True, capture_output=True, timeout=300 * PATIENCE)
        seen = 0
        for folder, _, files in os.walk(self.path("cases")):
            beside = os.path.join(SUITE, "cases", os.path.relpath(folder, self.path("cases")))
            self.assertEqual(sorted(os.listdir(beside)), sorted(os.listdir(folder)), beside)
            same, different, missing = filecmp.cmpfiles(folder, beside, files, shallow=False)
            self.assertEqual((different, missing), ([], []), beside)
            seen += len(same)
        self.assertGreaterEqual(seen, 3 * LEAST)

    def test_scoreboard_is_what_its_script_writes(self):
        page = self.path("page.md")
        subprocess.run([sys.executable, os.path.join(SUITE, "scoreboard.py"), page], check=True, capture_output=True, timeout=60 * PATIENCE)
        stored = os.path.join(ROOT, "docs", "conformance-scoreboard.md")
        self.assertTrue(filecmp.cmp(page, stored, shallow=False), "run conformance/scoreboard.py")
        with open(stored, encoding="utf-8") as file:
            text = file.read()
        with open(os.path.join(SUITE, "adapters", "package.json"), encoding="utf-8") as file:
            versions = json.load(file)["dependencies"]
        for name, package in (("three.js", "three"), ("Babylon.js", "@babylonjs/core"), ("PlayCanvas", "playcanvas")):
            self.assertIn(f"| {name} {versions[package]} |", text)


if __name__ == "__main__":
    main()
