# SPDX-License-Identifier: MIT
"""sinew convert --revision: names and forms that differ between revisions, in both directions."""
import json
import os
import re

import numpy as np

from program import INPUT, USAGE, ProgramTest, main

import g4mf_instance_values
from g4mf_builder import Builder, chunk, g4b_bytes
from g4mf_instance_values import InstanceDocument as Document
from g4mf_rich import rich

REVISIONS = ["2025-08", "2026-01", "2026-07"]


class Revise(ProgramTest):
    def convert(self, source, target, revision=None, *options):
        ran = self.succeeds("convert", source, self.path(target), *(["--revision", revision] if revision else []), *options)
        return ran, Document(self.path(target))

    def losses(self, source, revision, target="lost.g4tf", *options):
        """Codes and pointers of what is listed on standard error; the new document."""
        ran, document = self.convert(source, target, revision, *options)
        listed = (re.search(r"(?:^|warning: )(/\S*): .*\[(\w+)\]$", line) for line in ran.err.splitlines())
        return sorted((found[2], found[1]) for found in listed if found), document

    def test_values_of_corners_stay_in_every_direction(self):
        for first in ("2025-08", "2026-01"):
            source = rich(first).save(self.path("rich.g4tf"))
            before = Document(source)
            old = before.json["meshes"][0]
            for second in REVISIONS:
                for third in REVISIONS:
                    for extension in ("g4tf", "g4b"):
                        with self.subTest(path=[first, second, third], extension=extension):
                            self.convert(source, f"step.{extension}", second)
                            _, after = self.convert(self.path(f"step.{extension}"), f"rich.{extension}", third)
                            mesh = after.json["meshes"][0]
                            for surface in range(3):
                                for name in ("normals", "textureMap"):
                                    for instances in (False, True):
                                        for amounts in ([0.0], [0.75]):
                                            want = g4mf_instance_values.values(before, old, surface, name, instances, amounts)
                                            got = g4mf_instance_values.values(after, mesh, surface, name, instances, amounts)
                                            self.assertEqual(want is None, got is None, (surface, name, instances))
                                            if want is not None:
                                                np.testing.assert_allclose(got, want, atol=1e-6, err_msg=str((surface, name, instances)))

    def test_an_offset_of_a_shared_value_moves_every_corner_that_has_it(self):
        built = Builder(3, "2026-07")
        vertices = built.accessor("float32", np.eye(3))
        simplexes = built.accessor("uint8", [(0, 1, 2), (2, 1, 0)])
        triangles = {"simplexes": simplexes, "normals": {"values": built.accessor("float32", [(0, 0, 1), (0, 1, 0), (1, 0, 0)]),
                                                         "simplexes": built.accessor("uint8", [(0, 1, 0), (2, 2, 0)])}}
        shape = {"name": "Lean", "surfaces": [{"surface": 1, "normal": built.target([0, 2], [(0.5, 0, 0), (0, 0.25, 0)])}]}
        mesh = built.mesh(vertices, [{"simplexes": simplexes}, triangles], blend={"shapes": [shape]})
        built.node(name="Root", mesh=mesh)
        source = built.save(self.path("shared.g4tf"))
        _, new = self.convert(source, "new.g4tf", "2026-01")
        moved = new.json["meshes"][0]["blend"]["shapes"][0]["normal"]
        self.assertEqual(list(new.numbers(moved["indices"])), [6, 8, 9, 10, 11])  # behind the six corners of the first surface
        old = Document(source)
        for amount in (0, 1):
            np.testing.assert_array_equal(g4mf_instance_values.values(new, new.json["meshes"][0], 1, "normals", False, [amount]),
                                          g4mf_instance_values.values(old, old.json["meshes"][0], 1, "normals", False, [amount]))

    def test_channels_there_and_back(self):
        source = rich().save(self.path("rich.g4tf"))
        losses, new = self.losses(source, "2026-07", "new.g4tf")
        self.assertEqual(losses, [])
        wood, lines = new.json["materials"]
        simplexes = wood["baseColor"]["elementMap"]
        self.assertEqual(new.numbers(simplexes["perSimplex"]).tolist(), [0, 1])
        self.assertNotIn("perSimplex", wood["baseColor"])
        (edges,) = wood["orm"]["elementMap"]["geometry"]
        self.assertEqual((edges["geometryDimension"], edges["decomposeDimension"]), (1, 1))
        self.assertEqual(new.numbers(edges["accessor"]).tolist(), [0, 1, 2, 3, 4, 5])
        (corners,) = lines["normal"]["elementMap"]["geometry"]
        self.assertEqual((corners["geometryDimension"], corners.get("decomposeDimension", 0)), (1, 0))
        self.assertEqual(new.numbers(corners["accessor"]).tolist(), [0, 1, 2, 3])
        both = wood["emissive"]["textureMap"]
        self.assertEqual(new.accessor(both["values"]).shape, (12, 2))
        self.assertEqual(new.numbers(both["geometry"][0]["accessor"]).tolist(), [4, 8, 9, 10, 11])
        _, back = self.convert(self.path("new.g4tf"), "back.g4tf", "2026-01")
        old = Document(source)
        for material, channel, name in [(0, "baseColor", "perSimplex"), (0, "orm", "perEdge"), (0, "emissive", "textureMap"),
                                        (0, "emissive", "topologyTextureMap"), (1, "normal", "perVertex")]:
            want = old.accessor(old.json["materials"][material][channel][name])
            got = back.accessor(back.json["materials"][material][channel][name])
            np.testing.assert_array_equal(got[: len(want)], want)

    def test_existing_data_stay_in_their_order(self):
        """What the new revision still uses comes first, in its old order, value for value; new data follow."""
        source = rich().save(self.path("rich.g4tf"))
        old = Document(source)
        before = [old.accessor(i) for i in range(len(old.json["accessors"]))]
        for revision in REVISIONS:
            _, new = self.convert(source, "new.g4tf", revision)
            place = kept = 0
            for i in range(len(new.json["accessors"])):
                now = new.accessor(i)
                same = [j for j in range(place, len(before)) if before[j].shape == now.shape and np.array_equal(before[j], now)]
                if not same:
                    break
                place, kept = same[0] + 1, kept + 1
            self.assertGreaterEqual(kept, 10, revision)

    def test_renames(self):
        _, old = self.convert(rich().save(self.path("rich.g4tf")), "old.g4tf", "2025-08")
        surface = old.json["meshes"][0]["surfaces"][0]
        self.assertIn("cells", surface)
        self.assertNotIn("simplexes", surface)
        self.assertIn("perCell", old.json["materials"][0]["baseColor"])
        self.assertTrue(all("primitiveType" in accessor and "componentType" not in accessor for accessor in old.json["accessors"]))

    def test_files_are_shared_and_copied_back(self):
        losses, new = self.losses(rich().save(self.path("rich.g4tf")), "2026-07", "new.g4tf")
        self.assertEqual([file["uri"][-8:] for file in new.json["files"]], ["tree.g4b", "wood.png"])
        self.assertEqual([texture["files"] for texture in new.json["textures"]], [[1], [1]])
        self.assertEqual(new.json["nodes"][4]["modelInstance"], {"file": 0})
        self.assertNotIn("models", new.json)
        _, back = self.convert(self.path("new.g4tf"), "back.g4tf", "2026-01")
        for key in ("textures", "models"):
            self.assertEqual(back.json[key], rich().json[key])
        self.assertEqual(back.json["nodes"], rich().json["nodes"])
        self.assertNotIn("files", back.json)

    def test_lights_move_into_nodes_and_back(self):
        _, new = self.convert(rich("2025-08").save(self.path("rich.g4tf")), "new.g4tf", "2026-01")
        self.assertEqual([new.json["nodes"][i]["light"] for i in (2, 3)], [{"type": "point", "range": 3}] * 2)
        self.assertNotIn("lights", new.json)
        _, back = self.convert(self.path("new.g4tf"), "back.g4tf", "2025-08")
        self.assertEqual(back.json["lights"], [{"type": "point", "range": 3}])
        self.assertEqual(back.json["nodes"], rich("2025-08").json["nodes"])

    def test_web_addresses_are_listed_for_2025_08(self):
        losses, _ = self.losses(rich().save(self.path("rich.g4tf")), "2025-08")
        self.assertEqual(losses, [("SINEW_REVISE_LOST", f"/{place}/uri") for place in
                                  ("models/0", "textures/0/images/0", "textures/1/images/0")])

    def test_normals_become_unit_vectors(self):
        built = Builder(3)
        surface = {"simplexes": built.accessor("uint8", [(0, 1, 2)]), "normals": built.accessor("float32", [(0, 0, 2), (0, 3, 4), (0, 0, 0)])}
        built.node(name="Root", mesh=built.mesh(built.accessor("float32", np.eye(3)), [surface]))
        losses, new = self.losses(built.save(self.path("long.g4tf")), "2026-07")
        self.assertEqual(losses, [("SINEW_REVISE_CHANGED", "/meshes/0/surfaces/0/normals")])
        values = new.accessor(new.json["meshes"][0]["surfaces"][0]["normals"]["values"])
        np.testing.assert_allclose(values, [(0, 0, 1), (0, 0.6, 0.8), (0, 0, 0)], atol=1e-7)

    def test_bones(self):
        built = Builder(3, "2025-08")
        built.node(name="Root")
        skeleton = built.node(0, name="Rig", skeleton={})
        first = built.node(skeleton, name="First", bone={"length": 2})
        built.node(skeleton, name="Off", boneLength=-1)
        gap = built.node(first, name="Gap")
        built.node(gap, name="Second", bone={"length": 0})
        built.node(0, name="Stray", bone={"length": 1})
        losses, new = self.losses(built.save(self.path("bones.g4tf")), "2026-01", "new.g4tf")
        self.assertEqual([node.get("bone") for node in new.json["nodes"]], [None, None, {"length": 2}, None, {}, {"length": 0}, None])
        self.assertFalse([node for node in new.json["nodes"] if "boneLength" in node])
        self.assertEqual(losses, [("SINEW_REVISE_CHANGED", "/nodes/4"), ("SINEW_REVISE_LOST", "/nodes/6")])
        built = Builder(3)
        built.node(name="Root")
        built.node(built.node(0, name="Rig", skeleton={}), name="Bone", bone={"mass": 2, "extras": {"a": 1}})
        losses, old = self.losses(built.save(self.path("bones.g4tf")), "2025-08")
        self.assertEqual(old.json["nodes"][2]["boneLength"], 0)
        self.assertEqual(losses, [("SINEW_REVISE_CHANGED", "/nodes/2/bone"), ("SINEW_REVISE_LOST", "/nodes/2/bone/extras"),
                                  ("SINEW_REVISE_LOST", "/nodes/2/bone/mass")])

    def test_instances_with_overrides_become_meshes(self):
        built = rich()
        for materials, amounts in [([1], None), ([-1, 0, 1], [2.0]), ([1], None)]:
            instance = {"mesh": 0, "materials": materials, **({"blendAmounts": amounts} if amounts else {})}
            built.node(0, meshInstance=instance)
        source = built.save(self.path("rich.g4tf"))
        want = self.deform(source)
        _, old = self.convert(source, "old.g4tf", "2025-08")
        self.assertEqual([node["mesh"] for node in old.json["nodes"] if "mesh" in node], [0, 2, 1, 2])
        materials = [[surface.get("material") for surface in mesh["surfaces"]] for mesh in old.json["meshes"]]
        self.assertEqual(materials, [[0, 1, None], [0, 0, 1], [1, 1, 1]])
        self.assertEqual([mesh["blend"]["amounts"] for mesh in old.json["meshes"]], [[0.5], [2.0], [0.5]])
        self.assertEqual([mesh["blend"]["shapes"][0]["name"] for mesh in old.json["meshes"]], ["Bend", "Bend_2", "Bend_3"])
        np.testing.assert_array_equal(self.deform(self.path("old.g4tf")), want)

    def test_names(self):
        built = Builder(3, "2025-08")
        built.node(name="a:b")
        built.node(0, name="a_b")
        built.node(0, name="Arm#1", extras={"kept": True})
        built.node(0, name="ä", boneLength=-1)
        source = built.save(self.path("names.g4tf"))
        _, new = self.convert(source, "new.g4tf", "2026-01")
        self.assertEqual([node["name"] for node in new.json["nodes"]], ["a_b_2", "a_b", "Arm#1", "ä"])
        self.assertEqual(new.json["nodes"][0]["extras"], {"originalName": "a:b"})
        ran, newest = self.convert(source, "newest.g4tf", "2026-07")
        self.assertEqual(newest.json["nodes"][2], {"name": "Arm_1", "extras": {"kept": True, "originalName": "Arm#1"}})
        self.assertEqual(ran.err.count("SINEW_REVISE_NAME"), 2)
        self.assertIn("no losses", ran.err)

    def test_topology_that_a_revision_cannot_say(self):
        built = Builder(4, "2025-08")
        vertices, edges = built.accessor("float32", np.eye(4)), built.accessor("uint8", [(0, 1)])
        built.node(name="Root", mesh=built.mesh(vertices, [{"edges": edges, "topology": {}}]))
        losses, new = self.losses(built.save(self.path("empty.g4tf")), "2026-01")
        self.assertEqual(losses, [("SINEW_REVISE_LOST", "/meshes/0/surfaces/0/topology")])
        self.assertEqual(new.json["meshes"][0]["surfaces"], [{"edges": edges}])
        built = Builder(3, "2026-07")
        vertices, edges = built.accessor("float32", np.eye(3)), built.accessor("uint8", [(0, 1)])
        built.node(name="Root", mesh=built.mesh(vertices, [{"edges": edges, "seams": built.accessor("uint8", [0])}]))
        losses, new = self.losses(built.save(self.path("seams.g4tf")), "2026-01")
        self.assertEqual(losses, [("SINEW_REVISE_LOST", "/meshes/0/surfaces/0/seams")])
        self.assertEqual(new.json["meshes"][0]["surfaces"], [{"edges": edges}])

    def test_bindings_that_a_revision_cannot_say(self):
        built = Builder(3, "2026-07")
        vertices = built.accessor("float32", np.eye(3))
        zero = built.accessor("uint8", [0])
        surface = {"simplexes": built.accessor("uint8", [(0, 1, 2), (2, 1, 0)]), "edges": built.accessor("uint8", [(0, 1)]),
                   "normals": {"values": built.accessor("float32", [(0, 0, 1), (0, 0, -1)]), "perSimplex": built.accessor("uint8", [0, 1])},
                   "textureMap": {"values": built.accessor("float32", [(0, 1)]), "name": "Map",
                                  "geometry": [{"accessor": zero, "geometryDimension": 1, "decomposeDimension": 1}]}}
        built.json["files"] = [{"uri": "https://example.org/readme.txt", "mimeType": "text/plain"}]
        built.json["asset"]["thumbnail"] = 0
        built.node(name="Root", mesh=built.mesh(vertices, [surface]))
        losses, new = self.losses(built.save(self.path("bound.g4tf")), "2026-01")
        place = "/meshes/0/surfaces/0"
        self.assertEqual(losses, [("SINEW_REVISE_CHANGED", place + "/normals/perSimplex"), ("SINEW_REVISE_LOST", "/asset/thumbnail"),
                                  ("SINEW_REVISE_LOST", "/files/0"), ("SINEW_REVISE_LOST", place + "/textureMap/geometry/0"),
                                  ("SINEW_REVISE_LOST", place + "/textureMap/name")])
        kept = new.json["meshes"][0]["surfaces"][0]
        np.testing.assert_array_equal(new.accessor(kept["normals"])[:, 2], [1, 1, 1, -1, -1, -1])
        self.assertNotIn("textureMap", kept)

    def test_polytopes_face_one_way(self):
        for normals in (False, True):
            with self.subTest(normals=normals):
                built = Builder(3, "2025-08")
                vertices = built.accessor("float32", [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)])
                surface = {"simplexes": built.accessor("uint8", [(0, 1, 2), (0, 3, 2)]), "polytopeSimplexes": True}
                if normals:
                    surface["normals"] = built.accessor("float32", [(0, 0, 1)] * 6)
                built.node(name="Root", mesh=built.mesh(vertices, [surface]))
                losses, new = self.losses(built.save(self.path("quad.g4tf")), "2026-01")
                kept = new.json["meshes"][0]["surfaces"][0]
                if normals:
                    self.assertEqual(losses, [("SINEW_REVISE_LOST", "/meshes/0/surfaces/0/polytopeCells")])
                    self.assertNotIn("polytopeSimplexes", kept)
                else:
                    self.assertEqual(losses, [("SINEW_REVISE_CHANGED", "/meshes/0/surfaces/0/polytopeCells")])
                    self.assertEqual(new.accessor(kept["simplexes"]).tolist(), [[0, 1, 2], [0, 2, 3]])

    def skinned(self, joints_of, order):
        """A bone chain whose nodes stand in `order`, child first where that says so, and one skin per skeleton node."""
        built = Builder(3, "2025-08")
        built.node(name="Root")
        vertices = built.accessor("float32", np.eye(3))
        skin = built.skin([[(0, 0.75), (1, 0.25)], [(1, 1.0)], [(2, 1.0)]], groupNames=["A", "B", "C"])
        mesh = built.mesh(vertices, [{}], skin=skin, name="Skinned")
        for number, joints in enumerate(joints_of):
            start = len(built.json["nodes"])
            built.node(0, name=f"Rig{number}", skeleton={"joints": [start + 1 + joint if joint >= 0 else -1 for joint in joints]})
            for bone in range(3):
                built.node(name=f"Bone{number}{bone}", bone={"length": 1}, position=[0.0, float(bone + 1), 0.0])
            body = built.node(name=f"Body{number}", mesh=mesh)
            nodes = built.json["nodes"]
            nodes[start]["children"] = [body, start + 1 + order[0]]
            nodes[start + 1 + order[0]]["children"] = [start + 1 + order[1]]
            nodes[start + 1 + order[1]]["children"] = [start + 1 + order[2]]
        pose = {"nodes": {f"Bone{n}{b}": {"position": [0.1 * b, 0.3 * n, 1.0 + b * b]} for n in range(len(joints_of)) for b in range(3)}}
        return built.save(self.path("skinned.g4tf")), ["--pose", self.write("pose.json", pose)]

    def test_joints_are_sorted_and_groups_follow(self):
        source, pose = self.skinned([[2, -1, 0]], [0, 1, 2])
        want = self.deform(source, *pose)
        losses, new = self.losses(source, "2026-01", "new.g4tf")
        self.assertEqual(new.json["nodes"][1]["skeleton"]["joints"], [2, 4, -1])
        self.assertEqual(new.json["nodes"][1]["children"], [2, 5])  # the root bone first
        skin = new.json["meshes"][0]["skin"]
        self.assertEqual(skin["groupNames"], ["C", "A", "B"])
        self.assertEqual(new.numbers(skin["groups"]).tolist(), [1, 2, 2, 0])
        np.testing.assert_allclose(self.deform(self.path("new.g4tf"), *pose), want, atol=1e-6)
        self.assertEqual(self.succeeds("info", "-v", self.path("new.g4tf")).err, "")

    def test_nodes_are_renumbered_where_a_bone_stands_before_its_parent(self):
        source, pose = self.skinned([[0, 1, 2]], [2, 1, 0])
        want = self.deform(source, *pose)
        with open(source, encoding="utf-8") as file:
            content = json.load(file)
        content["extensions"] = {"TEST_unknown": {"node": 3}}
        content["asset"]["extensionsUsed"] = ["TEST_unknown"]
        source = self.write("skinned.g4tf", content)
        losses, new = self.losses(source, "2026-07", "new.g4tf")
        self.assertEqual([node["name"] for node in new.json["nodes"]], ["Root", "Rig0", "Bone02", "Bone01", "Bone00", "Body0"])
        self.assertEqual(new.json["nodes"][1]["skeleton"]["joints"], [2, 3, 4])
        self.assertEqual(new.json["nodes"][2]["children"], [3])
        self.assertEqual(new.json["extensions"], {"TEST_unknown": {"node": 3}})
        self.assertIn(("SINEW_REVISE_STALE", "/extensions/TEST_unknown"), losses)
        np.testing.assert_allclose(self.deform(self.path("new.g4tf"), *pose), want, atol=1e-6)

    def test_a_mesh_under_skeletons_that_disagree_becomes_two(self):
        source, pose = self.skinned([[0, 1, 2], [2, 1, 0]], [0, 1, 2])
        want = self.deform(source, *pose)
        _, new = self.convert(source, "new.g4tf", "2026-01")
        self.assertEqual([node["meshInstance"]["mesh"] for node in new.json["nodes"] if "meshInstance" in node], [0, 1])
        self.assertEqual([mesh["skin"]["groupNames"] for mesh in new.json["meshes"]], [["A", "B", "C"], ["C", "B", "A"]])
        self.assertEqual([mesh["name"] for mesh in new.json["meshes"]], ["Skinned", "Skinned_2"])
        np.testing.assert_allclose(self.deform(self.path("new.g4tf"), *pose), want, atol=1e-6)

    def test_group_names(self):
        source, _ = self.skinned([[0, 1, 2]], [0, 1, 2])
        ran, kept = self.convert(source, "kept.g4tf", None, "--group-names", "drop")
        self.assertEqual(kept.json["meshes"][0]["skin"]["groupNames"], ["A", "B", "C"])
        self.assertIn("/meshes/0/skin/groupNames: the group names are unchanged", ran.err)
        self.assertIn("1 loss", ran.err)
        content = json.loads(self.read(source))
        del content["meshes"][0]["skin"]["groupNames"]
        _, written = self.convert(self.write("bare.g4tf", content), "written.g4tf", None, "--group-names", "write")
        self.assertEqual(written.json["meshes"][0]["skin"]["groupNames"], ["Bone00", "Bone01", "Bone02"])
        ran, dropped = self.convert(self.path("written.g4tf"), "dropped.g4tf", None, "--group-names", "drop")
        self.assertNotIn("groupNames", dropped.json["meshes"][0]["skin"])
        self.assertIn("no losses", ran.err)

    def read(self, path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    def test_mixed_names_are_brought_to_one_revision(self):
        document = {"asset": {"dimension": 3}, "nodes": [{"mesh": 0}, {"bone": {}}],
                    "meshes": [{"vertices": 0, "surfaces": [{"cells": 1}]}],
                    "accessors": [{"bufferView": 0, "primitiveType": "float32", "vectorSize": 3},
                                  {"bufferView": 1, "componentType": "uint8", "vectorSize": 3}],
                    "bufferViews": [{"byteLength": 36}, {"byteLength": 3, "byteOffset": 36}],
                    "buffers": [{"byteLength": 39, "uri": "data.bin"}]}
        self.write("data.bin", np.eye(3, dtype="<f4").tobytes() + bytes([0, 1, 2]))
        _, new = self.convert(self.write("mixed.g4tf", document), "new.g4tf", "2026-07")
        self.assertEqual(new.json["nodes"][0], {"meshInstance": {"mesh": 0}})
        self.assertEqual(new.json["meshes"][0]["surfaces"], [{"simplexes": 1}])
        self.assertEqual({accessor.get("componentType") for accessor in new.json["accessors"]}, {"float32", "uint8"})
        _, old = self.convert(self.path("mixed.g4tf"), "old.g4tf", "2025-08")
        self.assertEqual(old.json["nodes"], [{"mesh": 0}, {"boneLength": 0}])
        # The newest of the mixed revisions is the file's own: it stays mixed unless that one is asked for.
        _, same = self.convert(self.path("mixed.g4tf"), "same.g4tf")
        self.assertEqual(same.json["nodes"], document["nodes"])
        _, own = self.convert(self.path("mixed.g4tf"), "own.g4tf", "2026-01")
        self.assertEqual(own.json["nodes"], [{"meshInstance": {"mesh": 0}}, {"bone": {}}])
        self.assertEqual({accessor.get("componentType") for accessor in own.json["accessors"]}, {"float32", "uint8"})
        files = self.write("files.g4tf", {**document, "files": []})
        _, newest = self.convert(files, "newest.g4tf", "2026-07")
        self.assertEqual(newest.json["nodes"], [{"meshInstance": {"mesh": 0}}, {"bone": {}}])

    def test_control_characters_are_escaped_for_2026_07(self):
        document = '{"asset": {"dimension": 3, "extras": {"text": "a\x85b"}}, "nodes": [{"meshInstance": {"mesh": 0}}]}'
        self.convert(self.write("control.g4tf", document), "new.g4tf", "2026-07")
        self.assertIn('"a\\u0085b"', self.read(self.path("new.g4tf")))

    def test_chunks_follow_the_buffers_up_to_2026_01(self):
        document = {"asset": {"dimension": 3}, "buffers": [{"byteLength": 2, "chunk": 3}, {"byteLength": 3, "chunk": 0}, {"byteLength": 2, "chunk": 3}]}
        source = self.write("odd.g4b", g4b_bytes([chunk(b"BLOB", b"abc"), chunk(b"JSON", json.dumps(document).encode()), chunk(b"PICT", b"image"),
                                                  chunk(b"BLOB", b"de")]))
        _, new = self.convert(source, "new.g4b", "2026-01")
        self.assertEqual(new.json["buffers"], [{"byteLength": 2}, {"byteLength": 3}, {"byteLength": 2}])
        self.assertEqual([(kind, data) for kind, _, data in new.chunks[1:]],
                         [(b"BLOB", b"de"), (b"BLOB", b"abc"), (b"BLOB", b"de"), (b"PICT", b"image")])
        _, back = self.convert(self.path("new.g4b"), "back.g4b", "2026-07")
        self.assertEqual([buffer["chunk"] for buffer in back.json["buffers"]], [1, 2, 3])

    def test_the_same_revision_changes_nothing(self):
        source = rich().save(self.path("rich.g4tf"))
        self.convert(source, "same.g4tf", "2026-01")
        self.assertEqual(self.read(self.path("same.g4tf")), self.read(source))

    def test_what_cannot_be_read_is_refused(self):
        built = rich()
        built.json["meshes"][0]["surfaces"][0]["normals"] = 0
        source = built.save(self.path("bad.g4tf"))
        self.fails(INPUT, "convert", source, self.path("new.g4tf"), "--revision", "2026-07", says="/meshes/0/surfaces/0/normals")
        self.assertFalse(os.path.exists(self.path("new.g4tf")))
        self.fails(USAGE, "convert", source, self.path("new.g4tf"), "--revision", "2024-01", says="2024-01")

    def test_what_was_written_is_said_in_one_line(self):
        source = rich().save(self.path("rich.g4tf"))
        ran, _ = self.convert(source, "new.g4b", "2026-07")
        size = os.path.getsize(self.path("new.g4b"))
        self.assertEqual(ran.err, f"{self.path('new.g4b')}: G4MF 2026-07, {size} bytes, no losses\n")
        self.assertEqual(self.succeeds("convert", source, self.path("new.g4b"), "-q").err, "")


if __name__ == "__main__":
    main()
