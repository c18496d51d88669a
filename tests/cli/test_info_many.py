# SPDX-License-Identifier: MIT
"""`sinew info` of several files, of G4MF rigs, and of instances with blend shapes."""
import json
import os

from program import INPUT, ROOT, ProgramTest, main, sinew
from gltf_builder import morphed_quad, tutorial_skin

SAMPLES = os.path.join(ROOT, "samples")


class Several(ProgramTest):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("models", "deep"))
        self.skin = tutorial_skin().save(self.path("models", "skin.glb"))
        self.quad = morphed_quad().save(self.path("models", "deep", "quad.glb"))

    def test_text_has_a_block_for_each_file(self):
        blocks = self.succeeds("info", self.skin, self.quad).out.split("\n\n")
        self.assertEqual([block.split("  ")[0] for block in blocks], [self.skin, self.quad])
        self.assertEqual(blocks[0] + "\n", self.succeeds("info", self.skin).out)
        folder = self.succeeds("info", self.path("models")).out.split("\n\n")
        self.assertEqual([block.split("  ")[0] for block in folder], [self.quad, self.skin])
        skeletons = self.succeeds("info", "--skeletons", self.skin, self.quad).out
        self.assertIn(self.skin + "\n", skeletons)

    def test_json_is_a_list_of_files(self):
        several = json.loads(self.succeeds("info", "--json", self.skin, self.quad).out)
        self.assertEqual(list(several), ["files"])
        for path, found in zip((self.skin, self.quad), several["files"]):
            self.assertEqual(found, json.loads(self.succeeds("info", "--json", path).out))
        skeletons = json.loads(self.succeeds("info", "--json", "--skeletons", self.skin, self.quad).out)["files"]
        self.assertEqual([file["file"] for file in skeletons], [self.skin, self.quad])
        self.assertEqual(len(skeletons[0]["skeletons"]), 1)

    def test_a_file_that_cannot_be_read_stops_no_other(self):
        broken = self.write("broken.glb", "nothing")
        ran = self.fails(INPUT, "info", broken, self.skin, says=broken)
        self.assertIn("Bend", ran.out)
        ran = self.fails(INPUT, "info", "--json", broken, self.skin)
        self.assertEqual([file["file"] for file in json.loads(ran.out)["files"]], [self.skin])

    def test_threads_change_nothing(self):
        one = sinew("info", SAMPLES, "--threads", 1).data
        self.assertGreater(one.count(b"\n\n"), 10)
        self.assertEqual(sinew("info", SAMPLES, "--threads", 3).data, one)


class Rigs(ProgramTest):
    def test_g4mf_has_skins_and_skeletons(self):
        path = os.path.join(SAMPLES, "g4mf", "arm_4d.g4tf")
        text = self.succeeds("info", path).out
        self.assertIn('Skins\n  0    "Arm"  2 joints', text)
        self.assertIn('Skeletons\n  0    "Arm"  2 joints', text)
        self.assertNotIn("1, scaled to 1\n", text)
        info = json.loads(self.succeeds("info", "--json", path).out)
        self.assertEqual((len(info["skins"]), len(info["skeletons"])), (1, 1))

    def test_a_g4mf_skin_without_a_skeleton_is_named(self):
        with open(os.path.join(SAMPLES, "g4mf", "arm_4d.g4tf"), encoding="utf-8") as file:
            document = json.load(file)
        [skeleton] = [node for node in document["nodes"] if "skeleton" in node]
        del skeleton["skeleton"]
        text = self.succeeds("info", self.write("arm.g4tf", document)).out
        self.assertIn("up to 2 influences, without a skeleton", text)

    def test_amounts_of_instances(self):
        builder = morphed_quad()
        builder.json["nodes"][0]["weights"] = [0, 0.5]
        builder.add("nodes", {"name": "Twin", "mesh": 0})
        builder.add("nodes", {"name": "Still", "mesh": 0, "weights": [0, 0]})
        builder.json["scenes"][0]["nodes"] += [1, 2]
        path = builder.save(self.path("faces.glb"))
        text = self.succeeds("info", path).out
        for expected in ('blend amounts "Wide" = 0.5\n', 'blend amounts "Up" = 0.25\n', "blend amounts all 0\n"):
            self.assertIn(expected, text)
        instances = json.loads(self.succeeds("info", "--json", path).out)["instances"]
        self.assertEqual([instance["amounts"] for instance in instances], [[0, 0.5], [0.25, 0], [0, 0]])


if __name__ == "__main__":
    main()
