# SPDX-License-Identifier: MIT
"""`sinew info`: the text for readers, the JSON for programs."""
import json
import os

import numpy as np

from program import INPUT, ROOT, USAGE, ProgramTest, corpus_models, main, samples

import gltf_oracle as oracle
from gltf_builder import morphed_quad, tutorial_skin
from random_rigs import RandomRig


# Number of corners for a number of indices, by mode: points, lines, loops, strips, triangles, strips and fans of them.
CORNERS = [lambda n: n, lambda n: n - n % 2, lambda n: 2 * n if n > 1 else 0, lambda n: max(2 * n - 2, 0), lambda n: n - n % 3,
           lambda n: max(3 * n - 6, 0), lambda n: max(3 * n - 6, 0)]


class Info(ProgramTest):
    def json_of(self, path, *options):
        return json.loads(self.succeeds("info", path, "--json", *options).out)

    def test_text_tells_what_is_there(self):
        text = self.succeeds("info", tutorial_skin().save(self.path("skin.glb"))).out
        for expected in ("glTF", "2.0", "dimension", "3 nodes", "10 vertices", "2 joints", "Bend", "2 s", "Strip"):
            self.assertIn(expected, text)
        text = self.succeeds("info", morphed_quad().save(self.path("quad.glb"))).out
        for expected in ("Up", "Wide", "Talk", "1.5", "4 vertices"):
            self.assertIn(expected, text)

    def test_json_names_the_model(self):
        info = self.json_of(tutorial_skin().save(self.path("skin.glb")))
        self.assertEqual((info["format"], info["revision"], info["dimension"]), ("glTF", "2.0", 3))
        self.assertEqual([(clip["name"], clip["duration"]) for clip in info["animations"]], [("Bend", 2)])

    def test_palette_moves_vertices_as_deform_does(self):
        """Weights times the printed matrices times the stored vertices are the deformed ones."""
        path = tutorial_skin().save(self.path("skin.glb"))
        posing = ["--animation", "Bend", "--time", "0.5"]
        [instance] = json.loads(self.succeeds("info", path, "--palette", "--json", *posing).out)
        self.assertEqual((instance["node"], instance["skin"], [joint["name"] for joint in instance["joints"]]), (0, 0, ["Lower", "Upper"]))
        matrices = [np.array(joint["matrix"]).reshape(4, 4).T for joint in instance["joints"]]
        rest = np.c_[self.deform(path), np.ones(10)]
        upper = np.repeat(np.arange(5) / 4, 2)[:, None]
        moved = (1 - upper) * (rest @ matrices[0].T) + upper * (rest @ matrices[1].T)
        self.assertLess(np.abs(moved[:, :3] - self.deform(path, *posing)).max(), 1e-6)

    def test_palette_is_printed_as_rows(self):
        text = self.succeeds("info", os.path.join(ROOT, "samples/gltf/simple_skin.gltf"), "--palette", "--animation", "Swing", "--time", "1.375").out
        self.assertEqual(text.splitlines()[6:], ['  joint 1  node 2  "Upper"', "     0 -1  0  1", "     1  0  0  1", "     0  0  1  0", "     0  0  0  1"])

    def test_palette_of_what_has_no_skin_and_of_more_dimensions(self):
        quad = json.loads(self.succeeds("info", morphed_quad().save(self.path("quad.glb")), "--palette", "--json").out)
        self.assertEqual([(instance["skin"], len(instance["joints"])) for instance in quad], [(None, 1)] * len(quad))
        [arm] = json.loads(self.succeeds("info", os.path.join(ROOT, "samples/g4mf/arm_4d.g4tf"), "--palette", "--json").out)
        self.assertEqual({len(joint["matrix"]) for joint in arm["joints"]}, {25})

    def test_options_of_the_palette_need_it(self):
        path = tutorial_skin().save(self.path("skin.glb"))
        self.fails(USAGE, "info", path, "--animation", "Bend")
        self.fails(USAGE, "info", path, "--palette", "--skeletons")
        self.fails(USAGE, "info", path, "--palette", "--animation", "Swim")

    def test_instances_of_a_skin(self):
        [instance] = self.json_of(tutorial_skin().save(self.path("skin.glb")))["instances"]
        for key, value in {"node": 0, "name": "Body", "mesh": 0, "visible": True, "first": 0, "vertices": 10}.items():
            self.assertEqual(instance[key], value, key)
        self.assertEqual(instance["surfaces"], [{"vertices": 10, "corners": 24}])

    def instances_match(self, path):
        """first, vertices and surfaces match the rows that `deform` writes."""
        document = oracle.Document(path)
        expected, first = {}, 0
        for node, number, rows in oracle.Evaluator(document).instances():
            primitive = document.json["meshes"][document.json["nodes"][node]["mesh"]]["primitives"][number]
            listed = document.json["accessors"][primitive["indices"]]["count"] if "indices" in primitive else len(rows)
            corners = CORNERS[primitive.get("mode", 4)](listed)
            instance = expected.setdefault(node, {"first": first, "vertices": 0, "surfaces": []})
            instance["vertices"] += len(rows)
            instance["surfaces"].append({"vertices": len(rows), "corners": corners})
            first += len(rows)
        found = self.json_of(path)["instances"]
        self.assertEqual([instance["node"] for instance in found], list(expected))
        for instance in found:
            for key, value in expected[instance["node"]].items():
                self.assertEqual(instance[key], value, key)
        self.assertEqual(first, len(self.deform(path)))

    def test_instances_of_random_rigs(self):
        for seed in range(12):
            with self.subTest(seed=seed):
                self.instances_match(RandomRig(seed).save(self.folder, f"rig{seed}"))

    def test_instances_of_samples(self):
        for name, path in samples():
            with self.subTest(sample=name):
                self.instances_match(path)

    def test_instances_of_real_files(self):
        models = [(name, path) for name, path in corpus_models() if "draco" not in name and "meshopt" not in name]
        if not models:
            self.skipTest("no folder of real files (--shared FOLDER)")
        for name, path in models:
            with self.subTest(file=name):
                self.instances_match(path)

    def test_hidden_instances_keep_their_rows_and_say_so(self):
        builder = tutorial_skin()
        hidden = {"KHR_node_visibility": {"visible": False}}
        builder.json["extensionsUsed"] = ["KHR_node_visibility"]
        builder.json["nodes"] += [{"children": [4], "extensions": hidden}, {"name": "Twin", "mesh": 0}]
        builder.json["scenes"][0]["nodes"].append(3)
        path = builder.save(self.path("two.glb"))
        instances = self.json_of(path)["instances"]
        self.assertEqual([(i["node"], i["first"], i["visible"]) for i in instances], [(0, 0, True), (4, 10, False)])
        self.assertEqual(self.deform(path).shape, (20, 3))

    def test_scene_option(self):
        builder = tutorial_skin()
        builder.add("scenes", {"nodes": [1]})
        self.assertEqual(self.json_of(builder.save(self.path("two.glb")), "--scene", "1")["instances"], [])

    def test_goes_on_with_broken_files(self):
        """`info` reports what it can about a file that `deform` rejects."""
        builder = tutorial_skin()
        builder.json["accessors"][0]["count"] = 1000
        path = builder.save(self.path("broken.glb"))
        self.fails(INPUT, "deform", path, "-o", self.path("out.npy"))
        info = self.json_of(path)
        self.assertEqual(info["animations"][0]["name"], "Bend")
        self.assertIn("Bend", self.succeeds("info", path).out)

    def test_names_survive_json(self):
        builder = tutorial_skin()
        builder.json["nodes"][0]["name"] = 'Zoë "q" \\ \u2028 😀'
        [instance] = self.json_of(builder.save(self.path("names.gltf")))["instances"]
        self.assertEqual(instance["name"], 'Zoë "q" \\ \u2028 😀')


if __name__ == "__main__":
    main()
