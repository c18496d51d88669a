# SPDX-License-Identifier: MIT
"""The text of validate: one line for each code and array, the codes of several files, and commands that fix the findings."""
import json
import os
import re

import numpy as np

from program import DONE, ROOT, ProgramTest, main, sinew
from gltf_builder import tutorial_skin

FINDINGS = 1
SHARED_CORPUS = "corpus"


def off_weights(*factors):
    """The tutorial's skin with the weights of the first vertices multiplied."""
    builder = tutorial_skin()
    second = np.repeat([0, 0.25, 0.5, 0.75, 1], 2)
    weights = np.zeros((10, 4), "<f4")
    weights[:, 0], weights[:, 1] = 1 - second, second
    for vertex, factor in enumerate(factors):
        weights[vertex] *= factor
    builder.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = builder.accessor(weights, target=34962)
    return builder


class Groups(ProgramTest):
    def lines(self, *arguments):
        ran = sinew("validate", *arguments)
        self.assertIn(ran.status, (DONE, FINDINGS), str(ran))
        return ran.out.splitlines()

    def line_of(self, code, *arguments):
        [line] = [line for line in self.lines(*arguments) if line.endswith("  " + code)]
        return line

    def test_findings_of_one_array_are_one_line(self):
        path = off_weights(0.9, 1.25, 0.5, 1.1).save(self.path("skin.gltf"))
        line = self.line_of("ACCESSOR_WEIGHTS_NON_NORMALIZED", path)
        self.assertRegex(line, r'^  error    /meshes/0/primitives/0/attributes/WEIGHTS_0 "Strip" \d+:\d+  4 vertices, the worst: the weights of vertex 2 sum to 0\.5')

    def test_a_vertex_counts_once_for_all_its_sets(self):
        """Each vertex is a finding at each set, as in the Khronos validator; the text counts vertices, of two primitives as well."""
        for primitives in (1, 2):
            builder = off_weights(0.9, 1.25, 0.5)
            attributes = builder.json["meshes"][0]["primitives"][0]["attributes"]
            attributes["JOINTS_1"] = builder.accessor(np.zeros((10, 4), "u1"), target=34962)
            attributes["WEIGHTS_1"] = builder.accessor(np.zeros((10, 4), "<f4"), target=34962)
            builder.json["meshes"][0]["primitives"] *= primitives
            path = builder.save(self.path("skin.gltf"))
            line = self.line_of("ACCESSOR_WEIGHTS_NON_NORMALIZED", path)
            self.assertIn(f"  {3 * primitives} vertices, the worst at ", line)
            issues = json.loads(sinew("validate", path, "--format", "json").out)["issues"]["messages"]
            self.assertEqual(sum(issue["code"] == "ACCESSOR_WEIGHTS_NON_NORMALIZED" for issue in issues), 6 * primitives)

    def test_one_finding_keeps_its_line_and_gets_the_name(self):
        path = off_weights(0.9).save(self.path("skin.gltf"))
        line = self.line_of("ACCESSOR_WEIGHTS_NON_NORMALIZED", path)
        self.assertRegex(line, r'^  error    /meshes/0/primitives/0/attributes/WEIGHTS_0 "Strip" \d+:\d+  the weights of vertex 0 sum to 0\.9')

    def test_findings_in_several_places_name_the_array_and_the_first_place(self):
        builder = tutorial_skin()
        for node, length in ((1, 0.9), (2, 0.5)):
            builder.json["nodes"][node]["rotation"] = [0, 0, 0, length]
        line = self.line_of("ROTATION_NON_UNIT", builder.save(self.path("skin.gltf")))
        self.assertRegex(line, r'^  error    /nodes/\*/rotation  2 rotations, the worst at /nodes/2/rotation "Upper" \d+:\d+: the quaternion has length 0\.5')

    def test_objects_of_a_list_are_one_line(self):
        builder = tutorial_skin()
        for _ in range(3):
            builder.add("nodes", {"name": "Idle"})
        line = self.line_of("NODE_EMPTY", builder.save(self.path("skin.gltf")))
        self.assertRegex(line, r'^  info     /nodes/\*  3 times, the first at /nodes/3 "Idle" \d+:\d+: the node')

    def test_verbose_lists_each_finding(self):
        path = off_weights(0.9, 1.25, 0.5).save(self.path("skin.gltf"))
        self.assertEqual(sum(line.endswith("  ACCESSOR_WEIGHTS_NON_NORMALIZED") for line in self.lines(path, "-v")), 3)

    def test_json_keeps_each_finding_and_has_no_new_members(self):
        path = off_weights(0.9, 1.25, 0.5).save(self.path("skin.gltf"))
        messages = json.loads(sinew("validate", "--format", "json", path).out)["issues"]["messages"]
        found = [m for m in messages if m["code"] == "ACCESSOR_WEIGHTS_NON_NORMALIZED"]
        self.assertEqual(len(found), 3)
        self.assertEqual(list(found[0]), ["code", "message", "severity", "pointer", "line", "column", "byte"])
        self.assertEqual(sinew("validate", "--format", "sarif", path).out.count('"ACCESSOR_WEIGHTS_NON_NORMALIZED"'), 4)  # and its rule

    def test_max_issues_shows_different_codes_first(self):
        builder = off_weights(0.9, 1.25, 0.5)
        builder.json["scenes"][0]["nodes"] += [77, 78, 79]
        path = builder.save(self.path("skin.gltf"))
        issues = json.loads(sinew("validate", "--format", "json", path, "--max-issues", "2").out)["issues"]
        self.assertEqual(len({m["code"] for m in issues["messages"]}), 2, issues)
        self.assertEqual({m["severity"] for m in issues["messages"]}, {0})
        self.assertIs(issues["truncated"], True)
        text = "\n".join(self.lines(path, "--max-issues", "1"))
        self.assertRegex(text, r" [34] (vertices|times)")
        self.assertIn("more findings are not listed", text)

    def test_long_and_hostile_names_are_cut(self):
        builder = tutorial_skin()
        builder.json["nodes"][2].update(name="Ü" * 100000 + "\x1b[31m", rotation=[0, 0, 0, 0.5])
        line = self.line_of("ROTATION_NON_UNIT", builder.save(self.path("skin.gltf")))
        self.assertLess(len(line), 400)
        self.assertIn('ÜÜ…"', line)

    def test_several_files_list_their_codes_with_counts(self):
        one, two = off_weights(0.9, 1.25, 0.5).save(self.path("a.gltf")), off_weights(0.9).save(self.path("b.gltf"))
        lines = self.lines(one, two)
        summary = next(i for i, line in enumerate(lines) if line.startswith("2 files: "))
        self.assertRegex(lines[summary + 1], r"^  error    ACCESSOR_WEIGHTS_NON_NORMALIZED +4 in 2 files$")
        severities = [("error", "warning", "info", "hint").index(line.split()[0]) for line in lines[summary + 1:] if line.startswith("  ")]
        self.assertEqual(severities, sorted(severities))

    def test_advice_names_the_command_that_fixes(self):
        builder = off_weights(0.9)
        builder.json["scenes"][0]["nodes"].append(77)
        text = sinew("validate", builder.save(self.path("skin.gltf"))).out
        self.assertIn("`sinew repair IN -o OUT` fixes ACCESSOR_WEIGHTS_NON_NORMALIZED", text)
        self.assertRegex(text, r"`sinew explain (CODE|UNRESOLVED_REFERENCE)`")

    def test_real_files_have_at_most_ten_lines(self):
        from program import SETTINGS
        corpus = os.path.join(SETTINGS.shared or "", SHARED_CORPUS)
        if not SETTINGS.shared or not os.path.isdir(corpus):
            self.skipTest("no folder of real files (--shared FOLDER)")
        text = re.split(r"(?m)^\d+ files: ", sinew("validate", corpus).out)[0]
        for block in re.split(r"\n(?=\S)", text):
            # An avatar that lies in the air breaks each rule about the rest pose once.
            lines = [line for line in block.splitlines() if "  VRM_POSE_" not in line]
            self.assertLessEqual(len(lines), 10, block)


if __name__ == "__main__":
    main()
