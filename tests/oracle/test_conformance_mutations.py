# SPDX-License-Identifier: MIT
"""Each typical mistake is noticed by the case of the conformance suite that docs/conformance.md names; without a mistake no case is."""
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import conformance_mutations as mutations

PAGE = os.path.join(mutations.SUITE, "..", "docs", "conformance.md")


class Mutations(unittest.TestCase):
    def setUp(self):
        self.cases = {case.name: case for case in mutations.make_suite.CASES}
        with open(PAGE, encoding="utf-8") as file:
            self.table = dict(re.findall(r"^\| ([^|]+) \| `([a-z0-9]+/\w+)` \|$", file.read(), re.M))

    def test_page_lists_every_mistake(self):
        self.assertEqual(list(self.table), list(mutations.MUTATIONS))
        self.assertGreaterEqual(len(self.table), 58)

    def test_each_mistake_is_noticed(self):
        for text, name in self.table.items():
            with self.subTest(text):
                wanted = mutations.expected_vertices(name)
                self.assertFalse(mutations.noticed(self.cases[name], wanted), "without the mistake")
                with mutations.made(text):
                    self.assertTrue(mutations.noticed(self.cases[name], wanted))


if __name__ == "__main__":
    if "--shared" in sys.argv:
        at = sys.argv.index("--shared")
        del sys.argv[at : at + 2]
    unittest.main()
