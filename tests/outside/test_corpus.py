# SPDX-License-Identifier: MIT
"""Deforms real files whose vertices were computed elsewhere. FOLDER/corpus/NAME/oracle/manifest.json lists the poses of a file, each with
the expected vertices as raw float32; INDEX.tsv may widen the tolerance of a file. Skipped if the folder is absent."""
import csv
import json
import os
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from program import SETTINGS, ProgramTest, corpus_models, in_parallel, main, sinew

import gltf_oracle as oracle


def tolerances():
    index = os.path.join(SETTINGS.shared, "corpus", "INDEX.tsv")
    if not os.path.exists(index):
        return {}
    with open(index, encoding="utf-8", newline="") as file:
        return {row["name"]: float(row["tolerance"]) for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}


class Corpus(ProgramTest):
    def test_every_pose_agrees(self):
        models = corpus_models()
        if not models:
            self.skipTest("no folder of real files with known results (--shared FOLDER)")
        allowed = tolerances()
        cases = []
        for name, model in models:
            folder = os.path.join(os.path.dirname(model), "oracle")
            with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
                cases += [(name, model, pose, os.path.join(folder, pose["bin"])) for pose in json.load(file)["poses"]]

        def run(case):
            number, (_, model, pose, _) = case
            out = self.path(f"{number}.npy")
            clip = [] if pose["animation"] is None else ["--animation", str(pose["animation"]), "--time", repr(pose["time"])]
            ran = sinew("deform", model, "-o", out, "-q", "--threads", "1", *clip)
            return np.load(out) if ran.status == 0 else ran

        for (name, _, pose, expected), got in zip(cases, in_parallel(run, list(enumerate(cases)))):
            with self.subTest(file=name, pose=pose["bin"]):
                self.assertIsInstance(got, np.ndarray, str(got))
                want = np.fromfile(expected, dtype="<f4").reshape(-1, 3)
                self.assertEqual(got.shape, want.shape)
                self.assertLessEqual(oracle.largest_error(got, want), allowed.get(name, 1e-5))
        print(f"{len(cases)} poses of {len(models)} files", file=sys.stderr)


if __name__ == "__main__":
    main()
