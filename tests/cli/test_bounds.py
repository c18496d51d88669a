# SPDX-License-Identifier: MIT
"""sinew bounds: no vertex leaves its box at any time, and no side is further out than the slack. Compared with the output of `sinew
deform` and with the independent evaluator."""
import itertools
import json

import numpy as np

from program import DONE, INPUT, USAGE, ProgramTest, corpus_models, main, samples, sinew

import gltf_oracle as oracle
from animated_rigs import animated_rig
from g4mf_builder import Builder as G4mfBuilder
from gltf_builder import Builder, morphed_quad, tutorial_skin
from random_rigs import RandomRig

SLACK = 0.01


def box_of(box):
    return np.array([box["min"], box["max"]])


def quaternion(axis, degrees):
    half = np.radians(degrees) / 2
    return [*(np.array(axis) * np.sin(half)), np.cos(half)]


class BoundsTest(ProgramTest):
    def bounds(self, path, *options):
        ran = sinew("bounds", path, "--json", *options)
        self.assertEqual(ran.status, DONE, str(ran))
        return json.loads(ran.out)

    def rows_of(self, path):
        """Returns, for each instance, its rows in the output of deform."""
        listed = json.loads(self.succeeds("info", path, "--json").out)["instances"]
        return [slice(row["first"], row["first"] + row["vertices"]) for row in listed]

    def check(self, path, frames=200, loose=SLACK, report=None):
        """Checks every clip at many times: vertices are inside the boxes of all instances. `loose`: how far out a side may be; None: not
        checked."""
        report = report or self.bounds(path)
        rows = self.rows_of(path)
        for clip in report["clips"]:
            moved = self.deform(path, "--animation", clip["animation"], "--frames", frames)
            for instance, own in zip(clip["instances"], rows):
                places = moved[:, own].reshape(-1, report["dimension"])
                if not len(places):
                    self.assertIsNone(instance["box"])
                    continue
                box, real = box_of(instance["box"]), np.array([places.min(0), places.max(0)])
                where = f"{path}, clip {clip['animation']}, node {instance['node']}: {box} around {real}"
                self.assertTrue((box[0] <= real[0]).all() and (real[1] <= box[1]).all(), where)
                if loose is not None:
                    diagonal = np.linalg.norm(real[1] - real[0])
                    self.assertLessEqual(max((real[0] - box[0]).max(), (box[1] - real[1]).max()), loose * diagonal + 2e-6 * abs(real).max(), where)
        for instance, own in zip(report["instances"], rows):
            if instance["box"] is None:
                continue
            ball = instance["sphere"]
            for clip in report["clips"][:1]:
                away = np.linalg.norm(self.deform(path, "--animation", clip["animation"], "--frames", 20)[:, own] - ball["center"], axis=2)
                self.assertLessEqual(away.max(), ball["radius"], path)
        return report

    def turning(self, keys, turns, interpolation="LINEAR", path="rotation", **node):
        """A triangle that turns (or what `path` says) without a skin."""
        builder = Builder()
        corners = builder.accessor(np.array([[0, 0, 0], [2, 0, 0], [0, 1, 0.5]], "<f4"), bounds=True, target=34962)
        builder.add("meshes", {"primitives": [{"attributes": {"POSITION": corners}}]})
        builder.add("nodes", {"name": "Arm", "mesh": 0, **node})
        builder.add("scenes", {"nodes": [0]})
        sampler = {"input": builder.accessor(np.array(keys, "<f4"), bounds=True), "output": builder.accessor(np.array(turns, "<f4")),
                   "interpolation": interpolation}
        builder.add("animations", {"samplers": [sampler], "channels": [{"sampler": 0, "target": {"node": 0, "path": path}}]})
        return builder.save(self.path("turning.glb"))


class Clips(BoundsTest):
    def test_samples_and_real_files(self):
        models = samples() + corpus_models()
        if not corpus_models():
            print("the corpus is absent: only the samples are looked at")
        for name, path in models:
            with self.subTest(model=name):
                self.check(path, frames=60, loose=None)

    def test_random_rigs(self):
        for seed in range(25):
            with self.subTest(seed=seed):
                self.check(RandomRig(seed).save(self.folder, f"rig{seed}"), frames=100, loose=None)

    def test_random_rigs_of_any_dimension(self):
        for seed in range(18):
            with self.subTest(seed=seed):
                path = self.path(f"rig{seed}.g4b")
                animated_rig(seed).model.save(path)
                self.check(path, frames=100, loose=None)

    def test_the_independent_evaluation_is_inside(self):
        path = tutorial_skin().save(self.path("strip.glb"))
        box = box_of(self.bounds(path)["clips"][0]["box"])
        for time in np.random.default_rng(1).uniform(0, 2, 40):
            rows = oracle.evaluate(path, animation=0, time=time)
            self.assertTrue((box[0] <= rows.min(0)).all() and (rows.max(0) <= box[1]).all(), time)

    def test_no_side_is_further_out_than_the_slack(self):
        for slack in (0.1, 0.01, 0.001):
            path = tutorial_skin().save(self.path("strip.glb"))
            self.check(path, frames=4001, loose=slack * 1.001, report=self.bounds(path, "--slack", slack))
        for seed in (0, 1, 8, 14):
            path = RandomRig(seed).save(self.folder, f"rig{seed}")
            self.check(path, frames=4001, loose=SLACK * 1.05)

    def test_a_nearly_half_turn_between_two_keys(self):
        """At the keys the triangle is at x = ±2; the far corner swings through y = 2."""
        path = self.turning([0, 1], [quaternion([0, 0, 1], 0), quaternion([0, 0, 1], 179)])
        box = box_of(self.check(path, frames=2000)["all"])
        self.assertGreaterEqual(box[1, 1], 2)

    def test_a_full_turn_by_three_keys(self):
        turns = [quaternion([0, 0, 1], angle) for angle in (0, 120, 240, 360)]
        box = box_of(self.check(self.turning([0, 1, 2, 3], turns), frames=3001)["all"])
        self.assertTrue((box[:, :2] * [[-1], [1]] >= 2 - 1e-6).all(), box)

    def test_one_key(self):
        report = self.check(self.turning([0.5], [quaternion([0, 0, 1], 90)]), frames=2)
        np.testing.assert_allclose(box_of(report["clips"][0]["box"]), [[-1, 0, 0], [0, 2, 0.5]], atol=1e-5)

    def test_steps(self):
        """The value before a key holds up to the key; the last one only from its key on."""
        report = self.check(self.turning([0, 1, 2], [[0, 0, 0], [5, 0, 0], [0, 7, 0]], "STEP", "translation"), frames=201)
        np.testing.assert_allclose(box_of(report["clips"][0]["box"]), [[0, 0, 0], [7, 8, 0.5]], atol=0.1)

    def test_a_spline_that_overshoots(self):
        """From 0 to 0 with the tangents 8 and −8 it is at 8·t·(1 − t): 2 half-way, far from its keys."""
        values = [[0, 0, 0], [0, 0, 0], [8, 0, 0], [-8, 0, 0], [0, 0, 0], [0, 0, 0]]
        report = self.check(self.turning([0, 1], values, "CUBICSPLINE", "translation"), frames=2001)
        self.assertGreaterEqual(box_of(report["all"])[1, 0], 4)

    def test_a_spline_of_rotations(self):
        values = np.zeros((6, 4))
        values[1], values[4] = quaternion([0, 0, 1], 0), quaternion([0, 0, 1], 90)
        values[2], values[3] = [3, 0, 0, 0], [0, -3, 0, 1]
        self.check(self.turning([0, 1], values, "CUBICSPLINE"), frames=3001)

    def test_scale_through_zero(self):
        self.check(self.turning([0, 1], [[1, 1, 1], [-1, 2, -3]], "LINEAR", "scale", rotation=quaternion([1, 0, 0], 40)), frames=1001)


class Blends(BoundsTest):
    def test_amounts_beyond_one(self):
        builder = morphed_quad()
        values = builder.accessor(np.array([-2, 0, 3, 1, 0, 0], "<f4"))
        clip = builder.json["animations"][0]
        clip["samplers"][0] = {"input": builder.accessor(np.array([0, 1, 2], "<f4"), bounds=True), "output": values}
        report = self.check(builder.save(self.path("face.glb")), frames=401)
        box = box_of(report["clips"][0]["box"])
        self.assertTrue(box[0, 2] <= -2 and box[1, 2] >= 3, box)

    def test_every_amount_of_a_range(self):
        path = morphed_quad().save(self.path("face.glb"))
        report = self.bounds(path, "--blend-range=-1:2")
        box = box_of(report["rest"])
        corners = np.concatenate([self.deform(path, "--blend", f"Up={up}", "--blend", f"Wide={wide}")
                                  for up, wide in itertools.product((-1, 0.3, 2), repeat=2)])
        real = np.array([corners.min(0), corners.max(0)])
        self.assertTrue((box[0] <= real[0]).all() and (real[1] <= box[1]).all(), f"{box} around {real}")
        np.testing.assert_allclose(box, real, atol=1e-4)
        self.assertEqual(report["rest"], report["all"])  # the clip moves only amounts, which have the range everywhere


class Joints(BoundsTest):
    def test_the_box_in_the_joints_space(self):
        """The upper joint influences all vertices with y ≥ 0.5; its bind matrix moves them down by 1."""
        report = self.bounds(tutorial_skin().save(self.path("strip.glb")))
        self.assertEqual([(joint["node"], joint["name"]) for joint in report["joints"]], [(1, "Lower"), (2, "Upper")])
        np.testing.assert_allclose(box_of(report["joints"][0]["box"]), [[-0.5, 0, 0], [0.5, 1.5, 0]], atol=1e-6)
        np.testing.assert_allclose(box_of(report["joints"][1]["box"]), [[-0.5, -0.5, 0], [0.5, 1, 0]], atol=1e-6)


class Interface(BoundsTest):
    def test_the_shape_of_the_report(self):
        path = tutorial_skin().save(self.path("strip.glb"))
        report = self.bounds(path)
        self.assertEqual(list(report), ["file", "dimension", "all", "rest", "clips", "instances", "joints", "notCovered"])
        self.assertEqual((report["file"], report["dimension"]), (path, 3))
        self.assertEqual(list(report["clips"][0]), ["animation", "name", "duration", "box", "instances"])
        self.assertEqual(list(report["clips"][0]["instances"][0]), ["node", "copy", "visible", "box"])
        self.assertEqual(list(report["instances"][0]), ["node", "name", "copy", "visible", "box", "sphere"])
        self.assertEqual(list(report["instances"][0]["sphere"]), ["center", "radius"])
        self.assertEqual(list(report["joints"][0]), ["node", "name", "box"])
        self.assertEqual(list(report["all"]), ["min", "max"])

    def test_which_animations(self):
        path = tutorial_skin().save(self.path("strip.glb"))
        self.assertEqual(self.bounds(path, "--animation", "Bend"), self.bounds(path))
        none = self.bounds(path, "--animation", "none")
        self.assertEqual((none["clips"], none["all"]), ([], none["rest"]))
        np.testing.assert_allclose(box_of(none["rest"]), [[-0.5, 0, 0], [0.5, 2, 0]], atol=1e-5)

    def test_threads_do_not_matter(self):
        path = RandomRig(3).save(self.folder, "rig")
        self.assertEqual(self.bounds(path, "--threads", 1), self.bounds(path, "--threads", 3))

    def test_a_model_without_vertices(self):
        path = self.write("empty.gltf", {"asset": {"version": "2.0"}, "nodes": [{}], "scenes": [{"nodes": [0]}], "scene": 0})
        report = self.bounds(path)
        self.assertEqual((report["all"], report["rest"], report["clips"], report["instances"], report["joints"]), (None, None, [], [], []))
        self.assertIn("empty", self.succeeds("bounds", path).out)

    def test_info_prints_the_same(self):
        path = tutorial_skin().save(self.path("strip.glb"))
        self.assertEqual(self.succeeds("info", path, "--bounds").out, self.succeeds("bounds", path).out)
        self.assertEqual(self.succeeds("info", path, "--bounds", "--json").out, self.succeeds("bounds", path, "--json").out)

    def test_wrong_use(self):
        path = tutorial_skin().save(self.path("strip.glb"))
        self.fails(USAGE, "bounds", path, "--animation", "Jump", says="Jump")
        self.assertLess(len(self.fails(USAGE, "bounds", path, "--slack", 0, says="more than 0").err), 120)
        for text in ("2", "1:0", "nan:1", "0:1:2", "0:1e39"):
            self.fails(USAGE, "bounds", path, f"--blend-range={text}", says="0:1")
        self.fails(USAGE, "info", path, path, "--bounds")
        self.fails(INPUT, "bounds", self.path("absent.glb"))

    def test_what_is_too_large_is_refused(self):
        path = self.turning([0, 1], [[0, 0, 0], [3e38, 0, 0]], path="translation", scale=[1e38, 1, 1])
        self.fails(INPUT, "bounds", path, says="float32")


class HigherDimensions(BoundsTest):
    def test_a_turn_in_four_dimensions(self):
        """A point at distance 3 on x turns by 170° towards w: half-way it is at w ≈ 3."""
        model = G4mfBuilder(4)
        model.node(name="Root")
        mesh = model.mesh(model.accessor("float32", [[3.0, 0, 0, 0], [0, 0, 0, 0]]), [{"edges": model.accessor("uint8", [[0, 1]])}])
        model.node(0, name="Arm", mesh=mesh)
        angle = np.radians(85)
        turned = [float(np.cos(angle)), 0.0, 0.0, 0.0, float(np.sin(angle)), 0.0, 0.0, 0.0]  # scalar, xy xz yz xw …
        track = {"node": 1, "path": "rotor", "times": model.accessor("float32", [0.0, 1.0]),
                 "values": model.accessor("float32", [[1.0] + [0.0] * 7, turned])}
        model.json["asset"]["extensionsUsed"] = ["SINEW_animation"]
        model.json["extensions"] = {"SINEW_animation": {"clips": [{"name": "Turn", "tracks": [track]}]}}
        path = self.path("turn.g4b")
        model.save(path)
        box = box_of(self.check(path, frames=2001)["all"])
        self.assertGreaterEqual(abs(box[:, 3]).max(), 3 - 1e-6)


if __name__ == "__main__":
    main()
