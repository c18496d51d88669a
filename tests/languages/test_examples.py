# SPDX-License-Identifier: MIT
"""docs/play.md shows the programs examples/play.*, which all print what it says.

    python test_examples.py --example PROGRAM --example-c PROGRAM [--module FOLDER]
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(os.environ.get("SINEW_WASM", ROOT / "build" / "wasm" / "package"))
PAGE = (ROOT / "docs" / "play.md").read_text(encoding="utf-8")
FIGURE = ROOT / "samples" / "show" / "figure.gltf"
OPTIONS = None


def shown(language):
    [block] = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)
    return block


class Examples(unittest.TestCase):
    def printed(self, *command, **options):
        done = subprocess.run([*map(str, command), str(FIGURE)], capture_output=True, text=True, timeout=120, **options)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        return done.stdout

    def test_the_page_shows_them(self):
        for language, name in (("cpp", "play.cpp"), ("c", "play.c"), ("python", "play.py"), ("js", "play.mjs")):
            with self.subTest(language=language):
                self.assertEqual(shown(language), (ROOT / "examples" / name).read_text(encoding="utf-8").split("\n", 1)[1])

    def test_cpp(self):
        self.assertEqual(self.printed(OPTIONS.example), shown("text"))

    def test_c(self):
        self.assertEqual(self.printed(OPTIONS.example_c), shown("text"))

    def test_python(self):
        if not OPTIONS.module:
            self.skipTest("the Python module was not built")
        environment = {**os.environ, "PYTHONPATH": os.path.abspath(OPTIONS.module), "PYTHONDONTWRITEBYTECODE": "1"}
        self.assertEqual(self.printed(sys.executable, ROOT / "examples" / "play.py", env=environment), shown("text"))

    def test_javascript(self):
        if not (PACKAGE / "sinew.wasm").exists() or not shutil.which("node"):
            self.skipTest("make wasm has not built the package")
        with tempfile.TemporaryDirectory(prefix="sinew-test-") as folder:
            (Path(folder) / "node_modules").mkdir()
            (Path(folder) / "node_modules" / "sinew").symlink_to(PACKAGE)
            shutil.copy(ROOT / "examples" / "play.mjs", folder)
            self.assertEqual(self.printed("node", "play.mjs", cwd=folder), shown("text"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--example", required=True)
    parser.add_argument("--example-c", required=True)
    parser.add_argument("--module", default="")
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
