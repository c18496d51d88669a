# SPDX-License-Identifier: MIT
"""Compares deformed vertices with three.js (GLTFLoader, AnimationMixer, getVertexPosition), and pins where it leaves the specification.

Where three.js departs, and why the program does not follow:
* It renormalises WEIGHTS_0 on loading. The specification uses weights as they are stored.
* It reads JOINTS_0/WEIGHTS_0 only: four influences per vertex. Further sets count in the specification.
* A morph target without POSITION, beside one that has it, gets the base positions as its offsets. The specification moves nothing.
* A vertex whose weights are all zero follows the first joint. By the equation it collapses to the origin.
* It multiplies by the skinned node's matrix and by its inverse. That is the specification's "ignored" only while an inverse exists.
* Node matrices are decomposed into translation, rotation and scale, which loses shear.
"""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from program import ProgramTest, corpus_models, in_parallel, main, samples, sinew

import gltf_oracle as oracle
import node_tools
from gltf_builder import Builder, TUTORIAL_POSITIONS, tutorial_skin

TOLERANCE = 1e-5
# Files of the shared corpus that use nothing of the list above.
FROM_CORPUS = ["rigged_figure", "fox", "morph_cube", "morph_stress", "simple_skin_bevy", "tentacle_84skins", "d_fox_negscale"]
SAMPLES_THAT_DEPART = ["tube_8_influences.gltf"]


def setUpModule():
    node_tools.require()


class Three(ProgramTest):
    def seen_by_three(self, cases):
        """cases: [(model, animation or None, time)] → rows of each."""
        jobs = []
        for number, (model, animation, time) in enumerate(cases):
            glb = node_tools.geometry_glb(model, self.path(f"geometry{number}.glb"))
            jobs.append({"model": glb, "animation": animation, "time": time, "out": self.path(f"three{number}.bin")})
        node_tools.run("three_compare.mjs", self.write("jobs.json", jobs))
        return [np.fromfile(job["out"], "<f8").reshape(-1, 3) for job in jobs]

    def seen_by_program(self, cases):
        def run(case):
            number, (model, animation, time) = case
            out = self.path(f"sinew{number}.npy")
            options = [] if animation is None else ["--animation", str(animation), "--time", repr(time)]
            ran = sinew("deform", model, "-o", out, "-q", *options)
            return np.load(out) if ran.status == 0 else ran

        results = in_parallel(run, list(enumerate(cases)))
        for result in results:
            self.assertIsInstance(result, np.ndarray, str(result))
        return results

    def poses(self, model):
        """A model's own state and its first clip at three times, the duration (where three.js loops by default) among them."""
        evaluator = oracle.Evaluator(oracle.Document(model))
        cases = [(model, None, 0.0)]
        if evaluator.json.get("animations"):
            cases += [(model, 0, part * evaluator.duration(0)) for part in (0.0, 0.4, 1.0)]
        return cases

    def agree(self, models):
        cases = [case for model in models for case in self.poses(model)]
        worst = 0.0
        for case, three, got in zip(cases, self.seen_by_three(cases), self.seen_by_program(cases)):
            with self.subTest(model=os.path.basename(case[0]), animation=case[1], time=case[2]):
                self.assertEqual(got.shape, three.shape)
                error = oracle.largest_error(got, three)
                self.assertLessEqual(error, TOLERANCE)
                worst = max(worst, error)
        print(f"{self.id().rsplit('.', 1)[1]}: {len(cases)} poses, worst {worst:.1e} of the diagonal", file=sys.stderr)

    def test_own_samples(self):
        models = [path for name, path in samples() if name not in SAMPLES_THAT_DEPART]
        self.assertGreaterEqual(len(models), 3)
        self.agree(models)

    def test_real_files(self):
        models = [path for name, path in corpus_models() if name in FROM_CORPUS]
        if not models:
            self.skipTest("no folder of real files (--shared FOLDER)")
        self.assertEqual(len(models), len(FROM_CORPUS))
        self.agree(models)

    def departs(self, builder, expected_of_three):
        """The program agrees with the oracle, three.js differs from both and shows `expected_of_three` (rows)."""
        model = builder.save(self.path("departs.gltf"))
        [three], [got] = self.seen_by_three([(model, None, 0.0)]), self.seen_by_program([(model, None, 0.0)])
        want = oracle.evaluate(model)
        self.assertLessEqual(oracle.largest_error(got, want), TOLERANCE)
        self.assertGreater(oracle.largest_error(three, want), 0.01, "three.js no longer departs here: move the case to those that agree")
        np.testing.assert_allclose(three, expected_of_three, atol=1e-6)

    BENT = [0, 0, np.sqrt(0.5), np.sqrt(0.5)]

    def change_weights(self, builder, weights):
        attributes = builder.json["meshes"][0]["primitives"][0]["attributes"]
        attributes["WEIGHTS_0"] = builder.accessor(weights.astype("<f4"), target=34962)

    def tutorial_weights(self):
        second = np.repeat([0, 0.25, 0.5, 0.75, 1], 2)
        return np.stack([1 - second, second, 0 * second, 0 * second], 1)

    def bent(self, weights):
        """The tutorial's strip with its second joint bent by 90°, for weights of the two joints."""
        x, y = TUTORIAL_POSITIONS[:, 0], TUTORIAL_POSITIONS[:, 1]
        turned = np.stack([1 - y, 1 + x, 0 * x], 1)
        return weights[:, :1] * TUTORIAL_POSITIONS + weights[:, 1:2] * turned

    def test_departure_weights_are_renormalised(self):
        weights = self.tutorial_weights() * np.linspace(0.5, 1.5, 10)[:, None]
        builder = tutorial_skin(rotation=self.BENT)
        self.change_weights(builder, weights)
        self.departs(builder, self.bent(self.tutorial_weights()))

    def test_departure_zero_weights_follow_the_first_joint(self):
        weights = self.tutorial_weights()
        weights[9] = 0
        builder = tutorial_skin(rotation=self.BENT)
        self.change_weights(builder, weights)
        seen = weights.copy()
        seen[9, 0] = 1
        self.departs(builder, self.bent(seen))

    def test_departure_only_four_influences(self):
        builder = tutorial_skin(rotation=self.BENT)
        attributes = builder.json["meshes"][0]["primitives"][0]["attributes"]
        halves = self.tutorial_weights() * [1, 0, 0, 0]
        halves[:, 0] += 0.25
        rest = np.zeros((10, 4))
        rest[:, 0] = 1 - halves[:, 0]
        self.change_weights(builder, halves)
        attributes["JOINTS_1"] = builder.accessor(np.tile(np.array([1, 0, 0, 0], "u1"), (10, 1)), target=34962)
        attributes["WEIGHTS_1"] = builder.accessor(rest.astype("<f4"), target=34962)
        self.departs(builder, TUTORIAL_POSITIONS)  # set 0 alone, renormalised, is all joint 0

    def test_departure_missing_morph_positions(self):
        builder = Builder()
        corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4")
        up = np.tile(np.array([0, 0, 1], "<f4"), (3, 1))
        normals = builder.accessor(up, target=34962)
        positions = builder.accessor(corners, bounds=True, target=34962)
        moved = builder.accessor(up, bounds=True, target=34962)
        builder.add(
            "meshes",
            {
                "primitives": [
                    {"attributes": {"POSITION": positions, "NORMAL": normals}, "targets": [{"POSITION": moved}, {"NORMAL": normals}]}
                ],
                "weights": [0.5, 0.5],
            },
        )
        builder.add("nodes", {"mesh": 0})
        builder.add("scenes", {"nodes": [0]})
        self.departs(builder, corners + 0.5 * up + 0.5 * corners)

    def test_departure_skinned_node_without_inverse(self):
        builder = tutorial_skin(rotation=self.BENT)
        builder.json["nodes"][0]["scale"] = [0, 0, 0]
        self.departs(builder, np.full((10, 3), np.nan))  # divided by the last row of the "inverse", zero

    def test_departure_sheared_matrix(self):
        builder = Builder()
        corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4")
        builder.add("meshes", {"primitives": [{"attributes": {"POSITION": builder.accessor(corners, bounds=True, target=34962)}}]})
        builder.add("nodes", {"mesh": 0, "matrix": [1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]})
        builder.add("scenes", {"nodes": [0]})
        model = builder.save(self.path("sheared.gltf"))
        [three], [got] = self.seen_by_three([(model, None, 0.0)]), self.seen_by_program([(model, None, 0.0)])
        np.testing.assert_allclose(got, [[0, 0, 0], [1, 0, 0], [1, 1, 0]], atol=1e-6)
        self.assertGreater(oracle.largest_error(three, got.astype(float)), 0.01)


if __name__ == "__main__":
    main()
