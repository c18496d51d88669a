# SPDX-License-Identifier: MIT
"""There and back between glTF and G4MF: at rest, in all clips and with every blend shape, vertices are where they were.

Each file is compared with the one that it was made from: weights that glTF uses as they are and G4MF divides are left out once, not
in the end. Meshes of points beside other primitives become several in G4MF; such files have nothing to be compared with.
"""
import json
import os
import sys

from program import ROOT, ProgramTest, corpus_models, in_parallel, main, samples, sinew

from g4mf_rigs import RandomRig as G4mfRig
from gltf_builder import morphed_quad, tutorial_skin
from random_rigs import RandomRig as GltfRig

TOLERANCE = 1e-5


class RoundTrips(ProgramTest):
    def there_and_back(self, models, between, back):
        """[(name, path)] to a format and back; the end compared with the beginning, and the middle too."""

        def run(case):
            number, (name, path) = case
            middle, end = self.path(f"{number}{between}"), self.path(f"{number}{back}")
            ran = sinew("convert", path, middle, "-q")
            if ran.status == 0:
                ran = sinew("convert", middle, end, "-q")
            if ran.status != 0:
                return name, [ran]
            if len({self.instances(file) for file in (path, middle, end)}) != 1:
                return name, []
            pairs = ((path, middle), (middle, end))
            return name, [sinew("compare", *pair, "--match", "--json", "--tolerance", TOLERANCE) for pair in pairs]

        worst, apart, compared = 0.0, 0, 0
        for name, runs in in_parallel(run, list(enumerate(models))):
            compared += bool(runs)
            with self.subTest(model=name):
                for ran in runs:
                    self.assertIn(ran.status, (0, 1), str(ran) + ran.out[:2000])
                    report = json.loads(ran.out)
                    worst = max(worst, report["relativeMax"])
                    odd = sum(instance["apart"]["pairs"] for instance in report["instances"])
                    self.assertLessEqual(report["relativeMax"], float(TOLERANCE))
                    self.assertTrue(report["equal"] or odd > 0, ran.out[:2000])
                    apart += odd
        print(f"{self.id().rsplit('.', 1)[1]}: {compared} models, worst {worst:.1e} of the diagonal, {apart} pairs apart", file=sys.stderr)
        return compared

    def instances(self, path):
        return len(json.loads(self.succeeds("info", path, "--json").out)["instances"])

    def test_gltf_samples(self):
        built = [("skin", tutorial_skin().save(self.path("skin.glb"))), ("quad", morphed_quad().save(self.path("quad.glb")))]
        self.assertEqual(self.there_and_back(samples() + built, ".g4b", ".glb"), len(samples()) + 2)

    def test_g4mf_samples(self):
        folder = os.path.join(ROOT, "samples", "g4mf")
        names = ("component_types", "point_cloud", "scaled_bone", "shared_mesh", "stiff_tail")
        self.assertEqual(self.there_and_back([(name, os.path.join(folder, name + ".g4tf")) for name in names], ".glb", ".g4b"), len(names))

    def test_g4mf_rigs(self):
        rigs = [(f"g4mf {seed}", G4mfRig(seed).save(self.folder, f"rig{seed}")) for seed in range(1, 73, 6)]
        self.assertGreaterEqual(self.there_and_back(rigs, ".glb", ".g4b"), 5)

    def test_gltf_rigs(self):
        # Seed 7 animates a node whose own rotation has not length 1, which is told as a loss.
        rigs = [(f"gltf {seed}", GltfRig(seed).save(self.folder, f"rig{seed}")) for seed in range(16) if seed != 7]
        self.assertGreaterEqual(self.there_and_back(rigs, ".g4b", ".glb"), 5)

    def test_real_files(self):
        models = corpus_models()
        if not models:
            self.skipTest("no folder of real files (--shared FOLDER)")
        self.assertEqual(self.there_and_back(models, ".g4b", ".glb"), len(models))


if __name__ == "__main__":
    main()
