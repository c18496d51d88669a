# SPDX-License-Identifier: MIT
"""The wording of findings: values in sentences, plain English, existing commands."""
import json
import re

from program import ProgramTest, main, sinew

TRIANGLE = {
    "asset": {"version": "2.0"},
    "extensionsUsed": ["KHR_skeleton_bone", "ACME_cloth"],
    "buffers": [{"byteLength": 42, "uri": "data:application/octet-stream;base64," + "A" * 56}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 6}],
    "accessors": [
        {"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3, "min": [0, 0, 0], "max": [0, 0, 0]},
        {"bufferView": 1, "componentType": 5123, "type": "SCALAR", "count": 3},
    ],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
    "nodes": [{"mesh": 0}],
    "scenes": [{"nodes": [0]}],
}
# Words of the first edition that the style forbids in messages and explanations.
HOME_MADE = re.compile(r"\b(told|tells|stands|mends?|mended|whoever|nobody|where there is none)\b", re.IGNORECASE)
# Of what another change rewrites.
PENDING = ("G4MF_",)


class Messages(ProgramTest):
    def messages(self, document):
        ran = sinew("validate", "--format", "json", self.write("x.gltf", json.dumps(document)))
        report = json.loads(ran.data.decode("utf-8"))
        found = report["issues"]["messages"] + report["modelIssues"]["messages"]
        return {(message["code"], message["pointer"]): message["message"] for message in found}

    def test_a_missing_target_names_the_expected_one(self):
        found = self.messages(TRIANGLE)
        primitive = "/meshes/0/primitives/0"
        self.assertEqual(
            found["BUFFER_VIEW_TARGET_MISSING", primitive + "/attributes/POSITION"], "the bufferView has no `target`, expected ARRAY_BUFFER"
        )
        self.assertEqual(
            found["BUFFER_VIEW_TARGET_MISSING", primitive + "/indices"], "the bufferView has no `target`, expected ELEMENT_ARRAY_BUFFER"
        )

    def test_a_view_of_two_kinds_of_data(self):
        document = json.loads(json.dumps(TRIANGLE))
        document["bufferViews"][1]["target"] = 34962
        found = self.messages(document)
        self.assertEqual(
            found["BUFFER_VIEW_TARGET_OVERRIDE", "/meshes/0/primitives/0/indices"],
            "the bufferView holds indices here, but vertex attributes by its `target` or an earlier use",
        )

    def test_an_extension_with_rules_of_its_own_is_not_called_unchecked(self):
        found = self.messages(TRIANGLE)
        self.assertEqual(
            found["UNSUPPORTED_EXTENSION", "/extensionsUsed/0"],
            "the Khronos rules do not cover the extension KHR_skeleton_bone; "
            "Sinew checks it with its own rules, as `--profile skeleton-bone` does",
        )
        self.assertEqual(found["UNSUPPORTED_EXTENSION", "/extensionsUsed/1"], "the Khronos rules do not cover the extension ACME_cloth")

    def test_no_home_made_words(self):
        for row in self.rows():
            text = f"{row['message']} {row.get('why', '')} {row.get('mend', '')}"
            with self.subTest(code=row["code"]):
                self.assertNotRegex(text, HOME_MADE)

    def test_commands_and_options_in_the_texts_exist(self):
        wanted = set()
        for row in self.rows():
            text = f"{row['message']} {row.get('why', '')} {row.get('mend', '')}"
            for command, options in re.findall(r"`sinew ([a-z]+)((?: --?[a-z-]+)?)", text):
                wanted.add((command, options.strip()))
            wanted.update(("validate", option) for option in re.findall(r"(?<![a-z] )(--(?:allow-outside|limit|max-memory|force|profile))", text))
        self.assertIn(("repair", "--max-influences"), wanted)
        for command, option in sorted(wanted):
            with self.subTest(command=command, option=option):
                self.assertIn(option, self.succeeds(command, "--help").out)

    def rows(self):
        rows = json.loads(self.succeeds("explain", "--all", "--format", "json").out)
        return [row for row in rows if not row["code"].startswith(PENDING)]


if __name__ == "__main__":
    main()
