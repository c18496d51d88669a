# SPDX-License-Identifier: MIT
"""The oracle for moved properties and copies: numbers computed by hand, and what the generated files contain.

    python3 test_moving_oracle.py
"""
import argparse
import os
import sys
import tempfile
import unittest

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gltf_oracle
import moving_files
from moving_files import INSTANCING, POINTER, VISIBILITY, WideBuilder
from moving_oracle import MovingOracle, Unevaluable
from random_rigs import RandomRig

HALF = np.sqrt(0.5)


class Model:
    """One mesh with one vertex (1, 0, 0) and `targets` targets, target t moving it by 10^t in y; node 0 shows it unless told otherwise."""

    def __init__(self, nodes=({"mesh": 0},), targets=0, mesh=None, point=(1, 0, 0), kind="<f4", skin=None):
        self.b = b = WideBuilder()
        attributes = {
            "POSITION": b.accessor(np.array([point], kind), bounds=True, target=34962),
            "NORMAL": b.accessor(np.array([[HALF, HALF, 0]], "<f4"), target=34962),
        }
        if skin is not None:
            attributes["JOINTS_0"] = b.accessor(np.zeros((1, 4), "u1"), target=34962)
            attributes["WEIGHTS_0"] = b.accessor(np.array([[1, 0, 0, 0]], "<f4"), target=34962)
            b.add("skins", skin)
        primitive = {"attributes": attributes, "mode": 0}
        if targets:
            deltas = [np.array([[0, 10.0**t, 0]], "<f4") for t in range(targets)]
            primitive["targets"] = [{"POSITION": b.accessor(d, bounds=True, target=34962)} for d in deltas]
        b.add("meshes", {"primitives": [primitive], **(mesh or {})})
        for node in nodes:
            b.add("nodes", dict(node))
        below = {child for node in nodes for child in node.get("children", [])}
        b.json["scenes"] = [{"nodes": [index for index in range(len(nodes)) if index not in below]}]
        b.json["animations"] = [{"samplers": [], "channels": []}]

    def move(self, target, times, output, mode="LINEAR", normalized=False, clip=0, kind="<f4", store=None):
        """Adds a channel; `target` is a pointer, or a pair of node and path."""
        animation = self.b.json["animations"][clip]
        keys = self.b.accessor(np.array(times, kind), bounds=True)
        sampler = {"input": keys, "output": (store or self.b.accessor)(np.asarray(output), normalized=normalized), "interpolation": mode}
        animation["samplers"].append(sampler)
        if isinstance(target, str):
            target = {"path": "pointer", "extensions": {POINTER: {"pointer": target}}}
        else:
            target = {"node": target[0], "path": target[1]}
        animation["channels"].append({"sampler": len(animation["samplers"]) - 1, "target": target})
        return self

    def oracle(self):
        if not self.b.json.get("animations", [{"channels": [1]}])[0]["channels"]:
            del self.b.json["animations"]
        with tempfile.TemporaryDirectory() as folder:
            return MovingOracle(self.b.save(os.path.join(folder, "model.gltf")))


class Moving(unittest.TestCase):
    def check(self, model, time, *want, animation=0):
        np.testing.assert_allclose(model.oracle().positions(animation, time), want, atol=1e-7)

    def weights(self, model, node, time):
        oracle = model.oracle()
        return oracle.weights(node, oracle.settings(0, time))


class Interpolation(Moving):
    def test_rotation_goes_along_the_arc(self):
        model = Model().move("/nodes/0/rotation", [0, 1], np.array([[0, 0, 0, 1], [0, 0, HALF, HALF]], "<f4"))
        self.check(model, 0.5, (HALF, HALF, 0))
        model = Model().move("/nodes/0/rotation", [0, 1], np.array([[0, 0, 0, 1], [0, 0, HALF, HALF]], "<f4"))
        angle = np.radians(90 * 0.25)
        self.check(model, 0.25, (np.cos(angle), np.sin(angle), 0))

    def test_rotation_takes_the_shorter_arc(self):
        model = Model().move("/nodes/0/rotation", [0, 1], np.array([[0, 0, 0, 1], [0, 0, -HALF, -HALF]], "<f4"))
        self.check(model, 0.5, (HALF, HALF, 0))

    def test_plain_integers_are_numbers(self):
        model = Model().move("/nodes/0/translation", [0, 2], np.array([[0, 0, 0], [3, -4, 0]], "<i2"))
        self.check(model, 0.5, (1.75, -1, 0))
        model = Model().move("/nodes/0/translation", [0, 2], np.array([[0, 0, 0], [3, 70000, 0]], "<u4"))
        self.check(model, 2, (4, 70000, 0))

    def test_normalised_integers_are_parts_of_one(self):
        model = Model(targets=2, mesh={"weights": [0.5, 0.25]})
        model.move("/nodes/0/weights/1", [0, 1], np.array([0, 255], "u1"), normalized=True)
        np.testing.assert_allclose(self.weights(model, 0, 0.4), (0.5, 0.4), atol=1e-7)
        self.check(model, 0.4, (1, 0.5 + 10 * 0.4, 0))
        model = Model().move("/nodes/0/translation", [0], np.array([[-128, 127, 0]], "i1"), normalized=True)
        self.check(model, 0, (0, 1, 0))  # -128/127 is cut to -1

    def test_keys_clamp(self):
        model = Model().move("/nodes/0/translation", [1, 2], np.array([[5, 0, 0], [7, 0, 0]], "<f4"))
        self.check(model, 0, (6, 0, 0))
        self.check(model, 9, (8, 0, 0))

    def test_step_holds_until_the_next_key(self):
        model = Model().move("/nodes/0/translation", [0, 1], np.array([[5, 0, 0], [7, 0, 0]], "<f4"), "STEP")
        self.check(model, 0.999, (6, 0, 0))
        self.check(model, 1, (8, 0, 0))

    def test_cubic_translation(self):
        # Keys 0 and 2 s, values 0 and 4, out-tangent 1, in-tangent 3. At 1 s: 4/2 + 2·1/8 − 2·3/8 = 1.5.
        keys = [[[9, 0, 0], [0, 0, 0], [1, 0, 0]], [[3, 0, 0], [4, 0, 0], [9, 0, 0]]]
        model = Model().move("/nodes/0/translation", [0, 2], np.array(keys, "i1").reshape(-1, 3), "CUBICSPLINE")
        self.check(model, 1, (2.5, 0, 0))

    def test_cubic_weights_keep_the_parts_of_a_key_together(self):
        # Per key: in-tangents of both, values of both, out-tangents of both.
        numbers = np.array([8, 8, 1, 2, 0, 0, 0, 0, 3, 6, 8, 8], "<f4")
        model = Model(targets=2).move("/nodes/0/weights", [0, 1], numbers, "CUBICSPLINE")
        self.check(model, 0.5, (1, 2 + 10 * 4, 0))

    def test_cubic_rotation_has_length_one(self):
        still = [0, 0, 0, 0]
        keys = np.array([still, [0, 0, 0, 1], still, still, [0, 0, 1, 0], still], "<f4")
        self.check(Model().move("/nodes/0/rotation", [0, 1], keys, "CUBICSPLINE"), 0.5, (0, 1, 0))  # half of each, made unit

    def test_cubic_rotation_of_length_zero_is_used_as_it_is(self):
        still = [0, 0, 0, 0]
        keys = np.array([still, [0, 0, 1, 0], still, still, [0, 0, -1, 0], still], "i1")
        self.check(Model().move("/nodes/0/rotation", [0, 1], keys, "CUBICSPLINE"), 0.5, (1, 0, 0))

    def test_sparse_output(self):
        output = np.array([[0, 0, 0], [2, 0, 0]], "<f4")
        model = Model()
        self.check(model.move("/nodes/0/translation", [0, 1], output, store=model.b.sparse), 0.5, (2, 0, 0))

    def test_too_few_values_and_a_wrong_type(self):
        with self.assertRaises(Unevaluable):
            Model().move("/nodes/0/translation", [0, 1], np.zeros((1, 3), "<f4")).oracle().positions(0, 0)
        with self.assertRaises(Unevaluable):
            Model().move("/nodes/0/translation", [0, 1], np.zeros((2, 4), "<f4")).oracle().positions(0, 0)
        surplus = np.array([[0, 0, 0], [2, 0, 0], [8, 0, 0]], "<f4")
        self.check(Model().move("/nodes/0/translation", [0, 1], surplus), 1, (3, 0, 0))


class Precedence(Moving):
    MATRIX = [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 1, 1, 1, 1]

    def test_translation_on_a_node_with_matrix(self):
        model = Model([{"mesh": 0, "matrix": self.MATRIX}]).move("/nodes/0/translation", [0], np.array([[5, 0, 0]], "<f4"), "STEP")
        self.check(model, 0, (7, 0, 0))
        self.check(model, 0, (3, 1, 1), animation=None)

    def test_rotation_and_scale_on_a_node_with_matrix_are_undefined(self):
        model = Model([{"mesh": 0, "matrix": self.MATRIX}])
        model.move("/nodes/0/scale", [0, 4], np.full((2, 3), 5, "<f4")).move("/nodes/0/rotation", [0, 4], np.eye(4, dtype="<f4")[:2])
        self.check(model, 0, (3, 1, 1))
        self.assertEqual(model.oracle().clips(), [{"duration": 0, "channels": 0, "pointerChannels": 0}])

    def test_mesh_weights_are_the_default_of_nodes_without_own(self):
        model = Model([{"mesh": 0, "weights": [1]}, {"mesh": 0}], targets=1, mesh={"weights": [0.125]})
        model.move("/meshes/0/weights", [0], np.array([0.5], "<f4"), "STEP")
        self.check(model, 0, (1, 1, 0), (1, 0.5, 0))
        self.check(model, 0, (1, 1, 0), (1, 0.125, 0), animation=None)

    def test_one_weight_of_a_node_beside_the_mesh(self):
        model = Model([{"mesh": 0}, {"mesh": 0}], targets=2)
        model.move("/nodes/0/weights/0", [0], np.array([3], "i1")).move("/meshes/0/weights", [0], np.array([0.5, 0.25], "<f4"))
        self.check(model, 0, (1, 3 + 2.5, 0), (1, 0.5 + 2.5, 0))
        model = Model(targets=2, mesh={"weights": [0.5, 0.25]}).move("/meshes/0/weights/1", [0], np.array([2], "u1"))
        self.check(model, 0, (1, 0.5 + 20, 0))

    def test_short_node_weights(self):
        node = {"mesh": 0, "weights": [0.5]}
        model = Model([node], targets=3, mesh={"weights": [9, 9, 9]}).move("/nodes/0/weights/2", [0], np.array([0.25], "<f4"))
        self.check(model, 0, (1, 0.5 + 0 + 25, 0))

    def test_duplicates(self):
        model = Model().move("/nodes/0/translation", [0], np.array([[1, 0, 0]], "<f4"))
        model.move((0, "translation"), [5], np.array([[2, 0, 0]], "<f4"))
        self.check(model, 0, (3, 0, 0))
        model = Model(targets=2).move((0, "weights"), [0], np.array([1, 1], "<f4")).move("/nodes/0/weights/1", [0], np.array([0.5], "<f4"))
        self.check(model, 0, (1, 1 + 5, 0))
        model = Model(targets=2).move("/nodes/0/weights/1", [0], np.array([0.5], "<f4")).move("/nodes/0/weights", [0], np.ones(2, "<f4"))
        self.check(model, 0, (1, 1 + 10, 0))

    def test_pointer_beside_an_ordinary_channel(self):
        model = Model().move("/nodes/0/scale", [0], np.array([[2, 1, 1]], "u1"))
        model.move((0, "rotation"), [0], np.array([[0, 0, HALF, HALF]], "<f4"))
        self.check(model, 0, (0, 2, 0))

    def test_a_clip_moves_only_itself(self):
        model = Model().move("/nodes/0/translation", [0], np.array([[1, 0, 0]], "<f4"))
        model.b.json["animations"].append({"samplers": [], "channels": []})
        model.move("/nodes/0/scale", [0], np.array([[4, 1, 1]], "<f4"), clip=1)
        self.check(model, 0, (2, 0, 0))
        self.check(model, 0, (4, 0, 0), animation=1)

    def test_a_joint_outside_the_scene_moved_by_a_pointer(self):
        nodes = [{"mesh": 0, "skin": 0, "translation": [50, 0, 0]}, {"children": [2]}, {}]
        model = Model(nodes, skin={"joints": [2]}).move("/nodes/1/translation", [0], np.array([[0, 3, 0]], "<f4"))
        model.b.json["scenes"] = [{"nodes": [0]}]
        self.check(model, 0, (1, 3, 0))


class Pointers(unittest.TestCase):
    def usable(self, oracle, *pointers):
        return [oracle.meaning(pointer) is not None for pointer in pointers]

    def test_usable_and_unusable(self):
        nodes = [{"mesh": 0, "extras": {"a/b": 1}, "extensions": {"ACME_spin": {"speed": 1}}}, {"matrix": [0.0] * 16}]
        model = Model(nodes, targets=1)
        model.b.json["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"extensions": {"KHR_texture_transform": {}}}}}]
        model.b.json["cameras"] = [{"perspective": {"yfov": 1, "znear": 1}, "type": "perspective"}]
        oracle = model.oracle()
        good = [
            "/nodes/0/translation", "/nodes/1/translation", "/nodes/0/weights", "/nodes/0/weights/0", "/meshes/0/weights",
            "/nodes/0/extras/a~1b", "/nodes/0/extensions/ACME_spin/speed", "/materials/0/pbrMetallicRoughness/metallicFactor",
            "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset", "/materials/0/alphaCutoff",
            "/cameras/0/perspective/yfov",
        ]  # fmt: skip
        for pointer in good:
            self.assertIsNotNone(oracle.meaning(pointer), pointer)
        bad = [
            "", "/", "/nodes/0/", "nodes/0/translation", "/nodes/00/scale", "/nodes/-/scale", "/nodes/2/scale", "/nodes/0/scale/1",
            "/nodes/0/tr%61nslation", "/nodes/0/na~2me", "/nodes/0/name", "/nodes/0/matrix", "/nodes/1/rotation", "/nodes/1/scale",
            "/nodes/1/weights", "/nodes/0/weights/1", "/nodes/0/weights/00", "/nodes/0/extras/none", "/nodes/0/extensions/ACME_spin/none",
            "/nodes/0/extensions/KHR_node_visibility/visible", "/materials/0/doubleSided", "/materials/0/normalTexture/scale",
            "/cameras/0/perspective/zfar", "/cameras/0/orthographic/xmag", "/meshes/1/weights", "/meshes/0/primitives/0/material", 3, None,
        ]  # fmt: skip
        for pointer in bad:
            self.assertIsNone(oracle.meaning(pointer), pointer)

    def test_clips(self):
        model = Model()
        model.b.json["materials"] = [{}]
        one = np.zeros((1, 3), "<f4")
        model.move((0, "scale"), [1], one).move("/nodes/0/translation", [2], one).move("/materials/0/emissiveFactor", [3], one)
        model.move("/nodes/7/translation", [4], one).move("/nodes/0/translation", [5], one)
        model.b.json["animations"][0]["channels"][4]["target"]["node"] = 0
        self.assertEqual(model.oracle().clips(), [{"duration": 3, "channels": 3, "pointerChannels": 2}])


class Copies(Moving):
    def copies(self, node=None, skin=None, targets=0, nodes=(), **attributes):
        model = Model([{"mesh": 0, **(node or {})}, *nodes], skin=skin, targets=targets)
        stored = {}
        for name, array in attributes.items():
            stored[name] = array if isinstance(array, int) else model.b.accessor(array, normalized=array.dtype.kind == "i")
        model.b.json["nodes"][0].setdefault("extensions", {})[INSTANCING] = {"attributes": stored}
        return model

    def test_the_example(self):
        model = self.copies(
            {"translation": [0, 0, 10], "scale": [2, 2, 2]},
            TRANSLATION=np.array([[1, 0, 0], [0, 0, 0]], "<f4"),
            ROTATION=np.array([[0, 0, HALF, HALF], [0, 0, 0, 1]], "<f4"),
            SCALE=np.array([[1, 1, 1], [3, 1, 1]], "<f4"),
        )
        self.check(model, 0, (2, 2, 10), (6, 0, 10), animation=None)
        self.assertEqual([(b["copy"], b["first"]) for b in model.oracle().blocks()], [(0, 0), (1, 1)])

    def test_normals_by_cofactors(self):
        model = self.copies(SCALE=np.array([[3, 1, 1], [-1, 1, 1]], "<f4"))
        want = [[1, 3, 0] / np.sqrt(10), [HALF, -HALF, 0]]  # the mirrored copy: cofactors turn the normal as the winding is turned
        np.testing.assert_allclose(model.oracle().normals(), want, atol=1e-7)

    def test_integer_quaternions_as_stored(self):  # (0, 0, 1, 1) gives 1 − 2·1, 2·1
        for kind, most in (("i1", 127), ("<i2", 32767)):
            turns = np.array([[0, 0, most, 0], [0, 0, most, most], [0, 0, -most - 1, 0]], kind)
            self.check(self.copies(ROTATION=turns), 0, (-1, 0, 0), (-1, 2, 0), (-1, 0, 0), animation=None)

    def test_without_a_view(self):
        model = self.copies({"translation": [4, 0, 0]})
        accessor = model.b.add("accessors", {"componentType": 5126, "type": "VEC3", "count": 2})
        model.b.json["nodes"][0]["extensions"][INSTANCING]["attributes"] = {"SCALE": accessor}
        self.check(model, 0, (4, 0, 0), (4, 0, 0), animation=None)

    def test_only_other_attributes_none_and_different_counts(self):
        self.check(self.copies(_ID=np.zeros(3, "<f4")), 0, *[(1, 0, 0)] * 3, animation=None)
        self.check(self.copies(), 0, (1, 0, 0), animation=None)
        with self.assertRaises(Unevaluable):
            self.copies(_ID=np.zeros(3, "<f4"), SCALE=np.ones((2, 3), "<f4")).oracle().positions()

    def test_copies_of_a_skinned_node_coincide(self):
        node = {"skin": 0, "translation": [50, 0, 0]}
        model = self.copies(node, {"joints": [1]}, nodes=[{"translation": [0, 3, 0]}], TRANSLATION=np.array([[1, 0, 0], [0, 2, 0]], "<f4"))
        primitives = model.b.json["meshes"][0]["primitives"]
        attributes = {name: primitives[0]["attributes"][name] for name in ("POSITION", "NORMAL")}
        primitives.append({"attributes": attributes, "mode": 0})
        self.check(model, 0, (1, 3, 0), (52, 0, 0), (1, 3, 0), (51, 2, 0), animation=None)

    def test_nested_and_moved(self):
        """Copies are not inherited; the parent's motion is."""
        model = self.copies({"children": [1]}, nodes=[{"mesh": 0, "scale": [5, 5, 5]}], TRANSLATION=np.array([[1, 0, 0], [0, 2, 0]], "<f4"))
        model.move("/nodes/0/translation", [0], np.array([[0, 0, 7]], "i1"))
        self.check(model, 0, (2, 0, 7), (1, 2, 7), (5, 0, 7))

    def test_weights_move_all_copies(self):
        model = self.copies(targets=1, TRANSLATION=np.array([[1, 0, 0], [0, 2, 0]], "<f4"))
        self.check(model.move("/nodes/0/weights/0", [0], np.array([4], "u1")), 0, (2, 4, 0), (1, 6, 0))

    def test_only_nodes_of_the_default_scene(self):
        model = Model([{"mesh": 0}, {"mesh": 0, "translation": [1, 0, 0]}])
        model.b.json.update(scenes=[{"nodes": [0]}, {"nodes": [1]}], scene=1)
        self.check(model, 0, (2, 0, 0), animation=None)


class Visibility(Moving):
    def test_inherited_and_animated(self):
        hidden, open_ = {"extensions": {VISIBILITY: {"visible": False}}}, {"extensions": {VISIBILITY: {}}}
        nodes = [{"children": [1, 2], **open_}, {"mesh": 0, **open_}, {"children": [3], **hidden}, {"mesh": 0, **open_}, {"mesh": 0}]
        model = Model(nodes).move(f"/nodes/0/extensions/{VISIBILITY}/visible", [1, 2, 3], np.array([2, 0, 1], "u1"), "STEP")
        model.move(f"/nodes/2/extensions/{VISIBILITY}/visible", [1], np.array([255], "u1"), "STEP", normalized=True)
        model.move(f"/nodes/4/extensions/{VISIBILITY}/visible", [1], np.array([0], "u1"), "STEP")  # no such object
        oracle = model.oracle()
        self.assertEqual(oracle.visible(), [(1, 0, True), (3, 0, False), (4, 0, True)])
        self.assertEqual(oracle.visible(0, 0), [(1, 0, True), (3, 0, True), (4, 0, True)])
        self.assertEqual(oracle.visible(0, 2.5), [(1, 0, False), (3, 0, False), (4, 0, True)])
        self.assertEqual(oracle.visible(0, 3), [(1, 0, True), (3, 0, True), (4, 0, True)])
        self.assertEqual(len(oracle.positions(0, 2.5)), 3)
        self.assertEqual(oracle.clips()[0]["channels"], 2)

    def test_a_hidden_joint_deforms(self):
        nodes = [{"mesh": 0, "skin": 0}, {"translation": [0, 3, 0], "extensions": {VISIBILITY: {"visible": False}}}]
        model = Model(nodes, skin={"joints": [1]})
        self.check(model, 0, (1, 3, 0), animation=None)
        self.assertEqual(model.oracle().visible(), [(0, 0, True)])

    def test_floats_are_no_truth_values(self):
        model = Model([{"mesh": 0, "extensions": {VISIBILITY: {}}}])
        model.move(f"/nodes/0/extensions/{VISIBILITY}/visible", [0], np.array([0], "<f4"), "STEP")
        self.assertEqual(model.oracle().visible(0, 0), [(0, 0, True)])


class WideNumbers(Moving):
    def test_float16(self):
        # 0.1 as a 16-bit float is 0x2E66 = 1638 / 16384.
        model = Model(point=(0.1, -65504, 2.0**-24), kind="<f2")
        np.testing.assert_array_equal(model.oracle().positions(), [[1638 / 16384, -65504, 2.0**-24]])
        model = Model().move("/nodes/0/translation", [0, 0.1], np.array([[0, 0, 0], [2, 0, 0]], "<f2"), kind="<f2")
        self.check(model, 819 / 16384, (2, 0, 0))
        self.assertEqual(model.oracle().clips()[0]["duration"], 1638 / 16384)

    def test_float64(self):
        model = Model(point=(1 + 2.0**-40, 1e300, 0), kind="<f8")
        np.testing.assert_array_equal(model.oracle().positions(), [[1 + 2.0**-40, 1e300, 0]])
        model = Model().move("/nodes/0/translation", [0, 0.1], np.array([[0, 0, 0], [2.0**-40, 0, 0]], "<f8"), kind="<f8")
        oracle = model.oracle()
        self.assertEqual(oracle.clips()[0]["duration"], 0.1)
        np.testing.assert_array_equal(oracle.positions(0, 0.05), [[1 + 2.0**-41, 0, 0]])

    def test_bind_matrices_and_copies(self):
        bind = np.eye(4)
        bind[3, 0] = 2.0**-40  # column-major: the translation is the last row here
        for kind, size in (("<f8", 2.0**-40), ("<f2", 0)):
            model = Model([{"mesh": 0, "skin": 0}, {}], skin={"joints": [1]})
            model.b.json["skins"][0]["inverseBindMatrices"] = model.b.accessor(bind.reshape(1, 16).astype(kind))
            np.testing.assert_array_equal(model.oracle().positions(), [[1 + size, 0, 0]])
            model = Model()
            accessor = model.b.accessor(np.array([[2.0**-40, 0, 0]], kind))
            model.b.json["nodes"][0]["extensions"] = {INSTANCING: {"attributes": {"TRANSLATION": accessor}}}
            np.testing.assert_array_equal(model.oracle().positions(), [[1 + size, 0, 0]])


class Files(unittest.TestCase):
    def test_agrees_with_the_oracle_for_ordinary_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(12):
                rig = RandomRig(seed)
                if "STAIK_skeletons" in rig.extensions:
                    continue
                path = rig.save(folder, f"rig{seed}")
                got, want = MovingOracle(path).positions(0, 0.4), gltf_oracle.evaluate(path, animation=0, time=0.4)
                self.assertLessEqual(gltf_oracle.largest_error(got, want), 1e-12)

    def test_generated_files_contain_everything(self):
        counts = {}
        for seed in range(200):
            for feature in moving_files.describe(seed):
                counts[feature] = counts.get(feature, 0) + 1
        for prop, kind, mode, sparse in set(moving_files.CELLS):
            self.assertIn(f"pointer {prop} {kind} {mode} {'sparse' if sparse else 'packed'}", counts)
        kinds = ("joint", "ancestor", "mesh node", "hidden node", "below a hidden node", "node with copies")
        wanted = [f"{prop} of {where}" for prop in ("translation", "rotation", "scale") for where in kinds]
        wanted += ["translation of node with matrix", "mesh weights with two nodes", "mixed with ordinary channels", "several clips"]
        wanted += [f"ROTATION {kind}" for kind in ("f4", "f8", "f2", "i1", "i2")] + ["nested copies", "mirrored copy", "only _NAME"]
        wanted += [f"{kind} {what}" for kind in ("f8", "f2") for what in ("positions", "key times", "bind matrices", "copies")]
        wanted += ["duplicate", "copies of a skinned node", "TRANSLATION without view", "unusable pointer", "clip of material pointers"]
        for feature in wanted:
            self.assertGreaterEqual(counts.get(feature, 0), 3, feature)

    def test_generated_files_can_be_evaluated(self):
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(0, 200, 17):
                oracle = MovingOracle(moving_files.make(seed, folder))
                for animation, clip in enumerate(oracle.clips()):
                    rows = oracle.positions(animation, clip["duration"] / 2)
                    self.assertTrue(len(rows) and np.isfinite(rows).all())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--shared")
    unittest.main(argv=[sys.argv[0], *parser.parse_known_args()[1]])
