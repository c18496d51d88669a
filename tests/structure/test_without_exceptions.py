# SPDX-License-Identifier: MIT
"""The public headers compile for programs without exceptions and without run-time type information, with both compilers."""
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEADERS = sorted(path.name for path in (ROOT / "include" / "sinew").glob("*.h*"))
COMPILERS = [name for name in ("g++", "clang++-19") if shutil.which(name)]
PROGRAM = """
bool deformed(const char* file, std::vector<float>& out) {
  auto model = sinew::load(file);
  if (!model) return false;
  auto deformer = sinew::Deformer::create(*std::move(model));
  if (!deformer) return false;
  auto copy = deformer->clone();
  if (!copy) return false;
  auto positions = copy->positions(copy->model()->rest());
  if (!positions) return false;
  out = *std::move(positions);
  return !copy->instances().empty();
}
"""


def errors(compiler, text):
    done = subprocess.run([compiler, "-std=c++20", "-fno-exceptions", "-fno-rtti", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}", "-fsyntax-only",
                           "-x", "c++", "-"], input=text, capture_output=True, text=True)
    return done.stderr


class WithoutExceptions(unittest.TestCase):
    def test_headers(self):
        self.assertGreaterEqual(len(HEADERS), 30)
        for compiler in COMPILERS:
            with self.subTest(compiler):
                self.assertEqual(errors(compiler, "".join(f'#include "sinew/{name}"\n' for name in HEADERS) + PROGRAM), "")

    def test_refuses_exceptions(self):
        for compiler in COMPILERS:
            self.assertIn("error", errors(compiler, "void f() { throw 1; }\n"))


if __name__ == "__main__":
    if not COMPILERS:
        print("skipped: no compiler")
        sys.exit(77)
    unittest.main()
