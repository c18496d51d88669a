# SPDX-License-Identifier: MIT
"""cmake/sinew.map exports what the public headers declare; tests/package checks the library that is linked with it. Each public function is in the
table of tests/memory, whose program fails its allocations, or is noexcept."""
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import public_names as names  # noqa: E402

# They make plain data or keep it, and throw what its containers throw (result.hpp).
PLAIN = {"sinew::operator*", "sinew::inverse", "sinew::affine_of", "sinew::Rotor::in_plane", "sinew::IndexRows::end_row", "sinew::FindingList::add",
         "sinew::deform::Palette::operator[]"}
# Not failed there: libraries allocate in the same program, and the standard library ends it where a folder cannot be read for want of memory.
UNTRIED = {
    "the driver of OpenGL": {"sinew::show::Renderer::create", "sinew::show::Renderer::include", "sinew::show::Renderer::draw",
                             "sinew::show::Renderer::cut", "sinew::show::Renderer::show", "sinew::show::draw_finding"},
    "the server": {"sinew::show::serve"},
    "std::filesystem::directory_iterator": {"sinew::validate::models_in"},
    "it throws, for allocation functions": {"sinew::Deadline::interrupt"},
}


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


def rows():
    folder = names.ROOT / "tests" / "memory"
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*_rows.cpp")))
    return {name for quoted in re.findall(r'"((?:[^"\\\n]|\\.)*)"', text) for name in quoted.split() if re.match(r"sinew(::|_)\w", name)}


class MemoryTable(unittest.TestCase):
    def test_has_each_function_that_may_fail(self):
        untried = set().union(*UNTRIED.values())
        may_fail, of_c = names.functions_that_may_fail()
        self.assertGreaterEqual(len(may_fail), 150)
        self.assertEqual(sorted((may_fail | of_c) - rows() - PLAIN - untried), [], "add a row to tests/memory, or make it noexcept")
        self.assertEqual(sorted((PLAIN | untried) - may_fail), [], "no such function that may fail")

    def test_reads_signatures(self):
        may_fail, _ = names.functions_that_may_fail()
        self.assertIn("sinew::load", may_fail)
        self.assertNotIn("sinew::vertex_count", may_fail)  # noexcept
        self.assertNotIn("sinew::deform::SceneDeformer::make_palette", may_fail)  # private


if __name__ == "__main__":
    if not names.clang():
        print("skipped: no clang++ to read the headers with")
        sys.exit(77)
    if "--update" in sys.argv:
        names.MAP.write_text(names.map_text(), encoding="utf-8")
        sys.exit()
    unittest.main()
