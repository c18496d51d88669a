# SPDX-License-Identifier: MIT
"""A picture of a character of 100,000 vertices takes seconds, not minutes. The test limits processor time, because other programs affect
wall-clock time. The limit is generous, because machines differ: `make bench` measures. Skipped without OpenGL."""
import os
import resource
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cli"))
from program import ROOT, UNSUPPORTED, ProgramTest, main, patiently, sinew

MOST_SECONDS = 8


class Speed(ProgramTest):
    def test_a_large_character(self):
        model, picture = self.path("large.glb"), self.path("large.png")
        subprocess.run([sys.executable, os.path.join(ROOT, "scripts", "make_large.py"), model, "--vertices", "100000"], check=True)

        def timed():
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            ran = sinew("render", model, "-o", picture, "--animation", "0", "--time", "0.7", timeout=300)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            return ran, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

        ran, seconds = patiently(timed, lambda found: found[1] < MOST_SECONDS)
        if ran.status == UNSUPPORTED:
            self.skipTest(ran.err.strip())
        self.assertEqual(ran.status, 0, str(ran))
        print(f"{seconds:.2f} s of processor time")
        self.assertLess(seconds, MOST_SECONDS)


if __name__ == "__main__":
    main()
