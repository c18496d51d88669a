# SPDX-License-Identifier: MIT
"""The command explain: one code, all codes, mistyped codes."""
import json
import os

from program import ROOT, USAGE, ProgramTest, main


class Explain(ProgramTest):
    def test_one_code(self):
        out = self.succeeds("explain", "ACCESSOR_TOO_LONG").out
        self.assertTrue(out.startswith("ACCESSOR_TOO_LONG  error\n"), out)
        for word in ("message", "formats", "why", "fix", "source"):
            self.assertIn(f"\n  {word} ", out)
        self.assertLessEqual(max(map(len, out.splitlines())), 100)

    def test_one_code_as_json(self):
        known = json.loads(self.succeeds("explain", "ACCESSOR_TOO_LONG", "--format", "json").out)
        self.assertEqual(list(known), ["code", "severity", "message", "formats", "why", "mend", "source"])
        self.assertEqual((known["code"], known["severity"], known["formats"]), ("ACCESSOR_TOO_LONG", "error", "glTF 2.0"))

    def test_all(self):
        rows = json.loads(self.succeeds("explain", "--all", "--format", "json").out)
        codes = [row["code"] for row in rows]
        self.assertGreater(len(codes), 250)
        self.assertEqual(len(set(codes)), len(codes))
        self.assertLessEqual({row["severity"] for row in rows}, {"error", "warning", "information", "hint"})
        text = self.succeeds("explain", "--all").out
        page = self.succeeds("explain", "--all", "--format", "markdown").out
        for code in codes:
            self.assertIn(f"{code}  ", text)
            self.assertIn(f"\n### {code}\n", page)

    def test_what_the_mesh_chapter_of_g4mf_only_recommends_is_a_warning(self):
        for code in ("G4MF_MESH_VERTICES_NOT_FLOAT", "G4MF_MESH_VERTICES_VECTOR_SIZE", "G4MF_BLEND_OFFSETS_NOT_FLOAT"):
            self.assertEqual(json.loads(self.succeeds("explain", code, "--format", "json").out)["severity"], "warning", code)

    def test_mistyped_codes(self):
        self.fails(USAGE, "explain", "ACCESSOR_TO_LONG", says="did you mean ACCESSOR_TOO_LONG?")
        self.fails(USAGE, "explain", "accessor_to_long", says="did you mean ACCESSOR_TOO_LONG?")
        self.fails(USAGE, "explain", "XYZZY", says=["unknown finding code", "--all"])

    def test_codes_in_lower_case(self):
        self.assertEqual(self.succeeds("explain", "flex_spike").out, self.succeeds("explain", "FLEX_SPIKE").out)
        path = os.path.join(ROOT, "samples", "g4mf", "arm_4d.g4tf")
        code = "G4MF_ASSET_VERSION_MISSING"
        self.assertIn(code, self.succeeds("validate", path).out)
        self.assertNotIn(code, self.succeeds("validate", path, "--ignore", code.lower()).out)

    def test_search(self):
        found = self.succeeds("explain", "--search", "Weights", "NORMALIZED").out.splitlines()
        self.assertTrue(any(line.startswith("ACCESSOR_WEIGHTS_NON_NORMALIZED  error  ") for line in found), found)
        rows = json.loads(self.succeeds("explain", "--search", "weights", "normalized", "--format", "json").out)
        self.assertEqual([row["code"] for row in rows], [line.split()[0] for line in found])
        for row in rows:
            text = " ".join(str(value) for value in row.values()).lower()
            self.assertTrue("weights" in text and "normalized" in text, row)
        self.assertGreater(len(self.succeeds("explain", "--search", "weights").out.splitlines()), len(found))
        self.assertIsInstance(json.loads(self.succeeds("explain", "--search", "ACCESSOR_TOO_LONG", "--format", "json").out), list)
        self.fails(1, "explain", "--search", "xyzzy", says="xyzzy")
        self.fails(USAGE, "explain", "--search", "weights", "--all")
        self.fails(USAGE, "explain", "weights", says="sinew explain --search weights")

    def test_no_code(self):
        self.fails(USAGE, "explain")
        self.fails(USAGE, "explain", "--all", "ACCESSOR_TOO_LONG")


if __name__ == "__main__":
    main()
