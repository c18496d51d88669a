# SPDX-License-Identifier: MIT
"""scripts/lint_prose accepts plain sentences and reports violations of each of its rules. Skipped without node, npm or their packages."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GOOD = "The program reads a file and writes its vertices.\n\n" * 10
PLAIN = (GOOD, "# What is in a file\n", "`sinew tells`\n", f"```text\nIt stands {'x ' * 50}.\n```\n", f"The list: {'`a b` and ' * 14} the end.\n")


def lint(*texts):
    """Runs the linter on a page for each text: page0.md, page1.md …"""
    with tempfile.TemporaryDirectory() as folder:
        pages = [Path(folder) / f"page{number}.md" for number in range(len(texts))]
        for page, text in zip(pages, texts):
            page.write_text(text, encoding="utf-8")
        return subprocess.run([ROOT / "scripts" / "lint_prose", *pages], capture_output=True, text=True)


def setUpModule():
    global plain  # its start takes longest
    plain = done = lint(*PLAIN)
    if done.returncode == 2 and not os.environ.get("SINEW_REQUIRE_NODE"):
        print(f"SKIPPED, the linter is missing: {done.stderr.strip()}", file=sys.stderr)
        raise unittest.SkipTest(done.stderr)


class Prose(unittest.TestCase):
    def test_accepts_plain_sentences(self):
        self.assertEqual((plain.returncode, plain.stderr), (0, ""), plain.stdout)
        self.assertIn(f"{len(PLAIN)} pages", plain.stdout)

    def test_refuses_what_breaks_a_rule(self):
        long = "This sentence goes on" + " and on" * 15
        cases = [  # page, what its line of the report holds
            (f"Good.\n\nA short one. {long}.\n", ":3:14: 34 words in one sentence"),
            (f"* A list: {long}.\n", ":1:3: 36 words in one sentence"),
            (f"| a | b |\n|---|---|\n| x | {long} |\n", ":3:7: 34 words in one sentence"),
            ("Good.\n\nThe program\nstands here.\n", ':4:1: "stands"'),
            ("The program tells it.\n", ':1:13: "tells"'),
            ("Good. What it writes is small.\n", ':1:5: ". What"'),
            ("| a |\n|---|\n| it was told |\n", ':3:10: "told"'),
            ("The file is read. It is written. It is closed.\n\n" + GOOD, ":1:1: 3 of 13 sentences are passive, at most 2 may be"),
        ]
        done = lint(*(text for text, _ in cases))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for number, (_, expected) in enumerate(cases):
            self.assertIn(f"page{number}.md{expected}", done.stdout)
        self.assertIn(f"{len(cases)} problems", done.stdout)


if __name__ == "__main__":
    import argparse

    parser = argparse.ArgumentParser()
    for name in ("--sinew", "--example", "--example-c", "--shared"):
        parser.add_argument(name)
    _, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
