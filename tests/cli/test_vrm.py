# SPDX-License-Identifier: MIT
"""Customs of VRM 0.x: names of blend shapes in primitives, and models that look along -Z."""
import collections
import glob
import json
import os
import struct
import unittest

import numpy as np

from program import DONE, ROOT, SETTINGS, UNSUPPORTED, ProgramTest, main, sinew  # also makes tests/oracle importable
from gltf_builder import morphed_quad, tutorial_skin
from test_render import read_png

FIGURE = os.path.join(ROOT, "samples", "show", "figure.gltf")


class Vrm(ProgramTest):
    def quad(self, name, mesh_names=None, primitive_names=None):
        built = morphed_quad()
        mesh = built.json["meshes"][0]
        mesh.pop("extras", None)
        if mesh_names is not None:
            mesh["extras"] = {"targetNames": mesh_names}
        if primitive_names is not None:
            mesh["primitives"][0]["extras"] = {"targetNames": primitive_names}
        return built.save(self.path(name))

    def test_names_of_shapes_in_the_first_primitive(self):
        count = len(morphed_quad().json["meshes"][0]["primitives"][0]["targets"])
        names = [f"Shape{i}" for i in range(count)]
        vrm, plain = self.quad("vrm.glb", None, names), self.quad("plain.glb", names)
        for name in names:
            np.testing.assert_array_equal(self.deform(vrm, "--blend", name + "=1"), self.deform(plain, "--blend", name + "=1"))
        # those of the mesh come first, and a list of another length is none
        both = self.quad("both.glb", names, names[::-1] + ["More"])
        self.deform(both, "--blend", names[0] + "=1")
        other = self.quad("other.glb", None, names + ["More"])
        self.assertNotEqual(sinew("deform", other, "-o", self.path("out.npy"), "--blend", names[0] + "=1").status, DONE)

    def picture(self, model, *options):
        out = self.path("out.png")
        ran = sinew("render", model, "-o", out, "--size", "120x90", *options)
        if ran.status == UNSUPPORTED:
            self.skipTest(ran.err)
        self.assertEqual(ran.status, DONE, ran.err)
        return read_png(out)

    def test_the_camera_sees_the_face(self):
        with open(FIGURE, encoding="utf-8") as file:
            built = json.load(file)
        plain = self.write("plain.gltf", built)
        used = built.get("extensionsUsed", [])
        vrm = self.write("vrm.gltf", {**built, "extensionsUsed": used + ["VRM"], "extensions": {"VRM": {"specVersion": "0.0"}}})
        newer = self.write("newer.gltf", {**built, "extensionsUsed": used + ["VRMC_vrm"], "extensions": {"VRMC_vrm": {"specVersion": "1.0"}}})
        for camera, opposite in (("front", "back"), ("left", "right"), ("10,20", "190,20")):
            turned = self.picture(plain, "--camera", opposite)
            np.testing.assert_array_equal(self.picture(vrm, "--camera", camera), turned)
            self.assertTrue((self.picture(plain, "--camera", camera) != turned).any())
        np.testing.assert_array_equal(self.picture(vrm), self.picture(plain, "--camera", "208,16"))
        np.testing.assert_array_equal(self.picture(newer), self.picture(plain))


def parts_of(path):
    """The JSON and the rest of a .glb file."""
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20:20 + length]), data[20 + length:]


def without_vrm(value):
    """Removes the objects of VRM. Returns their size as text."""
    size = 0
    if isinstance(value, dict):
        extensions = value.get("extensions", {})
        for name in [name for name in extensions if name.startswith("VRM")]:
            size += len(json.dumps({name: extensions.pop(name)}, separators=(",", ":"), ensure_ascii=False).encode())
        value = value.values()
    for element in value if not isinstance(value, (str, int, float, bool, type(None))) else ():
        size += without_vrm(element)
    return size


def nodes_of_vrm(value, key=""):
    """The nodes to which VRM's objects refer."""
    if isinstance(value, dict):
        return set().union(*[nodes_of_vrm(member, name) for name, member in value.items()])
    if isinstance(value, list):
        return set().union(*[nodes_of_vrm(element, key) for element in value])
    return {value} if key in ("node", "bones", "center", "source", "firstPersonBone") and isinstance(value, int) and value >= 0 else set()


def binds(document):
    """For each expression, the blend shapes that it moves: (name of the mesh or node, name of the shape, amount)."""
    found = collections.defaultdict(set)
    extensions = document["extensions"]
    for group in extensions.get("VRM", {}).get("blendShapeMaster", {}).get("blendShapeGroups", []):
        for bind in group.get("binds", []):
            found[group["name"]].add((document["meshes"][bind["mesh"]].get("name"), shape(document, bind["mesh"], bind["index"]), bind["weight"]))
    expressions = extensions.get("VRMC_vrm", {}).get("expressions", {})
    for name, expression in [*expressions.get("preset", {}).items(), *expressions.get("custom", {}).items()]:
        for bind in expression.get("morphTargetBinds", []):
            node = document["nodes"][bind["node"]]
            found[name].add((node.get("name"), shape(document, node["mesh"], bind["index"]), bind["weight"]))
    return dict(found)


def shape(document, mesh, index):
    mesh = document["meshes"][mesh]
    names = mesh.get("extras", {}).get("targetNames") or mesh["primitives"][0].get("extras", {}).get("targetNames") or []
    return names[index] if index < len(names) else index


class Avatars(ProgramTest):
    """Edits of avatars: those of the shared folder, where it is present, and two small ones."""

    def avatars(self):
        cases = [os.path.join(ROOT, "tests", "cases", "merge-join-expressions", name) for name in ("body_vrm0.vrm", "body_vrm1.vrm")]
        return cases + sorted(glob.glob(os.path.join(SETTINGS.shared, "real", "*", "*.vrm"))) if SETTINGS.shared else cases

    def test_they_shrink_like_others(self):
        for path in self.avatars():
            document, rest = parts_of(path)
            kept = len(nodes_of_vrm(document["extensions"]))
            images = len(document.get("images", []))
            block = without_vrm(document)
            for key in ("extensionsUsed", "extensionsRequired"):
                document[key] = [name for name in document.get(key, []) if not name.startswith("VRM")]
            plain = self.path("plain.glb")
            write_glb_parts(plain, document, rest)
            sizes = []
            for source in (path, plain):
                out = self.path("small.glb")
                self.succeeds("optimize", source, "-o", out, "--max-error", "1e-4")
                sizes.append(os.path.getsize(out))
            # what VRM names stays: its nodes, of at most 200 bytes each, and its pictures
            fewer = parts_of(out)[0]
            if len(fewer.get("images", [])) != images:
                continue
            nodes = 200 * kept if len(fewer["nodes"]) < len(document["nodes"]) else 0
            self.assertLessEqual(sizes[0], 1.1 * (sizes[1] + block + nodes), path)

    def test_expressions_move_the_same_vertices(self):
        for path in self.avatars():
            before = binds(parts_of(path)[0])
            for edit in (("optimize", "--max-error", "1e-4", "--steps", "prune,weights,joints,keys,quantize"), ("repair", "--prune-unused")):
                out = self.path("out.glb")
                self.succeeds(edit[0], path, "-o", out, *edit[1:])
                self.assertEqual(binds(parts_of(out)[0]), before, path)
                size = np.ptp(self.deform(path), axis=0).max()
                for name in sorted({bound[1] for moved in before.values() for bound in moved if isinstance(bound[1], str)})[:6]:
                    np.testing.assert_allclose(self.deform(out, "--blend", name + "=1"), self.deform(path, "--blend", name + "=1"), atol=2e-4 * size, err_msg=path)


class Clothes(ProgramTest):
    """What belongs to clothes goes along: springs, colliders, expressions and materials."""

    def figure(self, name, chain, extensions, materials, used):
        """Hips and a head with a skinned quad, and a chain of bones below the hips."""
        built = tutorial_skin(clip=False)
        nodes = built.json["nodes"]
        joints = built.json["skins"][0]["joints"]
        below = joints[-1]
        for bone in chain:
            nodes.append({"name": bone, "translation": [0, -0.2, 0]})
            nodes[below].setdefault("children", []).append(len(nodes) - 1)
            below = len(nodes) - 1
        built.json["materials"] = materials
        built.json["meshes"][0]["primitives"][0]["material"] = len(materials) - 1
        built.json["extensionsUsed"] = used
        numbers = {node.get("name"): number for number, node in enumerate(nodes)}
        built.json["extensions"] = extensions(numbers)
        return built.save(self.path(name))

    def merged(self, body, coat):
        out = self.path("out.gltf")
        ran = sinew("merge", body, coat, "-o", out)
        self.assertEqual(ran.status, DONE, ran.err)
        with open(out, encoding="utf-8") as file:
            return json.load(file), ran

    def springs(self, shared, *own):
        """Springs of 1.0: one on the chain of both files, one on each of its own, and a collider that both have."""
        def of(numbers):
            ball = lambda bone, radius: {"node": numbers[bone], "shape": {"sphere": {"offset": [0, 0, 0], "radius": radius}}}
            spring = lambda name, *bones: {"name": name, "joints": [{"node": numbers[bone], "stiffness": 1} for bone in bones], "colliderGroups": [0]}
            return {"VRMC_springBone": {"specVersion": "1.0", "colliders": [ball(shared[0], 0.1), *[ball(bone, 0.2) for bone in own[:1]]],
                                        "colliderGroups": [{"name": "legs", "colliders": list(range(1 + len(own[:1])))}],
                                        "springs": [spring("tail", *shared)] + ([spring("skirt", *own)] if own else [])}}
        return of

    def test_springs(self):
        names = lambda document, spring: [document["nodes"][joint["node"]]["name"] for joint in spring["joints"]]
        body = self.figure("body.gltf", ["Tail1", "Tail2"], self.springs(["Tail1", "Tail2"]), [{"name": "Skin"}], ["VRMC_springBone"])
        coat = self.figure("coat.gltf", ["Tail1", "Tail2", "Skirt1", "Skirt2"], self.springs(["Tail1", "Tail2"], "Skirt1", "Skirt2"), [{"name": "Cloth"}],
                           ["VRMC_springBone"])
        document, ran = self.merged(body, coat)
        found = document["extensions"]["VRMC_springBone"]
        self.assertEqual([names(document, spring) for spring in found["springs"]], [["Tail1", "Tail2"], ["Skirt1", "Skirt2"]])
        self.assertEqual([document["nodes"][collider["node"]]["name"] for collider in found["colliders"]], ["Tail1", "Skirt1"])  # equal ones are one
        self.assertEqual(found["colliderGroups"][found["springs"][1]["colliderGroups"][0]]["colliders"], [0, 1])
        self.assertIn("belongs to what the body already has", ran.err)
        plain = self.figure("plain.gltf", ["Tail1", "Tail2"], lambda numbers: {}, [{"name": "Skin"}], [])
        document, _ = self.merged(plain, coat)
        self.assertEqual([names(document, spring) for spring in document["extensions"]["VRMC_springBone"]["springs"]], [["Skirt1", "Skirt2"]])

    def test_materials_and_names(self):
        """0.x names materials and lists one object for each."""
        def avatar(material, color):
            return lambda numbers: {"VRM": {"specVersion": "0.0", "materialProperties": [{"name": material, "shader": "VRM/MToon", "vectorProperties": {"_Color": color}}],
                                            "blendShapeMaster": {"blendShapeGroups": [{"name": "Blush", "materialValues": [{"materialName": material, "propertyName": "_Color"}]}]}}}
        body = self.figure("body.gltf", [], avatar("Skin", [1, 0, 0, 1]), [{"name": "Skin"}], ["VRM"])
        same = self.figure("same.gltf", [], avatar("Skin", [0, 1, 0, 1]), [{"name": "Skin"}], ["VRM"])
        plain = self.figure("plain.gltf", [], lambda numbers: {}, [{"name": "Skin"}], [])
        for coat, shader in ((same, "VRM/MToon"), (plain, "VRM_USE_GLTFSHADER")):
            document, _ = self.merged(body, coat)
            found = document["extensions"]["VRM"]
            names = [material["name"] for material in document["materials"]]
            self.assertEqual(len(set(names)), 2, names)
            self.assertEqual([entry["name"] for entry in found["materialProperties"]], names)
            self.assertEqual([entry["shader"] for entry in found["materialProperties"]], ["VRM/MToon", shader])
            values = found["blendShapeMaster"]["blendShapeGroups"]
            self.assertEqual([group["name"] for group in values], ["Blush"])
            self.assertEqual([value["materialName"] for value in values[0]["materialValues"]], names if coat == same else names[:1])

    def test_other_versions_stay_out(self):
        newer = self.figure("newer.gltf", ["Tail1", "Tail2", "Skirt1"], self.springs(["Tail1", "Tail2"], "Skirt1"), [{"name": "Cloth"}], ["VRMC_springBone"])
        older = self.figure("older.gltf", ["Tail1", "Tail2"], lambda numbers: {"VRM": {"specVersion": "0.0"}}, [{"name": "Skin"}], ["VRM"])
        document, ran = self.merged(older, newer)
        self.assertEqual(list(document["extensions"]), ["VRM"])
        self.assertEqual(document["extensionsUsed"], ["VRM"])
        self.assertIn("VRMC_springBone cannot join VRM of the body", ran.err)


def write_glb_parts(path, document, rest):
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 4)
    with open(path, "wb") as file:
        file.write(struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A) + text + rest)


if __name__ == "__main__":
    main()
