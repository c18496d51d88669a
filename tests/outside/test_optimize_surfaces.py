# SPDX-License-Identifier: MIT
"""What sinew optimize --triangles and --lods promise, judged by numpy: points of both surfaces, at rest and in moments of the animations,
lie within R of the other surface, or within the reported error of a level."""
import json
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from program import ProgramTest, corpus_models, in_parallel, main, samples, sinew

from surface_judge import Triangles, distances, furthest, level_counts, show_level, triangle_count
from test_optimize import json_of

R = 2e-2
UNREAD = {"KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression", "EXT_mesh_gpu_instancing",
          "KHR_animation_pointer", "STAIK_skeletons"}


class Surfaces(ProgramTest):
    def simplified(self, source, out, r=R, *more):
        return sinew("optimize", source, "-o", out, "--triangles", "0.5", "--max-error", repr(r), "--json", *more, timeout=300)

    def readable(self, model):
        document = json_of(model)
        return document.get("meshes") and not UNREAD & set(document.get("extensionsUsed", [])) and os.path.getsize(model) < 2_000_000

    def test_every_point_of_each_surface_is_within_r_of_the_other_one(self):
        models = [path for _, path in samples() + corpus_models() if path.endswith((".glb", ".gltf")) and self.readable(path)]
        runs = [(model, self.path(f"{i}.glb")) for i, model in enumerate(models)]
        done = in_parallel(lambda run: self.simplified(*run), runs)
        judged, reduced = 0, []
        for (model, out), result in zip(runs, done):
            if result.status != 0 or "triangles" not in (report := json.loads(result.out)):
                continue
            if len(json_of(model).get("animations", [])) != len(json_of(out).get("animations", [])):
                continue
            with self.subTest(model=os.path.basename(model)):
                worst, before, after = distances(model, out, most=3000, reach=2 * R, times=(0.19, 0.77))
                self.assertLessEqual(worst, R)
                self.assertLessEqual(worst, report["surfaceError"] + 2e-6)
                self.assertLessEqual(report["surfaceError"], R)
                self.assertEqual((before, after), (report["triangles"]["before"], report["triangles"]["after"]))
                judged += 1
                reduced.append(after / before)
        self.assertGreaterEqual(judged, 6)
        self.assertLess(min(reduced), 0.6)
        print(f"{judged} files judged; median ratio {np.median(reduced):.2f}", file=sys.stderr)

    def test_every_level_keeps_its_reported_error(self):
        models = [path for _, path in samples() + corpus_models() if path.endswith((".glb", ".gltf")) and self.readable(path)]
        runs = [(model, self.path(f"{i}.glb")) for i, model in enumerate(models)]
        done = in_parallel(lambda run: sinew("optimize", run[0], "-o", run[1], "--lods", "0.5,0.25", "--max-error", "1e-4", "--json",
                                             timeout=300), runs)
        judged = 0
        for (model, out), result in zip(runs, done):
            if result.status != 0 or "lods" not in (report := json.loads(result.out)):
                continue
            if len(json_of(model).get("animations", [])) != len(json_of(out).get("animations", [])):
                continue
            with self.subTest(model=os.path.basename(model)):
                self.assertLessEqual(report["error"], 1e-4)
                levels = report["lods"]
                self.assertEqual(set(level_counts(out)), {len(levels)})
                finer = triangle_count(out)
                for number, level in enumerate(levels):
                    shown = show_level(out, number, self.path("level.glb"))
                    worst, before, after = distances(model, shown, most=3000, reach=2 * level["surfaceError"], times=(0.19, 0.77))
                    self.assertLessEqual(worst, level["surfaceError"] + 2e-6)
                    self.assertLess(after, finer)
                    finer = after
                    judged += 1
        self.assertGreaterEqual(judged, 12)
        print(f"{judged} levels judged", file=sys.stderr)

    def test_the_judge_finds_a_broken_promise(self):
        model = next(path for _, path in samples() if "tube_8" in path)
        out = self.path("tube.glb")
        result = self.simplified(model, out, 0.05, "--steps", "triangles")
        self.assertEqual(result.status, 0, result.err)
        worst = distances(model, out, most=2000)[0]
        self.assertGreater(worst, 1e-3)
        self.assertLessEqual(worst, 0.05)

    def test_the_judge_knows_the_distance_from_a_triangle(self):
        a, b, c = (np.array([corner], float) for corner in ([0, 0, 0], [1, 0, 0], [0, 1, 0]))
        points = np.array([[0.2, 0.2, 2.0], [3, 0, 0], [1, 1, 0], [0.2, 0.2, 0]])
        np.testing.assert_allclose(Triangles(a, b, c).distances(points, np.zeros(4, int)), [2, 2, np.sqrt(0.5), 0], atol=1e-12)
        rows = np.concatenate([a, b, c])
        self.assertAlmostEqual(furthest(points, rows, np.array([[0, 1, 2]]), 5), 2)


if __name__ == "__main__":
    main()
