# SPDX-License-Identifier: MIT
"""Deforms random valid G4MF rigs in 2 to 7 dimensions with the program and with the oracle: they must agree to 2e-5 of the diagonal."""
import collections
import os
import shutil
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from program import USAGE, ProgramTest, in_parallel, main, sinew

import g4mf_corners as corners
import g4mf_oracle as oracle
from g4mf_rigs import RandomRig

SEEDS = range(72)
TOLERANCE = 2e-5


class RandomRigs(ProgramTest):
    def setUp(self):
        super().setUp()
        self.rigs = [RandomRig(seed) for seed in SEEDS]
        self.paths = [rig.save(self.folder, f"rig{seed:03}") for seed, rig in zip(SEEDS, self.rigs)]

    def compare(self, poses, attribute="position"):
        """One pose, or None, for every rig."""
        evaluate = {"position": oracle.evaluate, "normal": corners.evaluate_normals, "texcoord": corners.evaluate_texture_maps}[attribute]
        cases = [(seed, path, pose) for seed, path, pose in zip(SEEDS, self.paths, poses)]
        if not shutil.which("zstd"):
            cases = [case for case in cases if "zstd" not in self.rigs[case[0]].features]
            print(f"{len(SEEDS) - len(cases)} rigs left out: the command zstd is needed to read them", file=sys.stderr)

        def run(case):
            seed, path, pose = case
            out = self.path(f"out{seed}.npy")
            options = ["--pose", self.write(f"pose{seed}.json", pose)] if pose else []
            ran = sinew("deform", path, "-o", out, "-q", "--threads", "1", "--attribute", attribute, *options)
            return np.load(out) if ran.status == 0 else ran

        worst = 0.0
        for (seed, path, pose), got in zip(cases, in_parallel(run, cases)):
            with self.subTest(rig=seed, dimension=self.rigs[seed].dimension, revision=self.rigs[seed].revision):
                want = evaluate(path, pose)
                if not np.isfinite(want).any() or attribute == "normal" and not want.any():  # nothing to write, which the program says
                    self.assertEqual(got.status, USAGE, str(got))
                    continue
                self.assertIsInstance(got, np.ndarray, str(got))
                self.assertEqual(got.shape, want.shape)
                np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
                error = oracle.largest_error(np.nan_to_num(got), np.nan_to_num(want))
                self.assertLessEqual(error, TOLERANCE)
                worst = max(worst, error)
        print(f"{self.id().rsplit('.', 1)[1]}: {len(cases)} rigs, worst {worst:.1e} of the diagonal", file=sys.stderr)

    def test_every_way_of_storing_is_drawn(self):
        """The generator still covers what it claims to; without this, agreement would say less than it seems to."""
        seen = collections.Counter(feature for rig in self.rigs for feature in rig.features)
        wanted = [f"dimension {n}" for n in range(2, 8)] + ["2025-08", "2026-01", "2026-07", "text", "binary", "zstd"]
        wanted += [f"float{bits}" for bits in (8, 16, 32, 64, 128)]
        wanted += [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64, 128)]
        wanted += ["rotor of one plane", "rotor cut after a grade", "full rotor", "rotor of another length", "basis", "mirroring basis"]
        wanted += ["one scale", "scale by axis", "repeated joint", "joint -1", "unlisted vertex", "weights not summing to 1"]
        wanted += ["groups beyond the joints", "blend shapes", "amounts of an instance", "one mesh under two skeletons"]
        wanted += ["normals", "textureMap", "binding", "targets of normals", "targets of flat normals", "targets of textureMap"]
        self.assertEqual([feature for feature in wanted if not seen[feature]], [])

    def test_stored_pose(self):
        self.compare([None] * len(self.rigs))

    def test_pose_files(self):
        self.compare([rig.pose() for rig in self.rigs])

    def test_normals_of_corners(self):
        self.compare([rig.pose() if seed % 3 else None for seed, rig in zip(SEEDS, self.rigs)], "normal")

    def test_texture_maps_of_corners(self):
        self.compare([rig.pose() if seed % 3 else None for seed, rig in zip(SEEDS, self.rigs)], "texcoord")


if __name__ == "__main__":
    main()
