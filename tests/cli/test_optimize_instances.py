# SPDX-License-Identifier: MIT
"""sinew optimize --instances nodes: nodes that show the same mesh become copies of one, and every row keeps its place and its value."""
import json

import numpy as np

from program import UNSUPPORTED, USAGE, ProgramTest, main

from gltf_builder import Builder
from moving_oracle import MovingOracle

INSTANCING = "EXT_mesh_gpu_instancing"
CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]], "<f4")
HALF = {"translation": [2, 0.5, -3], "rotation": [0.6, 0, 0, 0.8], "scale": [2, 2, -0.5]}
# Numbers that float32 holds; a product of these is the same in any order of the file.
PLACES = [{}, {"translation": [3, 0, 0.5]}, {"rotation": [0, 0.5, 0.5, 0.7071067690849304]}, {"scale": [1, 2, -0.5]}, {"translation": [-9, 1, 8]}]


class InstancesTest(ProgramTest):
    def forest(self, places=PLACES, parent=None):
        """Nodes "Tree_1", … that show one mesh, below a node with a transform."""
        b = Builder()
        mesh = {"primitives": [{"attributes": {"POSITION": b.accessor(CORNERS, bounds=True)}, "indices": b.accessor(np.array([0, 1, 2, 0, 2, 3], "<u2"))}]}
        b.json["meshes"] = [mesh, {**mesh, "name": "Other"}]
        children = list(range(1, len(places) + 1))
        b.json["nodes"] = [{"name": "Forest", "children": children, "translation": [0.25, 1, 0], "scale": [2, 1, 1], **(parent or {})}]
        b.json["nodes"] += [{"name": f"Tree.{k}", "mesh": 0, **place} for k, place in enumerate(places)]
        b.json["scenes"], b.json["scene"] = [{"nodes": [0]}], 0
        return b

    def join(self, b, error=0, *options):
        """Returns the input, the output, and the report."""
        source, out = b.save(self.path("in.glb")), self.path("out.glb")
        done = self.succeeds("optimize", source, "-o", out, "--max-error", error, "--instances", "nodes", "--steps", "instances", "--json", *options)
        return source, out, json.loads(done.out)

    def nodes(self, path):
        return MovingOracle(path).json["nodes"]

    def assert_same(self, source, out, error=0):
        rows = [self.deform(path) for path in (source, out)]
        np.testing.assert_allclose(rows[1], rows[0], atol=error, rtol=0)
        np.testing.assert_allclose(rows[1], MovingOracle(out).positions(None, 0.0), atol=1e-5)
        return json.loads(self.succeeds("compare", source, out, "--json", "--tolerance", error).out)["verdict"]

    def copies(self, path, node=1):
        """Returns the number of copies of a node; 1 without the extension."""
        oracle = MovingOracle(path).json
        attributes = oracle["nodes"][node].get("extensions", {}).get(INSTANCING, {}).get("attributes", {})
        counts = {oracle["accessors"][index]["count"] for index in attributes.values()}
        self.assertLessEqual(len(counts), 1)
        return counts.pop() if counts else 1


class Joined(InstancesTest):
    def test_nodes_become_copies(self):
        source, out, report = self.join(self.forest())
        oracle = MovingOracle(out).json
        self.assertEqual([node["name"] for node in oracle["nodes"]], ["Forest", "Tree.0"])
        self.assertEqual(oracle["nodes"][0]["children"], [1])
        self.assertEqual(self.copies(out), 5)
        self.assertEqual(oracle["extensionsRequired"], [INSTANCING])
        self.assertEqual(oracle["extensionsUsed"], [INSTANCING])
        # A pose of the input can move each tree alone, so "equal in every pose" would be wrong.
        self.assertEqual(self.assert_same(source, out), "equal where sampled")
        self.assertIn("shows the mesh of 5 nodes as copies", json.dumps(report))
        self.assertEqual(self.succeeds("validate", out).error_lines(), [])

    def test_only_the_parts_that_differ_from_the_default_are_stored(self):
        for places, names in ((PLACES[:2], ["TRANSLATION"]), ([{}, {"scale": [2, 2, 2]}], ["SCALE"]), ([{}, {}], ["SCALE"]),
                              ([{}, {"rotation": [0, 1, 0, 0]}], ["ROTATION"])):
            source, out, _ = self.join(self.forest(places))
            self.assertEqual(list(self.nodes(out)[1]["extensions"][INSTANCING]["attributes"]), names)
            self.assert_same(source, out)

    def test_matrices_and_decimals_need_an_error(self):
        matrix = [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 5, 6, 7, 1]
        b = self.forest([{}, {"translation": [0.1, 0, 0]}, {"matrix": matrix}, {"rotation": [0.1, 0.2, 0.3, 0.9273618495495703]}])
        source, out, report = self.join(b)
        self.assertIn("transform float32 numbers", json.dumps(report["steps"]))
        self.assertEqual(len(self.nodes(out)), 5)
        source, out, _ = self.join(b, 1e-5)
        self.assertEqual(self.copies(out), 4)
        self.assert_same(source, out, 1e-5)

    def test_roots_of_one_scene(self):
        b = self.forest()
        b.json["nodes"][0].pop("children")
        b.json["scenes"][0]["nodes"] = [0, 1, 2, 3, 4, 5]
        source, out, _ = self.join(b)
        self.assertEqual(MovingOracle(out).json["scenes"][0]["nodes"], [0, 1])
        self.assert_same(source, out)
        b.json["scenes"].append({"nodes": [2, 3]})  # shows two of them only
        _, out, _ = self.join(b)
        self.assertEqual([self.copies(out, node) for node in range(1, len(self.nodes(out)))], [1, 2, 2])

    def test_parent_that_moves(self):
        b = self.forest()
        times, places = b.accessor(np.array([0, 1], "<f4"), bounds=True), b.accessor(np.array([[0, 0, 0], [4, 1, 0]], "<f4"))
        b.json["animations"] = [{"samplers": [{"input": times, "output": places}], "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}]
        source, out, _ = self.join(b)
        self.assertEqual(self.copies(out), 5)
        self.assertEqual(self.assert_same(source, out), "equal where sampled")

    def test_with_all_steps_and_compression(self):
        b = self.forest([{"translation": [k, 0.5, 0]} for k in range(40)])
        source, out = b.save(self.path("in.glb")), self.path("out.glb")
        for options in ((), ("--compress", "meshopt")):
            self.succeeds("optimize", source, "-o", out, "--max-error", 1e-4, "--instances", "nodes", *options)
            self.assertEqual(len(self.nodes(out)), 2)
            rows = self.deform(out)
            np.testing.assert_allclose(rows, self.deform(source), atol=1e-4 * 100)


class LeftOut(InstancesTest):
    def left(self, change, says, *options):
        """Returns the numbers of copies of the nodes after the first, after a change of the forest."""
        b = self.forest()
        change(b.json, b)
        source, out, report = self.join(b, 0, *options)
        self.assertIn(says, json.dumps(report["steps"]))
        self.assert_same(source, out)
        return [self.copies(out, node) for node in range(1, len(self.nodes(out)))]

    def test_rows_of_other_meshes_between(self):
        self.assertEqual(self.left(lambda j, b: j["nodes"][3].update(mesh=1), "instances"), [2, 1, 2])

    def test_children_and_cameras(self):
        def change(j, b):
            j["nodes"].append({"name": "Bird"})
            j["nodes"][2]["children"] = [6]
            j["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1, "znear": 1}}]
            j["nodes"][4]["camera"] = 0

        self.assertEqual(self.left(change, "1 with children; 1 that something else refers to")[:5], [1] * 5)

    def test_what_a_clip_moves_or_hides(self):
        def change(j, b):
            times = b.accessor(np.array([0, 1], "<f4"), bounds=True)
            shown, places = b.accessor(np.array([1, 0], "u1")), b.accessor(np.array([[0, 0, 0], [4, 1, 0]], "<f4"))
            pointer = {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/nodes/2/extensions/KHR_node_visibility/visible"}}}
            j["nodes"][2]["extensions"] = {"KHR_node_visibility": {"visible": True}}
            j["extensionsUsed"] = ["KHR_animation_pointer", "KHR_node_visibility"]
            j["animations"] = [{"samplers": [{"input": times, "output": places}, {"input": times, "output": shown, "interpolation": "STEP"}],
                                "channels": [{"sampler": 0, "target": {"node": 5, "path": "scale"}}, {"sampler": 1, "target": pointer}]}]

        self.assertEqual(self.left(change, "2 that an animation moves"), [1, 1, 2, 1])

    def test_other_references(self):
        def change(j, b):
            j["nodes"][2]["extensions"] = {"MSFT_lod": {"ids": [4]}}
            j["extensionsUsed"] = ["MSFT_lod"]

        self.assertEqual(self.left(change, "2 that something else refers to"), [1] * 5)

    def test_pointers(self):
        def change(j, b):
            times, values = b.accessor(np.array([0, 1], "<f4"), bounds=True), b.accessor(np.array([1, 0], "<f4"))
            pointer = {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/nodes/3/extras/glow"}}}
            for node in j["nodes"][1:]:
                node["extras"] = {"glow": 1}
            j["extensionsUsed"] = ["KHR_animation_pointer"]
            j["animations"] = [{"samplers": [{"input": times, "output": values}], "channels": [{"sampler": 0, "target": pointer}]}]

        self.assertEqual(self.left(change, "1 that something else refers to"), [2, 1, 2])

    def test_extras_and_visibility_must_agree(self):
        def change(j, b):
            j["nodes"][1]["extras"] = j["nodes"][2]["extras"] = {"kind": "oak"}
            for node in (3, 4):
                j["nodes"][node]["extensions"] = {"KHR_node_visibility": {"visible": False}}
            j["extensionsUsed"] = ["KHR_node_visibility"]

        self.assertEqual(self.left(change, "1 whose rows"), [2, 2, 1])

    def test_kept_names(self):
        self.assertEqual(self.left(lambda j, b: None, "1 that --keep names", "--keep", "Tree.2"), [2, 1, 2])

    def test_shear_and_scales_of_zero(self):
        def change(j, b):
            j["nodes"][2] = {"mesh": 0, "matrix": [1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}
            j["nodes"][4]["scale"] = [1, 0, 1]

        self.assertEqual(self.left(change, "2 whose transform"), [1] * 5)

    def test_names_of_copies_that_other_nodes_have(self):
        def change(j, b):
            j["nodes"][1]["name"], j["nodes"][3]["name"] = "Tree", "Tree_2"

        self.assertEqual(self.left(change, "5 whose rows"), [1] * 5)

    def test_unknown_references_keep_all_nodes(self):
        def change(j, b):
            j["extensions"] = {"EXAMPLE_places": {"nodes": [4]}}
            j["extensionsUsed"] = ["EXAMPLE_places"]

        self.assertEqual(self.left(change, "may refer to nodes by index"), [1] * 5)


class Usage(InstancesTest):
    def test_default_keeps_nodes(self):
        source, out = self.forest().save(self.path("in.glb")), self.path("out.glb")
        for options in ((), ("--instances", "keep")):
            self.succeeds("optimize", source, "-o", out, "--max-error", 0, *options)
            self.assertEqual(len(self.nodes(out)), 6)

    def test_steps_and_option_belong_together(self):
        source, out = self.forest().save(self.path("in.glb")), self.path("out.glb")
        self.fails(USAGE, "optimize", source, "-o", out, "--max-error", 0, "--steps", "instances", says="--instances nodes")
        self.fails(USAGE, "optimize", source, "-o", out, "--max-error", 0, "--instances", "nodes", "--steps", "keys", says="step instances")

    def test_g4mf_is_refused(self):
        source = self.forest().save(self.path("in.glb"))
        arm, out = self.path("in.g4tf"), self.path("out.g4tf")
        self.succeeds("convert", source, arm)
        self.fails(UNSUPPORTED, "optimize", arm, "-o", out, "--max-error", 0, "--instances", "nodes", says="glTF only")


if __name__ == "__main__":
    main()
