# SPDX-License-Identifier: MIT
"""The table "From glTF to G4MF" of docs/formats.md, row by row: converts one file with everything to G4MF and back, and checks each row in
the JSON texts. Fails if a row has no check or a check has no row."""
import json
import re
import struct
import zlib
from pathlib import Path

import numpy as np

from program import ROOT, ProgramTest, main

from gltf_builder import tutorial_skin


def png():
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(b"\0\xff\0\0")), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks)


def everything():
    """The skin of the tutorial with some of everything that glTF has."""
    b = tutorial_skin()
    gltf = b.json
    f = lambda rows: b.accessor(np.array(rows, "<f4"))
    body = gltf["meshes"][0]["primitives"][0]["attributes"]
    body["NORMAL"] = f([[0, 0, 1]] * 10)
    body["TANGENT"] = f([[1, 0, 0, 1]] * 10)
    weights = np.tile(np.array([[0.75, 0, 0.25, 0]], "<f4"), (10, 1))  # joint 0 three times, once without weight
    body["JOINTS_0"], body["WEIGHTS_0"] = b.accessor(np.tile(np.array([[0, 1, 0, 0]], "<u2"), (10, 1)), target=34962), f(weights)
    quad = b.accessor(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], "<f4"), bounds=True, target=34962)
    uneven = {**body, "WEIGHTS_0": f(weights * 0.5)}
    texture = {"index": 0, "texCoord": 1, "extensions": {"KHR_texture_transform": {"offset": [0.5, 0]}}}
    gltf["images"] = [{"name": "red", "bufferView": b.view(png()), "mimeType": "image/png"}]
    gltf["samplers"] = [{"magFilter": 9728, "wrapS": 33071}]
    gltf["textures"] = [{"source": 0, "sampler": 0, "name": "paint"}]
    gltf["materials"] = [{"name": "cloth", "alphaMode": "MASK", "alphaCutoff": 0.25, "doubleSided": True, "emissiveFactor": [0.5, 0.25, 1],
                          "normalTexture": {**texture, "scale": 0.5}, "occlusionTexture": {**texture, "strength": 0.5},
                          "pbrMetallicRoughness": {"baseColorFactor": [1, 0.5, 0.25, 1], "baseColorTexture": texture, "metallicRoughnessTexture": texture,
                                                   "metallicFactor": 0.25, "roughnessFactor": 0.75}}]
    flat = {"POSITION": quad, "TEXCOORD_0": f([[9, 9]] * 4), "TEXCOORD_1": f([[0, 0], [1, 0], [0, 1], [1, 1]]),
            "COLOR_0": f([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]]), "_AGE": f([[1]] * 4)}
    target = {"POSITION": f([[0, 0, 1]] * 4)}
    gltf["meshes"] += [
        {"name": "Strips", "weights": [0.5], "extras": {"targetNames": ["Puff"]},
         "primitives": [{"attributes": flat, "material": 0, "mode": 5, "targets": [target]}]},
        {"name": "Dots", "primitives": [{"attributes": {"POSITION": quad}, "mode": 0}, {"attributes": {"POSITION": quad}, "mode": 5}]},
        {"name": "Mixed", "primitives": [gltf["meshes"][0]["primitives"][0], {"attributes": {"POSITION": quad}, "mode": 5}]},
        {"name": "Uneven", "primitives": [{"attributes": uneven, "indices": gltf["meshes"][0]["primitives"][0]["indices"]}]},
    ]
    gltf["cameras"] = [{"type": "perspective", "name": "Front", "perspective": {"yfov": 0.5, "znear": 0.25}}]
    gltf["extensions"] = {"KHR_lights_punctual": {"lights": [{"type": "point", "intensity": 5}]}}
    gltf["extensionsUsed"] = ["KHR_lights_punctual", "KHR_texture_transform", "FOREIGN_note"]
    gltf["nodes"][2]["children"] = [6]
    gltf["nodes"] += [
        {"name": "Flags", "mesh": 1, "camera": 0, "matrix": [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2, 0, 0, 1]},
        {"name": "a/b:c", "mesh": 2, "extras": {"note": 1}, "extensions": {"KHR_lights_punctual": {"light": 0}}},
        {"name": "Mixed", "mesh": 3, "skin": 0},
        {"name": "Tip", "translation": [0, 0.5, 0], "mesh": 1},
        {"name": "Uneven", "mesh": 4, "skin": 0},
        {"name": "Elsewhere"},
    ]
    gltf["skins"][0]["joints"] = [2, 1, 6]
    bind = np.tile(np.eye(4, dtype="<f4"), (3, 1, 1))
    bind[0, 3, 1], bind[2, 3, 1] = -1, -1.5
    gltf["skins"][0]["inverseBindMatrices"] = b.accessor(bind.reshape(3, 16))
    gltf["skins"].append({"name": "Spare", "joints": [1, 6], "inverseBindMatrices": b.accessor(bind[[1, 2]].reshape(2, 16))})
    gltf["nodes"][0]["children"] = [9]
    gltf["nodes"].append({"name": "Beside"})
    gltf["scenes"] = [{"nodes": [0, 1, 3, 4, 5, 7]}, {"nodes": [8], "name": "Other"}]
    gltf["asset"]["copyright"] = "somebody"
    return b


class FormatTable(ProgramTest):
    @classmethod
    def setUpClass(cls):
        page = (Path(ROOT) / "docs" / "formats.md").read_text(encoding="utf-8")
        table = page[page.index("| glTF | in G4MF | back in glTF |"):]
        cls.rows = [cells[0] for cells in re.findall(r"^\| (.*?) \| (.*?) \| (.*?) \|$", table[:table.index("\n\n")], re.M)[1:]]

    def setUp(self):
        super().setUp()
        builder = everything()
        before, middle, after = self.path("all.gltf"), self.path("all.g4tf"), self.path("back.gltf")
        builder.save(before)
        self.losses = self.succeeds("convert", before, middle).err
        self.succeeds("validate", middle, "-q")
        self.succeeds("convert", middle, after)
        self.succeeds("validate", after, "-q")
        self.before, self.middle, self.after = ({**json.loads(Path(path).read_text(encoding="utf-8"))} for path in (before, middle, after))
        self.gltf, self.g4mf = (self.named(model["nodes"]) for model in (self.after, self.middle))

    @staticmethod
    def named(nodes):
        """Of two nodes with one name, returns the one with the mesh. Other content of a skinned mesh's node moves to another node."""
        return {node.get("name"): node for node in sorted(nodes, key=lambda node: "mesh" in node)}

    def mesh(self, name):
        """In G4MF and in glTF."""
        return (self.middle["meshes"][self.g4mf[name]["meshInstance"]["mesh"]], self.after["meshes"][self.gltf[name]["mesh"]])

    def child_of(self, name):
        return [self.middle["nodes"][child] for child in self.g4mf[name].get("children", [])]

    def lost(self, pointer, text=""):
        self.assertRegex(self.losses, rf"(?m)^warning: {re.escape(pointer)}: .*{text}")

    def check_default_scene(self):
        self.assertEqual(self.middle["nodes"][0]["extras"]["glTF"], {"added": True, "skeletons": "plain"})
        self.assertEqual(len(self.after["scenes"]), 1)
        self.assertNotIn(None, self.gltf)  # the root has no name

    def check_other_scenes(self):
        self.lost("/scenes/1")
        self.assertNotIn("Elsewhere", self.gltf)

    def check_skins(self):
        skeletons = [node for node in self.middle["nodes"] if "skeleton" in node]
        self.assertEqual(len(skeletons), 1)
        self.assertEqual([skin["name"] for skin in skeletons[0]["extras"]["glTF"]["skins"]], ["Rig", "Spare"])
        joints = [self.after["nodes"][joint]["name"] for joint in self.after["skins"][self.gltf["Body"]["skin"]]["joints"]]
        self.assertEqual(joints, ["Upper", "Lower", "Tip"])

    def check_skins_without_a_mesh(self):
        self.assertEqual(sorted(skin["name"] for skin in self.after["skins"]), ["Rig", "Spare"])

    def check_joints(self):
        for name in ("Lower", "Upper", "Tip"):
            self.assertIn("bone", self.g4mf[name])
        joints = self.after["skins"][self.gltf["Body"]["skin"]]["joints"]
        above = {child: node.get("name") for node in self.after["nodes"] for child in node.get("children", [])}
        self.assertEqual([above[joint] for joint in joints[::2]], ["Lower", "Upper"])

    def check_bone_lengths(self):
        self.assertEqual(self.g4mf["Lower"]["bone"]["length"], 1)
        self.assertEqual(self.g4mf["Upper"]["bone"]["length"], 0.5)
        out = self.path("bones.gltf")
        self.succeeds("convert", self.path("all.g4tf"), out, "--skeletons", "bone", "-q")
        self.assertIn("KHR_skeleton_bone", Path(out).read_text(encoding="utf-8"))

    def check_skinned_meshes(self):
        [skeleton] = [node for node in self.middle["nodes"] if "skeleton" in node]
        self.assertIn(self.middle["nodes"].index(self.g4mf["Body"]), skeleton["children"])
        self.assertIn("Beside", self.g4mf)

    def check_meshes_on_bones(self):
        [child] = [node for node in self.child_of("Tip") if "meshInstance" in node]
        self.assertNotIn("meshInstance", self.g4mf["Tip"])

    def check_influences(self):
        skin = self.mesh("Body")[0]["skin"]
        self.assertNotIn("JOINTS_1", self.mesh("Body")[1]["primitives"][0]["attributes"])
        self.assertIsInstance(skin, dict)

    def check_weights_whose_sum_is_not_1(self):
        self.lost("/meshes/4", "do not sum to 1")

    def check_primitives(self):
        g4mf, gltf = self.mesh("Mixed")
        self.assertEqual(len(self.middle["meshes"][self.g4mf["Body"]["meshInstance"]["mesh"]]["surfaces"]), 1)
        self.assertTrue(g4mf["surfaces"] and gltf["primitives"])

    def check_strips_and_fans(self):
        g4mf, gltf = self.mesh("Flags")
        self.assertIn("simplexes", g4mf["surfaces"][0])
        self.assertEqual(gltf["primitives"][0].get("mode", 4), 4)

    def check_points(self):
        modes = [primitive.get("mode", 4) for mesh in self.after["meshes"] for primitive in mesh["primitives"]]
        self.assertIn(0, modes)
        names = [mesh.get("name", "") for mesh in self.middle["meshes"] if mesh.get("name", "").startswith("Dots")]
        self.assertEqual(len(names), 2)

    def check_primitives_with_influences_beside_others_without(self):
        self.assertEqual(len([mesh for mesh in self.middle["meshes"] if mesh.get("name", "").startswith("Mixed")]), 2)

    def check_normals(self):
        g4mf, gltf = self.mesh("Body")
        self.assertIn("normals", g4mf["surfaces"][0])
        self.assertIn("NORMAL", gltf["primitives"][0]["attributes"])

    def check_texture_coordinates_of_the_material(self):
        g4mf, gltf = self.mesh("Flags")
        self.assertIn("textureMap", g4mf["surfaces"][0])
        accessor = self.after["accessors"][gltf["primitives"][0]["attributes"]["TEXCOORD_0"]]
        self.assertEqual(accessor["count"], 4)
        self.assertNotIn("KHR_texture_transform", self.after.get("extensionsUsed", []))

    def check_vertex_colours(self):
        self.assertIn("perVertex", self.middle["materials"][0]["baseColor"])
        self.assertIn("COLOR_0", self.mesh("Flags")[1]["primitives"][0]["attributes"])

    def check_tangents_further_coordinates_and_colours_custom_attributes(self):
        for what in ("tangents", "additional texture coordinates", "the attribute _AGE"):
            self.assertIn(f"G4MF cannot store {what}", self.losses)

    def check_morph_targets(self):
        g4mf, gltf = self.mesh("Flags")
        self.assertEqual(g4mf["blend"]["shapes"][0]["name"] if "blend" in g4mf else g4mf["blendShapes"][0]["name"], "Puff")
        self.assertEqual((gltf["extras"]["targetNames"], gltf["weights"]), (["Puff"], [0.5]))

    def check_matrices_mirroring_scales_rotations_of_other_than_unit_length(self):
        self.assertIn("basis", self.g4mf["Flags"])
        node = self.gltf["Flags"]
        self.assertTrue("matrix" in node or min(node["scale"]) < 0)

    def check_names(self):
        self.assertNotIn("a/b:c", self.g4mf)
        self.assertIn("a/b:c", self.gltf)

    def check_base_colour_emission(self):
        material = self.middle["materials"][0]
        self.assertEqual((material["baseColor"]["factor"], material["emissive"]["factor"]), ([1, 0.5, 0.25, 1], [0.5, 0.25, 1]))
        back = self.after["materials"][0]
        self.assertEqual((back["pbrMetallicRoughness"]["baseColorFactor"], back["emissiveFactor"]), ([1, 0.5, 0.25, 1], [0.5, 0.25, 1]))

    def check_normal_texture(self):
        self.assertEqual(self.middle["materials"][0]["normal"]["factor"][0], 0.5)
        self.assertEqual(self.after["materials"][0]["normalTexture"]["scale"], 0.5)

    def check_roughness_and_metallic_occlusion(self):
        self.assertEqual(self.middle["materials"][0]["orm"]["factor"], [0.5, 0.75, 0.25])
        back = self.after["materials"][0]
        self.assertEqual((back["occlusionTexture"]["strength"], back["pbrMetallicRoughness"]["roughnessFactor"]), (0.5, 0.75))

    def check_textures(self):
        [texture] = self.middle["textures"]
        self.assertEqual((texture["size"], texture["sampler"]["magFilter"]), ([1, 1], "nearest"))
        self.assertEqual((self.after["textures"][0]["name"], self.after["samplers"][0]["wrapS"]), ("paint", 33071))

    def check_alpha_mode_and_cutoff_double_sides(self):
        self.assertEqual(self.middle["materials"][0]["extras"]["glTF"], {"alphaMode": "MASK", "alphaCutoff": 0.25, "doubleSided": True})
        back = self.after["materials"][0]
        self.assertEqual((back["alphaMode"], back["alphaCutoff"], back["doubleSided"]), ("MASK", 0.25, True))

    def check_cameras(self):
        [camera] = [node["camera"] for node in self.child_of("Flags") if "camera" in node]  # the node has a mesh already
        self.assertEqual((camera["fov"], camera["clipNear"]), (0.5, 0.25))
        self.assertEqual(self.after["cameras"][self.gltf["Flags"]["camera"]], self.before["cameras"][0])

    def check_lights(self):
        [light] = [node["light"] for node in self.middle["nodes"] if "light" in node]
        self.assertEqual((light["type"], light["intensity"]), ("point", 5))
        self.assertEqual(self.after["extensions"]["KHR_lights_punctual"], self.before["extensions"]["KHR_lights_punctual"])

    def check_animations(self):
        self.assertEqual(self.middle["extensions"]["SINEW_animation"]["clips"][0]["name"], "Bend")
        [clip] = self.after["animations"]
        self.assertEqual((clip["name"], [channel["target"]["path"] for channel in clip["channels"]]), ("Bend", ["rotation"]))

    def check_copyright_extras_other_extensions(self):
        self.lost("/asset/copyright")
        self.assertIn("/nodes/4/extras: extras are not converted", self.losses)

    def test_every_row(self):
        named = {row: "check_" + re.sub(r"\W+", "_", row.lower()).strip("_") for row in self.rows}
        checks = {name for name in dir(self) if name.startswith("check_")}
        self.assertEqual(set(named.values()) ^ checks, set())
        for row, name in named.items():
            with self.subTest(row=row):
                getattr(self, name)()


if __name__ == "__main__":
    main()
