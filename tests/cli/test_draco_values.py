# SPDX-License-Identifier: MIT
"""Geometry compressed with Draco: its values are checked like others, and wrong counts of accessors do not hide it."""
import base64
import json
import os
import struct

import numpy as np

from program import ROOT, ProgramTest, main, sinew

CASES = os.path.join(ROOT, "tests", "cases", "draco-validate")


class Draco(ProgramTest):
    def draco(self, name="draco.gltf", replaced=(), edit=None):
        """The case's file with other numbers in its stream, which stores values as they are: [(old, new)]."""
        with open(os.path.join(CASES, "draco.gltf"), encoding="utf-8") as file:
            document = json.load(file)
        head, data = document["buffers"][0]["uri"].split(",", 1)
        data = base64.b64decode(data)
        for old, new in replaced:
            self.assertIn(struct.pack("<f", old), data)
            data = data.replace(struct.pack("<f", old), struct.pack("<f", new))
        document["buffers"][0]["uri"] = head + "," + base64.b64encode(data).decode()
        if edit:
            edit(document)
        return self.write(name, document)

    def found(self, path):
        report = json.loads(sinew("validate", path, "--format", "json").out)
        return {message["code"]: message["message"] for part in ("issues", "modelIssues") for message in report[part]["messages"]}

    def test_the_case(self):
        found = self.found(os.path.join(CASES, "draco.gltf"))
        self.assertIn("4 of 4", found["GLTF_DRACO_WEIGHTS"])
        self.assertIn("0.9", found["GLTF_DRACO_WEIGHTS"])
        self.assertIn("0.5", found["GLTF_DRACO_VECTORS"])
        self.assertNotIn("UNUSED_OBJECT", found)
        plain = self.found(os.path.join(CASES, "plain.gltf"))
        self.assertEqual({"ACCESSOR_WEIGHTS_NON_NORMALIZED", "ACCESSOR_VECTOR3_NON_UNIT"}, set(plain))

    def test_right_values_are_silent(self):
        found = self.found(self.draco(replaced=[(0.9, 1.0), (0.5, 1.0)]))
        self.assertEqual([code for code in found if code.startswith(("GLTF_", "ACCESSOR_", "UNUSED"))], [])
        found = self.found(self.draco(replaced=[(0.9, 0.996), (0.5, 0.995)]))  # rounding to 8 bits
        self.assertEqual([code for code in found if code.startswith("GLTF_")], [])

    def test_repair_fixes_them(self):
        out = self.path("out.gltf")
        self.succeeds("repair", self.draco(), "-o", out)
        self.assertEqual([code for code in self.found(out) if code.startswith(("GLTF_", "ACCESSOR_"))], [])

    def test_negative_weights_and_joints_outside_the_skin(self):
        self.assertIn("GLTF_DRACO_WEIGHTS", self.found(self.draco(replaced=[(0.9, -1.0)])))

        def two_joints(document):
            document["skins"][0]["joints"] = []

        self.assertNotEqual(sinew("validate", self.draco(edit=two_joints)).status, 0)

    def test_counts_of_the_stream_are_used(self):
        right = self.deform(self.draco(replaced=[(0.9, 1.0)]))

        def set_count(accessor, count):
            def edit(document):
                document["accessors"][accessor]["count"] = count

            return edit

        for accessor, count in ((0, 5), (0, 3), (1, 9), (1, 3), (2, 7), (4, 1)):
            source = self.draco(f"count{accessor}-{count}.gltf", [(0.9, 1.0)], set_count(accessor, count))
            out = self.path("o.npy")
            ran = self.succeeds("deform", source, "-o", out)
            np.testing.assert_array_equal(np.load(out), right)
            self.assertIn("GLTF_DRACO_COUNT", ran.err, f"{accessor} {count}")
            self.assertIn("GLTF_DRACO_COUNT", self.found(source))


if __name__ == "__main__":
    main()
