# SPDX-License-Identifier: MIT
"""The oracle itself: the tutorial's numbers, and the independently computed vertices of a folder of real files.

    python3 test_oracle.py [--shared FOLDER]     FOLDER/corpus/NAME/oracle/manifest.json names poses; skipped where absent
"""
import json
import os
import sys
import tempfile
import unittest

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gltf_oracle as oracle
from gltf_builder import tutorial_skin

SHARED = None
UNREAD = {"KHR_draco_mesh_compression", "EXT_meshopt_compression"}  # the oracle reads uncompressed data only


class Tutorial(unittest.TestCase):
    def test_bent_by_ninety_degrees(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "skin.gltf")
            half = np.sqrt(0.5)
            tutorial_skin(rotation=[0, 0, half, half]).save(path)
            got = oracle.evaluate(path)
        for vertex, want in {9: (-1, 1.5), 6: (-0.5, 0.75), 4: (-0.25, 0.75)}.items():
            np.testing.assert_allclose(got[vertex], [*want, 0], atol=1e-12)

    def test_bind_pose_is_the_mesh(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "skin.gltf")
            tutorial_skin().save(path)
            np.testing.assert_allclose(oracle.evaluate(path)[:, 1], np.repeat([0, 0.5, 1, 1.5, 2], 2), atol=1e-12)


class Corpus(unittest.TestCase):
    def test_agrees_with_independent_results(self):
        corpus = os.path.join(SHARED or "", "corpus")
        if not SHARED or not os.path.isdir(corpus):
            self.skipTest("no folder of real files with known results (--shared FOLDER)")
        poses = 0
        for name in sorted(os.listdir(corpus)):
            folder = os.path.join(corpus, name)
            manifest_path = os.path.join(folder, "oracle", "manifest.json")
            if not os.path.exists(manifest_path):
                continue
            with open(manifest_path, encoding="utf-8") as file:
                manifest = json.load(file)
            model = os.path.join(folder, manifest["file"])
            if UNREAD & set(oracle.Document(model).json.get("extensionsUsed", [])):
                continue
            for pose in manifest["poses"]:
                with self.subTest(file=name, pose=pose["bin"]):
                    got = oracle.evaluate(model, animation=pose["animation"], time=pose["time"] or 0.0)
                    want = np.fromfile(os.path.join(folder, "oracle", pose["bin"]), "<f4").reshape(-1, 3)
                    self.assertEqual(got.shape, want.shape)
                    self.assertLessEqual(oracle.largest_error(got, want.astype(float)), 1e-5)
                    poses += 1
        self.assertGreater(poses, 100)


if __name__ == "__main__":
    if "--shared" in sys.argv:
        at = sys.argv.index("--shared")
        SHARED = os.path.abspath(sys.argv[at + 1])
        del sys.argv[at : at + 2]
    unittest.main()
