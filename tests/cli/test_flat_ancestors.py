# SPDX-License-Identifier: MIT
"""Skeletons below a node that is flat at rest (a scale of 0): their joints are bound as they are below a node of another size, because the
bind pose is the transform of a joint in its skeleton's space."""
import json

import numpy as np

from program import ProgramTest, main

from animated_rigs import animated_rig
from gltf_builder import Builder

SEEDS = range(8)
TIMES = 5


def stretched(seed, sizes):
    """A random rig whose root has these sizes at rest, and a clip that gives it the sizes 2, 3, 2, …"""
    rig = animated_rig(seed, clips=1)
    model, n = rig.model, rig.dimension
    root = model.json["nodes"][0]
    for key in ("position", "rotor", "basis"):
        root.pop(key, None)
    root["scale"] = [float(sizes[i % len(sizes)]) for i in range(n)]
    rows = [[2.0 + i % 2 for i in range(n)]] * 2
    model.json["extensions"]["SINEW_animation"]["clips"][0]["tracks"].append(
        {"node": 0, "path": "scale", "times": model.accessor("float32", [0.0, 1.0]), "values": model.accessor("float32", rows)})
    return rig


def hidden_arm(size, strict=False):
    """glTF: two joints and their mesh below a node of this size at rest, and a clip that gives it the size 2 and bends the arm.
    `strict`: a strict skeleton, and no bind matrices."""
    b = Builder()
    points = np.random.default_rng(1).normal(size=(12, 3)).astype("<f4")
    weights = np.random.default_rng(2).dirichlet(np.ones(2), 12).astype("<f4")
    b.add("meshes", {"primitives": [{"mode": 0, "attributes": {
        "POSITION": b.accessor(points, bounds=True),
        "JOINTS_0": b.accessor(np.tile(np.array([0, 1, 0, 0], "u1"), (12, 1))),
        "WEIGHTS_0": b.accessor(np.hstack([weights, np.zeros((12, 2), "<f4")]))}}]})
    b.json["nodes"] = [{"name": "All", "scale": [size] * 3, "children": [1, 3]}, {"name": "Upper", "translation": [0.5, 0, 0], "children": [2]},
                       {"name": "Lower", "translation": [1, 0, 0]}, {"name": "Arm", "mesh": 0, "skin": 0}]
    skin = {"joints": [1, 2]}
    if strict:
        b.json["extensionsUsed"] = ["STAIK_skeletons"]
        b.json["extensions"] = {"STAIK_skeletons": {"skeletons": [{"root": 1, "joints": [1, 2]}]}}
        for joint in (1, 2):
            b.json["nodes"][joint]["extensions"] = {"STAIK_skeletons": {"skeleton": 0}}
        skin.update({"skeleton": 1, "extensions": {"STAIK_skeletons": {"skeleton_owner": 0}}})
    else:
        matrices = [np.eye(4), np.eye(4)]
        matrices[0][3, 0], matrices[1][3, 0] = -0.5, -1.5
        skin["inverseBindMatrices"] = b.accessor(np.array(matrices, "<f4").reshape(2, 16))
    b.add("skins", skin)
    times = b.accessor(np.array([0, 1], "<f4"), bounds=True)
    turn = np.array([[0, 0, 0, 1], [0, 0, np.sin(0.5), np.cos(0.5)]], "<f4")
    samplers = [{"input": times, "output": b.accessor(np.full((2, 3), 2, "<f4"))}, {"input": times, "output": b.accessor(turn)}]
    b.add("animations", {"samplers": samplers, "channels": [{"sampler": 0, "target": {"node": 0, "path": "scale"}},
                                                             {"sampler": 1, "target": {"node": 2, "path": "rotation"}}]})
    b.add("scenes", {"nodes": [0]})
    b.json["scene"] = 0
    return b


class FlatAncestors(ProgramTest):
    def rows(self, path):
        out = self.path("out.npy")
        self.succeeds("deform", path, "--animation", 0, "--frames", TIMES, "-o", out)
        return np.load(out)

    def near(self, found, expected):
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5 * np.ptp(expected))

    def test_a_clip_that_gives_the_ancestor_a_size(self):
        for seed in SEEDS:
            expected = self.rows(stretched(seed, [1]).save(self.path(""), f"one{seed}"))
            for sizes in ([0], [0, 1], [1e-200]):
                with self.subTest(seed=seed, sizes=sizes):
                    model = stretched(seed, sizes).save(self.path(""), f"flat{seed}")
                    found = self.rows(model)
                    self.near(found, expected)
                    box = json.loads(self.succeeds("bounds", model, "--json").out)["clips"][0]["box"]
                    self.assertTrue((found.min((0, 1)) >= box["min"]).all() and (found.max((0, 1)) <= box["max"]).all())

    def test_conversion_to_gltf_is_that_of_the_same_rig_below_a_node_of_size_one(self):
        for seed in (1, 7, 13):  # of three dimensions; what glTF cannot store of their clips is lost in both
            rows = []
            for size in (0, 1):
                self.succeeds("convert", stretched(seed, [size]).save(self.path(""), f"rig{seed}"), self.path("out.glb"))
                rows.append(self.rows(self.path("out.glb")))
            with self.subTest(seed=seed):
                self.near(*rows)

    def test_conversion_of_a_hidden_arm_to_g4mf(self):
        for strict in (False, True):
            expected = self.rows(hidden_arm(1, strict).save(self.path("one.gltf")))
            for size in (0, 1):
                with self.subTest(strict=strict, size=size):
                    model = hidden_arm(size, strict).save(self.path("arm.gltf"))
                    self.near(self.rows(model), expected)
                    self.succeeds("convert", model, self.path("out.g4b"))
                    self.near(self.rows(self.path("out.g4b")), expected)

    def test_a_turn_that_a_scale_of_zero_hides_survives_g4mf(self):
        for scale in ([0, 0, 0], [1, 0, 1]):
            with self.subTest(scale=scale):
                b = hidden_arm(1)
                b.json["nodes"][0].update(rotation=[0.5, 0.5, 0.5, 0.5], scale=scale)
                del b.json["animations"]
                b.json["nodes"][3].pop("skin")
                self.succeeds("convert", b.save(self.path("still.gltf")), self.path("still.g4tf"), "--fail-on", "loss")
                self.succeeds("convert", self.path("still.g4tf"), self.path("back.gltf"))
                with open(self.path("back.gltf"), encoding="utf-8") as file:
                    node = json.load(file)["nodes"][0]
                np.testing.assert_allclose(node["rotation"], [0.5, 0.5, 0.5, 0.5], atol=1e-6)
                self.assertEqual(node["scale"], scale)


if __name__ == "__main__":
    main()
