# SPDX-License-Identifier: MIT
"""Each capability of capabilities.json gives the same numbers in C++, C, Python and JavaScript, on the same samples; docs/languages.md
shows the list.

    python test_languages.py --cpp PROGRAM --c PROGRAM [--module FOLDER] [--update: writes the table of docs/languages.md]

JavaScript runs where `make wasm` has built the package (build/wasm/package, or SINEW_WASM), and says so where not.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PAGE = ROOT / "docs" / "languages.md"
PACKAGE = Path(os.environ.get("SINEW_WASM", ROOT / "build" / "wasm" / "package"))
CAPABILITIES = json.loads((HERE / "capabilities.json").read_text(encoding="utf-8"))["capabilities"]
LANGUAGES = {"cpp": "C++", "c": "C", "python": "Python", "javascript": "JavaScript"}
# A sample, the node that turns and holds, and a blend shape.
CASES = [("gltf/simple_skin.gltf", "Upper", "-"), ("gltf/morph_cube.gltf", "0", "0"), ("gltf/tube_8_influences.gltf", "1", "-"),
         ("show/figure.gltf", "Hips", "-"), ("show/globe.gltf", "Ball", "-"), ("show/face.gltf", "0", "0"),
         ("g4mf/arm_4d.g4tf", "1", "-"), ("g4mf/stiff_tail.g4tf", "1", "-")]
TOLERANCE = 2e-6  # relative to the largest number: kernels of 128 and 512 bits round differently
OPTIONS = None


def commands():
    """The languages that are there."""
    found = {"cpp": [OPTIONS.cpp], "c": [OPTIONS.c]}
    if OPTIONS.module:
        found["python"] = [sys.executable, str(HERE / "capabilities.py")]
    if (PACKAGE / "sinew.wasm").exists() and shutil.which("node"):
        found["javascript"] = ["node", str(HERE / "capabilities.mjs"), str(PACKAGE)]
    for language in LANGUAGES:
        if language not in found:
            print(f"{LANGUAGES[language]} is not built, and left out", file=sys.stderr)
    return found


def numbers_of(command, case):
    sample, node, shape = case
    environment = {**os.environ, "PYTHONPATH": os.path.abspath(OPTIONS.module or ""), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([*command, str(ROOT / "samples" / sample), node, shape], capture_output=True, text=True, env=environment, timeout=120)
    if done.returncode != 0:
        raise AssertionError(f"{command[-1]} {sample}: {done.stderr[-2000:]}")
    lines = [line.split() for line in done.stdout.splitlines()]
    found = {words[0]: np.array([float(word) for word in words[1:]]) for words in lines}
    if len(found) != len(lines):
        raise AssertionError(f"{command[-1]} {sample}: two lines for one capability")
    return found


def table():
    lines = ["| task | " + " | ".join(LANGUAGES.values()) + " |", "|---|" + "---|" * len(LANGUAGES)]
    for row in CAPABILITIES:
        lines.append(f"| {row['task']} | " + " | ".join(f"`{row[key]}`".replace(", ", "`, `") if row[key] else "–" for key in LANGUAGES) + " |")
    return "\n".join(lines)


class Languages(unittest.TestCase):
    def test_all_languages_give_the_same_numbers(self):
        there = commands()
        ids = {key: {row["id"] for row in CAPABILITIES if row[key]} for key in there}
        seen = {key: set() for key in there}
        compared = 0
        for case in CASES:
            results = {key: numbers_of(command, case) for key, command in there.items()}
            for key, found in results.items():
                self.assertLessEqual(set(found), ids[key], f"{key}: not in the table")
                self.assertEqual(set(found), set(results["cpp"]) & ids[key], f"{key}, {case[0]}")
                seen[key] |= {name for name, numbers in found.items() if numbers.size}
                for name, numbers in found.items():
                    with self.subTest(sample=case[0], language=key, capability=name):
                        wanted = results["cpp"][name]
                        self.assertEqual(numbers.shape, wanted.shape)
                        np.testing.assert_array_equal(np.isnan(numbers), np.isnan(wanted))
                        scale = max(1.0, np.abs(wanted[np.isfinite(wanted)]).max(initial=0))
                        np.testing.assert_allclose(numbers, wanted, rtol=0, atol=TOLERANCE * scale)
                        compared += numbers.size
        for key in there:
            self.assertEqual(seen[key], ids[key], f"{key}: a capability that no sample shows")
        self.assertGreater(compared, 100_000)
        print(f"{len(CAPABILITIES)} capabilities, {', '.join(LANGUAGES[key] for key in there)}: {compared} numbers agree", file=sys.stderr)

    def test_names_of_the_table_exist(self):
        """Each word of a name is declared where users look: headers, stubs, types."""
        sources = {"cpp": [*(ROOT / "include" / "sinew").glob("*.hpp")], "c": [ROOT / "include" / "sinew" / "sinew.h"],
                   "python": [ROOT / "python" / "sinew" / "_core.pyi"], "javascript": [ROOT / "web" / "wasm" / "src" / "sinew.d.ts"]}
        for key, paths in sources.items():
            text = "\n".join(path.read_text(encoding="utf-8") for path in paths)
            for row in CAPABILITIES:
                for word in re.findall(r"[A-Za-z_]{3,}", row[key] or ""):
                    with self.subTest(language=key, word=word):
                        self.assertRegex(text, rf"(?i:\b{word}\b)" if key == "javascript" and word in ("sinew", "pose", "model", "deformer", "player") else rf"\b{word}\b")

    def test_the_page_shows_the_table(self):
        self.assertIn(f"\n{table()}\n", PAGE.read_text(encoding="utf-8"), "run test_languages.py --update")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--cpp", required=True)
    parser.add_argument("--c", required=True)
    parser.add_argument("--module", default="")
    parser.add_argument("--update", action="store_true")
    OPTIONS, rest = parser.parse_known_args()
    if OPTIONS.update:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(re.sub(r"^\| task \|.*?\n(?!\|)", lambda _: table() + "\n", page, count=1, flags=re.M | re.S), encoding="utf-8")
        sys.exit()
    unittest.main(argv=[sys.argv[0], *rest])
