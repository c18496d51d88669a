# SPDX-License-Identifier: MIT
"""G4MF of three dimensions to glTF: independent evaluators of both formats give the same vertices."""
import json
import os
import struct

import numpy as np

from program import INPUT, ROOT, UNSUPPORTED, USAGE, ProgramTest, in_parallel, main, sinew

import g4mf_oracle
import gltf_oracle
from g4mf_builder import Builder
from g4mf_rigs import RandomRig
from gltf_builder import tutorial_skin

TOLERANCE = 1e-5


def furthest(a, b):
    """Returns the largest distance from a row of either side to the nearest row of the other, relative to the size of the first."""
    if not len(a) and not len(b):
        return 0.0
    distances = np.linalg.norm(a[:, None] - b[None], axis=-1)
    return max(distances.min(1).max(), distances.min(0).max()) / (np.linalg.norm(a.max(0) - a.min(0)) or 1)


def content(node):
    return "mesh" in node or "meshInstance" in node


class Converted(ProgramTest):
    def convert(self, source, name="out.glb"):
        out, losses = self.path(name), self.path(name + ".json")
        ran = self.succeeds("convert", source, out, "--loss", losses)
        with open(losses, encoding="utf-8") as file:
            return out, json.load(file), ran

    def lossless(self, builder, name="in.g4tf"):
        out, _, ran = self.convert(builder.save(self.path(name)))
        self.assertNotIn("warning", ran.err)
        self.assertIn("no losses", ran.err)
        return out

    def posed(self, source, out, pose):
        """Compares both at a pose, by the oracle and by the program."""
        want = g4mf_oracle.evaluate(source, pose)
        got = self.deform(out, "--pose", self.write("pose.json", pose)) if pose else gltf_oracle.evaluate(out)
        return furthest(want, np.asarray(got, float))


class Refused(Converted):
    """A file that could not be deformed is refused with its place, and none is written."""

    def refused(self, status, builder, name, to, says):
        out = self.path(to)
        self.fails(status, "convert", builder.save(self.path(name)), out, says=says)
        self.assertFalse(os.path.exists(out))

    def bone_with(self, **change):
        built = Builder(3)
        mesh = built.mesh(built.accessor("float32", [[0, 0, 0], [1, 0, 0], [0, 1, 0]]), [{"simplexes": built.accessor("uint8", [[0, 1, 2]])}],
                          skin=built.skin([[(0, 1.0)]] * 3))
        built.node(name="Root", children=[1])
        built.node(name="Rig", skeleton={"joints": [2]}, children=[2, 3])
        built.node(name="Bone", bone={}, **change)
        built.node(name="Body", mesh=mesh)
        return built

    def test_numbers_that_float32_cannot_hold(self):
        self.refused(UNSUPPORTED, self.bone_with(scale=[1e-45] * 3), "in.g4tf", "out.gltf", ["/nodes/2", "bind matrix", "float32"])
        self.refused(UNSUPPORTED, self.bone_with(position=[1e39, 0, 0]), "in.g4tf", "out.gltf", ["/nodes/2", "transform", "float32"])

    def test_vertices_that_are_no_numbers(self):
        for value in ("nan", "inf"):
            with self.subTest(value):
                gltf = tutorial_skin()
                view = gltf.json["bufferViews"][gltf.json["accessors"][gltf.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]["bufferView"]]
                at = view.get("byteOffset", 0)
                gltf.blob[at:at + 4] = struct.pack("<f", float(value))
                self.refused(INPUT, gltf, "in.glb", "out.g4tf", ["/meshes/0", "vertex 0", "not a finite"])


class Rigs(Converted):
    def test_random_rigs_at_rest_and_posed(self):
        """Nodes keep their indices, so one pose file fits both. Two poses differ in glTF: that of a skinned mesh's node, and that of a
        node that was split in two."""
        rigs = [RandomRig(seed) for seed in range(1, 145, 6)]
        self.assertEqual({rig.dimension for rig in rigs}, {3})
        features = set().union(*(rig.features for rig in rigs))
        wanted = {"repeated joint", "joint -1", "unlisted vertex", "weights not summing to 1", "groups beyond the joints", "basis",
                  "mirroring basis", "one mesh under two skeletons", "blend shapes", "targets of normals", "binding"}
        self.assertEqual(wanted - features, set())
        moved = 0
        for seed, rig in enumerate(rigs):
            with self.subTest(rig=seed):
                source = rig.save(self.folder, f"rig{seed}")
                out, _, _ = self.convert(source, f"rig{seed}.glb")
                self.succeeds("compare", source, out, "--match", "--tolerance", TOLERANCE)
                self.succeeds("compare", source, out, "--tolerance", TOLERANCE)
                pose, nodes = rig.pose(), rig.model.json["nodes"]
                numbers = {node.get("name"): index for index, node in enumerate(nodes)}

                def keeps(key, change):
                    node = nodes[int(key) if key.isdigit() else numbers[key]]
                    return not content(node) and "basis" not in node and "basis" not in change

                pose["nodes"] = {key: change for key, change in pose["nodes"].items() if keeps(key, change)}
                moved += bool(pose["nodes"])
                self.assertLessEqual(self.posed(source, out, {}), TOLERANCE)
                self.assertLessEqual(self.posed(source, out, pose), TOLERANCE)
        self.assertGreaterEqual(moved, 20)

    def test_samples(self):
        folder = os.path.join(ROOT, "samples", "g4mf")
        for name in ("component_types", "point_cloud", "scaled_bone", "shared_mesh", "stiff_tail"):
            with self.subTest(sample=name):
                source = os.path.join(folder, name + ".g4tf")
                for container in (".glb", ".gltf"):
                    out, _, _ = self.convert(source, name + container)
                    self.succeeds("compare", source, out)
                pose = os.path.join(folder, name + ".pose.json")
                if os.path.exists(pose):
                    with open(pose, encoding="utf-8") as file:
                        self.assertLessEqual(self.posed(source, out, json.load(file)), TOLERANCE)


class Details(Converted):
    def rig(self, influences, joints=(2, 3), mesh=None, **skin):
        """Nodes: 0 root, 1 skeleton, 2 and 3 bones along x, 4 the mesh, of points (0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0)."""
        b = Builder(3)
        b.node(name="Root")
        b.node(0, name="Rig", skeleton={"joints": list(joints)})
        b.node(1, name="Lower", bone={}, position=[0, 0, 0])
        b.node(2, name="Upper", bone={}, position=[2, 0, 0])
        b.mesh(b.accessor("float32", [[x, 0, 0] for x in range(4)]), [{}], skin=b.skin(influences, **skin))
        b.node(1, name="Body", meshInstance={"mesh": 0}, **(mesh or {}))
        return b

    def primitive(self, out, mesh=0, number=0):
        document = gltf_oracle.Document(out)
        return document, document.json["meshes"][mesh]["primitives"][number]

    def weights(self, out):
        """{joint's node name: weight} of each vertex."""
        document, primitive = self.primitive(out)
        joints = [document.json["nodes"][node].get("name") for node in document.json["skins"][0]["joints"]]
        rows = []
        sets = [key[-1] for key in primitive["attributes"] if key.startswith("JOINTS_")]
        for s in sets:
            numbers, weights = (document.values(primitive["attributes"][f"{key}_{s}"]) for key in ("JOINTS", "WEIGHTS"))
            for vertex in range(len(numbers)):
                if vertex == len(rows):
                    rows.append({})
                rows[vertex].update({joints[int(j)]: round(float(w), 6) for j, w in zip(numbers[vertex], weights[vertex]) if w})
        return rows

    def test_repeats_stiff_slots_and_unlisted_vertices(self):
        influences = [[(0, 1.0)], [(0, 0.5), (1, 0.25), (2, 0.25)], [(3, 1.0)], []]
        out = self.lossless(self.rig(influences, joints=[2, 2, 3, -1]))
        self.assertEqual(self.weights(out), [{"Lower": 1}, {"Lower": 0.75, "Upper": 0.25}, {"Body still": 1}, {"Body still": 1}])

    def test_weights_are_divided_by_their_sum(self):
        out = self.lossless(self.rig([[(0, 0.5)]] * 3 + [[(0, 1.0), (1, 3.0)]]))
        self.assertEqual(self.weights(out)[2:], [{"Lower": 1}, {"Upper": 0.75, "Lower": 0.25}])

    def test_more_than_four_influences(self):
        b = Builder(3)
        b.node(name="Root")
        b.node(0, name="Rig", skeleton={"joints": list(range(2, 8))})
        for i in range(6):
            b.node(1, name=f"Bone{i}", bone={}, position=[i, 0, 0])
        b.mesh(b.accessor("float32", [[0, 0, 0]]), [{}], skin=b.skin([[(i, (i + 1) / 21) for i in range(6)]]))
        b.node(1, name="Body", meshInstance={"mesh": 0})
        out = self.lossless(b)
        _, primitive = self.primitive(out)
        self.assertIn("JOINTS_1", primitive["attributes"])
        self.assertEqual(self.weights(out)[0], {f"Bone{i}": round((i + 1) / 21, 6) for i in range(6)})

    def test_a_sheared_node_becomes_two(self):
        b = Builder(3)
        b.node(name="Root")
        b.mesh(b.accessor("float32", [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]), [{}])
        b.node(0, name="Bent", basis=[1, 0, 0, 0.5, 1, 0, 0, 0.25, -2], position=[1, 2, 3], meshInstance={"mesh": 0})
        b.node(1, name="Child", position=[0, 1, 0], meshInstance={"mesh": 0})
        source = b.save(self.path("in.g4tf"))
        out, losses, _ = self.convert(source)
        self.assertEqual([loss["pointer"] for loss in losses], ["/nodes/1"])
        self.assertEqual(losses[0]["what"].count("sheared"), 1)
        np.testing.assert_allclose(gltf_oracle.evaluate(out), g4mf_oracle.evaluate(source), atol=1e-6)
        for node in gltf_oracle.Document(out).json["nodes"]:
            self.assertNotIn("matrix", node)

    def test_every_corner_value_makes_a_vertex(self):
        """Two triangles whose shared edge has one normal but two texture coordinates at one end."""
        b = Builder(3)
        b.node(name="Root")
        corners = [[0, 0], [1, 0], [1, 1], [0, 0], [0.5, 0.5], [0, 1]]
        surface = {"simplexes": b.accessor("uint32", [[0, 1, 2], [0, 2, 3]]), "normals": b.accessor("float32", [[0, 0, 1]] * 6),
                   "textureMap": b.accessor("float32", corners)}
        b.mesh(b.accessor("float32", [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [9, 9, 9]]), [surface])
        b.node(0, name="Quad", meshInstance={"mesh": 0})
        document, primitive = self.primitive(self.lossless(b))
        positions = document.values(primitive["attributes"]["POSITION"])
        self.assertEqual(positions[:, 0].tolist(), [0, 1, 1, 1, 0, 9])  # in the order of the vertices; the one of no triangle stays
        indices = document.values(primitive["indices"]).astype(int).reshape(-1)
        np.testing.assert_array_equal(document.values(primitive["attributes"]["TEXCOORD_0"])[indices], corners)

    def test_edges_become_lines_and_what_has_no_place_is_told(self):
        b = Builder(3)
        b.node(name="Root")
        edges = b.accessor("uint32", [[0, 1], [1, 2]])
        b.mesh(b.accessor("float32", [[0, 0, 0], [1, 0, 0], [1, 1, 0]]),
               [{"edges": edges}, {"edges": edges, "simplexes": b.accessor("uint32", [[0, 1, 2]])}])
        b.node(0, name="Wire", meshInstance={"mesh": 0}, extras={"note": 1})
        b.json["materials"] = [{"name": "Paint", "baseColor": {"factor": [0.5, 0.25, 1]}, "orm": {"factor": [1, 0.5, 0]}}]
        b.json["lights"] = [{}]
        out, losses, _ = self.convert(b.save(self.path("in.g4tf")))
        document, primitive = self.primitive(out)
        self.assertEqual(primitive["mode"], 1)
        self.assertNotIn("mode", document.json["meshes"][0]["primitives"][1])
        self.assertEqual(sorted(loss["pointer"] for loss in losses), ["/lights", "/meshes/0/surfaces/1", "/nodes/1/extras"])
        self.assertEqual(document.json["materials"], [{"name": "Paint", "pbrMetallicRoughness": {
            "baseColorFactor": [0.5, 0.25, 1, 1], "metallicFactor": 0, "roughnessFactor": 0.5}}])

    def test_nodes_choose_materials(self):
        b = Builder(3)
        b.node(name="Root")
        b.json["materials"] = [{"name": "A"}, {"name": "B"}]
        b.mesh(b.accessor("float32", [[0, 0, 0]]), [{"material": 0}])
        b.node(0, name="One", meshInstance={"mesh": 0})
        b.node(0, name="Two", meshInstance={"mesh": 0, "materials": [1]})
        out, _, _ = self.convert(b.save(self.path("in.g4tf")))
        document = gltf_oracle.Document(out).json
        used = [document["meshes"][node["mesh"]]["primitives"][0]["material"] for node in document["nodes"] if "mesh" in node]
        self.assertEqual(used, [0, 1])

    def test_other_dimensions_are_refused(self):
        four = Builder(4)
        four.node(name="Root")
        self.fails(UNSUPPORTED, "convert", four.save(self.path("four.g4tf")), self.path("four.glb"), says=["three dimensions", "4"])
        self.assertFalse(os.path.exists(self.path("four.glb")))

    def test_options_of_g4mf_alone(self):
        source = self.rig([[(0, 1.0)]]).save(self.path("in.g4tf"))
        self.fails(USAGE, "convert", source, self.path("out.glb"), "--compress", "zstd")
        self.fails(USAGE, "convert", source, self.path("out.glb"), "--revision", "2026-07")


class OtherDimensions(Converted):
    def sample(self, name):
        return os.path.join(ROOT, "samples", "g4mf", name + ".g4tf")

    def simplex_on_a_bone(self, dimension):
        built = Builder(dimension)
        corners = np.vstack([np.zeros(dimension), np.eye(dimension)]).tolist()
        # simplexes have as many vertices as the space has dimensions: the boundary of the body
        sides = [[v for v in range(dimension + 1) if v != left_out] for left_out in range(dimension + 1)]
        mesh = built.mesh(built.accessor("float32", corners), [{"simplexes": built.accessor("uint8", sides)}],
                          skin=built.skin([[(0, 1.0)]] * (dimension + 1)))
        built.node(name="Root", children=[1])
        built.node(name="Rig", skeleton={"joints": [2]}, children=[2, 3])
        built.node(name="Bone", bone={})
        built.node(name="Body", mesh=mesh)
        return built

    def test_a_slice_is_what_sinew_slice_writes(self):
        rig = self.simplex_on_a_bone(5).save(self.path("rig.g4tf"))
        for path, cuts in ((self.sample("tesseract"), ["w=0.3"]), (rig, ["v=0.1", "w=0.2"])):
            with self.subTest(model=path):
                one, other, losses = self.path("one.glb"), self.path("other.glb"), self.path("lost.json")
                self.succeeds("convert", path, one, *(word for cut in cuts for word in ("--slice", cut)), "--loss", losses)
                self.succeeds("slice", path, "-o", other, *(word for cut in cuts for word in ("--at", cut)))
                with open(one, "rb") as a, open(other, "rb") as b:
                    self.assertEqual(a.read(), b.read())
                with open(losses, encoding="utf-8") as file:
                    told = " ".join(loss["what"] for loss in json.load(file))
                self.assertIn("the new file has 3: it is a slice", told)
                self.assertEqual("joints" in told, path == rig)

    def test_a_projection_shows_every_dimension(self):
        for name in ("tesseract", "rig_2d", "cell_24", "cube_chain"):
            with self.subTest(sample=name):
                out = self.path(name + ".glb")
                self.succeeds("convert", self.sample(name), out, "--project")
                self.assertTrue(json.loads(self.succeeds("info", out, "--json").out)["instances"])
                self.succeeds("validate", out, "-q")

    def test_what_does_not_go_together(self):
        out = self.path("out.glb")
        for wrong in (["--max-error", "1"], ["--fail-on", "loss"], ["--max-influences", "4"], ["--skeletons", "plain"], ["--prune"]):
            with self.subTest(options=wrong):
                ran = sinew("convert", self.sample("arm_4d"), out, "--project", *wrong)
                self.assertEqual(ran.status, USAGE, str(ran))
                self.assertIn(wrong[0], ran.err)
        for cut in ("q", "w=", "w=nan", "7=0", "=1"):
            with self.subTest(cut=cut):
                self.assertEqual(sinew("convert", self.sample("arm_4d"), out, "--slice", cut).status, USAGE)
        self.assertEqual(sinew("convert", self.sample("rig_5d"), out, "--slice", "v=0").status, USAGE)  # four dimensions are left
        self.fails(USAGE, "convert", self.sample("tesseract"), out, "--slice", "w=9", says=("would be empty", "extends from -1 to 1"))
        self.assertFalse(os.path.exists(out))
        refused = sinew("convert", self.sample("arm_4d"), out)
        self.assertEqual(refused.status, UNSUPPORTED)
        self.assertIn("--project", refused.err)
        self.assertFalse(os.path.exists(out))


if __name__ == "__main__":
    main()
