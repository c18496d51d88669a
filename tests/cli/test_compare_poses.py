# SPDX-License-Identifier: MIT
"""sinew compare beyond its samples: its claims about every pose, checked with random poses of rigs that are evaluated here."""
import json
import os
import sys
from pathlib import Path

import numpy as np

from program import DONE, ProgramTest, in_parallel, main, sinew

from posed_rigs import Rig, rotation

DIFFERENT = 1
TOLERANCE = 1e-5
RIGS = range(int(os.environ.get("SINEW_RIGS", 40)))
POSES = 100


def nothing(rig, rng):
    return np.arange(len(rig.points))


def weights(rig, rng):
    vertex = rng.integers(len(rig.points))
    rig.weights[vertex] = np.roll(rig.weights[vertex], 1)


def some_weights(rig, rng):
    rig.weights += rig.weights * rng.uniform(0, 0.1, rig.weights.shape)
    rig.weights /= rig.weights.sum(1, keepdims=True)


def a_vertex(rig, rng):
    rig.points[rng.integers(len(rig.points))] += rng.uniform(-0.2, 0.2, rig.n)


def a_tiny_step(rig, rng):
    rig.points += rng.uniform(-1e-7, 1e-7, rig.points.shape)


def a_joint(rig, rng):
    rig.at[rng.integers(len(rig.at))] += rng.uniform(-0.3, 0.3, rig.n)


def a_size(rig, rng):
    rig.scale[rng.integers(len(rig.at))] *= rng.uniform(0.8, 1.2)


def a_turn(rig, rng):
    joint = rng.integers(len(rig.at))
    rig.turn[joint] = rig.turn[joint] @ rotation(rng, rig.n, 0.1)


def a_parent(rig, rng):
    rig.parents[-1] = -1 if rig.parents[-1] >= 0 else 0


def the_order(rig, rng):
    order = rng.permutation(len(rig.points))
    rig.points, rig.weights = rig.points[order], rig.weights[order]
    return np.argsort(order)


CHANGES = (nothing, weights, some_weights, a_vertex, a_tiny_step, a_joint, a_size, a_turn, a_parent, the_order)


class PosesTest(ProgramTest):
    def compared(self, a, b, *options):
        ran = sinew("compare", a, b, "--json", *options)
        self.assertIn(ran.status, (DONE, DIFFERENT), str(ran))
        return json.loads(ran.out)


class EveryPose(PosesTest):
    def worst(self, a, b, rng, pairs, length, moving):
        """Returns the largest distance over random turns of all joints, and over those with random moves too."""
        turned = moved = 0.0
        for number in range(POSES):
            turns = np.array([rotation(rng, a.n, None if number % 2 else 0.5) for _ in a.parents])
            turned = max(turned, np.linalg.norm(a.evaluate(turns) - b.evaluate(turns)[pairs], axis=1).max())
            if moving:
                moves = rng.uniform(-1, 1, a.at.shape) * length / np.sqrt(a.n)
                moved = max(moved, np.linalg.norm(a.evaluate(turns, moves) - b.evaluate(turns, moves)[pairs], axis=1).max())
        return turned, moved

    def check(self, seed):
        rng = np.random.default_rng(seed)
        n = 2 + seed % 5
        a = Rig(rng, n, even_scale=rng.random() < 0.7)
        b = a.copy()
        change = CHANGES[seed // 5 % len(CHANGES)]
        pairs = change(b, rng)
        pairs = np.arange(len(a.points)) if pairs is None else pairs
        saves = [(rig.save_gltf, ".glb") if n == 3 and rng.random() < 0.6 else (rig.save_g4mf, ".g4b") for rig in (a, b)]
        paths = [save(self.path(f"{seed}{side}{extension}")) for (save, extension), side in zip(saves, "ab")]
        report = self.compared(*paths)
        rest = a.evaluate()
        length = np.linalg.norm(rest.max(0) - rest.min(0))
        proved = report["verdict"] == "equal in every pose"
        turned, moved = self.worst(a, b, rng, pairs, length, proved)
        bound = report["everyPose"]["bound"]
        label = f"{seed} {change.__name__} in {n} dimensions"
        if proved and max(turned, moved) > TOLERANCE * length * len(a.parents):
            return label, f"equal in every pose, but {turned / length:.3g} and {moved / length:.3g} apart", report
        if bound is not None and turned > bound * length + 1e-6 * length:
            return label, f"bound {bound:.3g}, but {turned / length:.3g} apart", report
        return label, "", report

    def test_random_rigs(self):
        results = in_parallel(self.check, list(RIGS))
        counts, tight = {}, []
        for label, mistake, report in results:
            with self.subTest(rig=label):
                self.assertEqual(mistake, "")
            change = label.split()[1]
            counts.setdefault(change, set()).add(report["verdict"])
        print(f"{len(results)} rigs: " + "; ".join(f"{change}: {', '.join(sorted(found))}" for change, found in counts.items()), file=sys.stderr)
        for change in ("nothing", "the_order", "a_tiny_step"):
            self.assertEqual(counts.get(change, {"equal in every pose"}), {"equal in every pose"}, change)
        for change in ("weights", "a_vertex"):
            self.assertEqual(counts.get(change, {"different"}), {"different"}, change)


class Bounds(PosesTest):
    def chain(self, weights):
        """Two joints, one above the other at (0, 1, 0), and a vertex at (0, 2, 0)."""
        rig = Rig(np.random.default_rng(1), 3, True)
        rig.parents, rig.names = [-1, 0], ["lower", "upper"]
        rig.at = np.array([[0.0, 0, 0], [0, 1, 0]])
        rig.turn, rig.scale = np.tile(np.eye(3), (2, 1, 1)), np.ones((2, 3))
        rig.points = np.array([[0.0, 2, 0], [0, 0, 0]])
        rig.weights = np.array([weights, [1.0, 0.0]])
        return rig

    def test_a_bound_that_is_reached(self):
        """Half of the weight moves from the upper to the lower joint: straight up both agree, folded down the distance is 1 of 2."""
        a = self.chain([0.0, 1.0]).save_gltf(self.path("a.glb"))
        b = self.chain([0.5, 0.5]).save_gltf(self.path("b.glb"))
        report = self.compared(a, b)
        self.assertEqual(report["verdict"], "different")  # where every joint turns by 45°
        self.assertFalse(report["everyPose"]["proved"])
        self.assertAlmostEqual(report["everyPose"]["bound"] * report["diagonal"], 1, 4)

    def test_joints_that_do_nothing(self):
        """At rest, without a clip, both are the same; no bone of B moves anything."""
        still = self.chain([0.0, 1.0])
        a = still.save_g4mf(self.path("a.g4tf"))
        text = Path(a).read_text()
        b = self.path("b.g4tf")
        with open(b, "w") as out:
            document = json.loads(text)
            rig = next(node for node in document["nodes"] if "skeleton" in node)
            rig["skeleton"]["joints"] = [-1 for _ in rig["skeleton"]["joints"]]
            json.dump(document, out)
        report = self.compared(a, b)
        self.assertEqual((report["verdict"], report["equal"]), ("different", False))
        parts = {part["kind"]: part["max"] for part in report["instances"][0]["parts"]}
        self.assertEqual(parts["rest"], 0)
        self.assertGreater(parts["stress"], 0.1)

    def test_a_joint_without_a_counterpart(self):
        a = self.chain([0.0, 1.0])
        b = a.copy()
        b.names = ["lower", "other"]
        b.parents, b.names = b.parents + [1], b.names + ["tip"]  # other numbers of slots: names alone decide
        b.at, b.turn, b.scale = np.vstack([b.at, [[0, 1, 0]]]), np.tile(np.eye(3), (3, 1, 1)), np.ones((3, 3))
        b.weights = np.hstack([b.weights, [[0.0], [0.0]]])
        report = self.compared(a.save_gltf(self.path("a.glb")), b.save_gltf(self.path("b.glb")))
        self.assertIsNone(report["everyPose"]["bound"])
        self.assertIn('"upper"', report["everyPose"]["why"])

    def test_a_joint_that_only_b_has(self):
        """It moves vertices, and no pose of A turns it: while it stays at rest, both agree."""
        a = self.chain([0.0, 1.0])
        b = a.copy()
        b.parents, b.names = b.parents + [1], b.names + ["tip"]
        b.at, b.turn, b.scale = np.vstack([b.at, [[0, 1, 0]]]), np.tile(np.eye(3), (3, 1, 1)), np.ones((3, 3))
        b.weights = np.array([[0.0, 0.25, 0.75], [1.0, 0, 0]])
        first, second = a.save_gltf(self.path("a.glb")), b.save_gltf(self.path("b.glb"))
        report = self.compared(first, second)
        self.assertEqual((report["verdict"], report["everyPose"]["proved"]), ("equal where sampled", False))
        self.assertLess(report["everyPose"]["bound"], 1e-6)
        self.assertIn('"tip" of the second file', report["everyPose"]["why"])
        self.assertIsNone(self.compared(second, first)["everyPose"]["bound"])


if __name__ == "__main__":
    main()
