# SPDX-License-Identifier: MIT
"""Deforms random valid models with the program and with the oracle (tests/oracle): they must agree to 1e-5 of the diagonal."""
import collections
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from program import ProgramTest, in_parallel, main, sinew

import gltf_oracle as oracle
from random_rigs import RandomRig

SEEDS = range(60)
TOLERANCE = 1e-5


class RandomRigs(ProgramTest):
    def setUp(self):
        super().setUp()
        self.rigs = [RandomRig(seed) for seed in SEEDS]
        self.paths = [rig.save(self.folder, f"rig{seed:03}") for seed, rig in zip(SEEDS, self.rigs)]

    def compare(self, runs):
        """runs: [(label, model, options, expected)]; the program's output against the expected rows."""

        def run(case):
            number, (label, model, options, _) = case
            out = self.path(f"out{number}.npy")
            ran = sinew("deform", model, "-o", out, "-q", "--threads", "1", *options)
            return np.load(out) if ran.status == 0 else ran

        results = in_parallel(run, list(enumerate(runs)))
        worst = 0.0
        for (label, _, options, want), got in zip(runs, results):
            with self.subTest(rig=label, options=" ".join(options)):
                self.assertIsInstance(got, np.ndarray, str(got))
                self.assertEqual(got.dtype, np.float32)
                self.assertEqual(got.shape, want.shape)
                frames = zip(got, want) if want.ndim == 3 else [(got, want)]
                error = max((oracle.largest_error(*frame) for frame in frames), default=0.0)
                self.assertLessEqual(error, TOLERANCE)
                worst = max(worst, error)
        print(f"{self.id().rsplit('.', 1)[1]}: {len(runs)} runs, worst {worst:.1e} of the diagonal", file=sys.stderr)

    def test_every_way_of_storing_is_drawn(self):
        """The generator still covers what it claims to; without this, agreement would say less than it seems to."""
        seen = collections.Counter(feature for rig in self.rigs for feature in rig.features)
        paths = ("translation", "rotation", "scale", "weights")
        wanted = [f"{mode} {path}" for mode in ("STEP", "LINEAR", "CUBICSPLINE") for path in paths]
        wanted += [f"{n} sets" for n in (1, 2, 3)] + [f"{kind} weights" for kind in ("u1", "u2", "f4")] + [f"mode {m}" for m in range(7)]
        wanted += ["glb", "embedded", "external", "interleaved", "sparse attribute", "sparse target", "sparse on zeros", "node weights"]
        wanted += ["no bind matrices", "strict skeleton", "joints without skin", "skin without joints", "negative scale", "late start"]
        wanted += ["non-unit rotation", "weights not summing to 1", "quantised positions", "quantised targets", "several scenes"]
        wanted += ["no scenes"]
        self.assertEqual([feature for feature in wanted if not seen[feature]], [])

    def test_stored_pose(self):
        self.compare([(seed, path, [], oracle.evaluate(path)) for seed, path in zip(SEEDS, self.paths)])

    def test_single_times(self):
        """Every clip once inside and, by turns, before its first key, exactly at its end, and after it."""
        runs = []
        for seed, path in zip(SEEDS, self.paths):
            evaluator = oracle.Evaluator(oracle.Document(path))
            for clip in range(len(evaluator.json["animations"])):
                duration = evaluator.duration(clip)
                for time in (0.37 * duration, [0.0, duration, duration + 1][(seed + clip) % 3]):
                    options = ["--animation", str(clip), "--time", repr(time)]
                    runs.append((seed, path, options, oracle.evaluate(path, animation=clip, time=time)))
        self.compare(runs)

    def test_frames(self):
        """Five frames of the last clip: times from 0 to the duration, both included."""
        runs = []
        for seed, path in zip(SEEDS, self.paths):
            evaluator = oracle.Evaluator(oracle.Document(path))
            clip = len(evaluator.json["animations"]) - 1
            times = np.linspace(0, evaluator.duration(clip), 5)
            want = np.array([oracle.evaluate(path, animation=clip, time=float(time)) for time in times])
            runs.append((seed, path, ["--animation", str(clip), "--frames", "5"], want))
        self.compare(runs)

    def test_other_scenes(self):
        runs = []
        for seed, path, rig in zip(SEEDS, self.paths, self.rigs):
            for scene in range(len(rig.json.get("scenes", []))):
                runs.append((seed, path, ["--scene", str(scene)], oracle.evaluate(path, scene=scene)))
        self.compare(runs)

    def test_normals_and_tangents(self):
        """Where every primitive that is drawn has them."""
        runs = []
        for seed, path in zip(SEEDS, self.paths):
            evaluator = oracle.Evaluator(oracle.Document(path))
            clip, time = 0, 0.4 * evaluator.duration(0)
            for attribute in ("normal", "tangent"):
                blocks = [rows for _, _, rows in evaluator.instances(None, clip, time, attribute)]
                if blocks and all(rows is not None for rows in blocks):
                    options = ["--animation", "0", "--time", repr(time), "--attribute", attribute]
                    runs.append((seed, path, options, np.concatenate(blocks)))
        self.assertGreater(len(runs), 10)
        self.compare(runs)


if __name__ == "__main__":
    main()
