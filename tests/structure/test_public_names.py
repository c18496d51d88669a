# SPDX-License-Identifier: MIT
"""cmake/sinew.map exports what the public headers declare; tests/package checks the library that is linked with it."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import public_names as names  # noqa: E402


class Map(unittest.TestCase):
    def test_lists_what_the_headers_declare(self):
        have = set(names.MAP.read_text(encoding="utf-8").splitlines())
        want = set(names.map_text().splitlines())
        self.assertGreaterEqual(len(want), 150)
        self.assertEqual((sorted(want - have), sorted(have - want)), ([], []), "run tests/structure/test_public_names.py --update")

    def test_the_headers_were_really_read(self):
        cpp, of_c = names.public_names()
        self.assertIn("sinew::operations::Projector::run", cpp.values())
        self.assertEqual(cpp["_ZTIN5sinew11FindingSinkE"], "typeinfo for sinew::FindingSink")
        self.assertNotIn("sinew::Array::own", cpp.values())  # a template
        self.assertNotIn("sinew::FindingList::list", cpp.values())  # inline
        self.assertIn("sinew_load", of_c)


if __name__ == "__main__":
    if not names.clang():
        print("skipped: no clang++ to read the headers with")
        sys.exit(77)
    if "--update" in sys.argv:
        names.MAP.write_text(names.map_text(), encoding="utf-8")
        sys.exit()
    unittest.main()
