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
from gltf_builder import morphed_quad
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


def write_glb_parts(path, document, rest):
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 4)
    with open(path, "wb") as file:
        file.write(struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A) + text + rest)


if __name__ == "__main__":
    main()
