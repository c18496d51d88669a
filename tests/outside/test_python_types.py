# SPDX-License-Identifier: MIT
"""pyright, and mypy where it is installed, accept the package, all Python of the pages, and the examples; they object to a wrong call."""
import doctest
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import node_tools
from program import main

ROOT = HERE.parents[1]
PYRIGHT = HERE / "node_modules" / "pyright" / "index.js"
PAGES = ("docs/python.md", "docs/datasets.md", "docs/play.md")
WRONG = """import sinew
model = sinew.load(5)
sinew.Deformer(model).positions("Walk")
model.pose().turn("Upper", angle="much")
found: str = sinew.Deformer(model).hit([], [0, 0, 0], [0, 0, 1])
"""
# Of a page or an example, which mypy checks together with the package: what --strict turns on for the package alone.
NOT_STRICT = "\n# mypy: " + ", ".join([f"{option}=False" for option in (
    "disallow-any-generics", "disallow-subclassing-any", "disallow-untyped-calls", "disallow-untyped-defs", "disallow-incomplete-defs",
    "check-untyped-defs", "disallow-untyped-decorators", "warn-unused-ignores", "warn-return-any", "strict-equality", "strict-concatenate")]
    + ["implicit-reexport=True"]) + "\n"


def setUpModule():
    node_tools.require()


def programs():
    """Name and text of each example, and of all sessions of a page together."""
    for path in sorted((ROOT / "examples").glob("*.py")):
        yield path.name, path.read_text(encoding="utf-8")
    for page in PAGES:
        text, name = (ROOT / page).read_text(encoding="utf-8"), Path(page).stem
        session = "".join(example.source for example in doctest.DocTestParser().get_examples(text))
        if session:
            yield f"session_{name}.py", session
        for number, block in enumerate(re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)):
            if "import sinew" in block:
                yield f"shown_{name}_{number}.py", block


class PythonTypes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="sinew-test-")
        cls.folder = Path(cls.temporary.name)
        shutil.copytree(ROOT / "python" / "sinew", cls.folder / "sinew", ignore=shutil.ignore_patterns("__pycache__"))
        cls.names = []
        for name, text in programs():
            (cls.folder / name).write_text(text + NOT_STRICT, encoding="utf-8")
            cls.names.append(name)
        (cls.folder / "wrong.py").write_text(WRONG + NOT_STRICT, encoding="utf-8")
        cls.checked = {}  # what programs found that run once

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def errors(self, check, right):
        """Of all programs (`right`) or of the wrong one, from one run."""
        return [error for error in self.all_errors(check) if error.startswith("wrong.py:") != right and not error.startswith("sinew/")]

    def all_errors(self, check):
        name = check.__name__
        if name not in self.checked:
            self.checked[name] = check(*self.names, "wrong.py", "sinew")
        return self.checked[name]

    def pyright(self, *names):
        # PyTorch is not there, and matplotlib has no types.
        settings = {"typeCheckingMode": "standard", "reportMissingImports": False, "reportMissingModuleSource": False, "include": list(names)}
        (self.folder / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
        done = subprocess.run(["node", str(PYRIGHT), "--outputjson", "--pythonpath", sys.executable], cwd=self.folder, capture_output=True, text=True)
        found = json.loads(done.stdout)
        self.assertGreaterEqual(found["summary"]["filesAnalyzed"], len(names) + len(list((self.folder / "sinew").glob("*.py*"))) - 1)
        return [f"{os.path.relpath(one['file'], os.path.realpath(self.folder))}:{one['range']['start']['line'] + 1}: {one['message']}"
                for one in found["generalDiagnostics"] if one["severity"] == "error"]

    def mypy(self, *names):
        done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", *names], cwd=self.folder, capture_output=True, text=True)
        if "No module named mypy" in done.stderr:
            self.skipTest("mypy is not there (python3-mypy)")
        files = int(re.search(r"(\d+) source files", done.stdout)[1])
        self.assertGreaterEqual(files, len(names) + len(list((self.folder / "sinew").glob("*.py*"))) - 1)
        return [line for line in done.stdout.splitlines() if ": error:" in line]

    def test_pyright_accepts_pages_and_examples(self):
        self.assertGreaterEqual(len(self.names), 6)
        self.assertEqual(self.errors(self.pyright, True), [])

    def test_pyright_accepts_the_package(self):
        self.assertEqual([error for error in self.all_errors(self.pyright) if error.startswith("sinew/")], [])

    def test_pyright_objects_to_wrong_calls(self):
        self.assertEqual({line.split(":")[1] for line in self.errors(self.pyright, False)}, {"2", "3", "4", "5"})

    def test_mypy_accepts_pages_and_examples(self):
        self.assertEqual(self.errors(self.mypy, True), [])

    def test_mypy_accepts_the_package(self):
        self.assertEqual([error for error in self.all_errors(self.mypy) if error.startswith("sinew/")], [])

    def test_mypy_objects_to_wrong_calls(self):
        self.assertEqual({line.split(":")[1] for line in self.errors(self.mypy, False)}, {"2", "3", "4", "5"})


if __name__ == "__main__":
    main()
