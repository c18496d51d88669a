# SPDX-License-Identifier: MIT
"""Customs of VRM 0.x: names of blend shapes in primitives, and models that look along -Z."""
import json
import os
import unittest

import numpy as np

from program import DONE, ROOT, UNSUPPORTED, ProgramTest, main, sinew  # also makes tests/oracle importable
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


if __name__ == "__main__":
    main()
