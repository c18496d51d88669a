# SPDX-License-Identifier: MIT
"""What sinew optimize promises, judged by numpy over the streams that npm's meshoptimizer decodes: vertices, normals, tangents and texture
coordinates."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from program import ProgramTest, corpus_models, in_parallel, main, samples, sinew

import node_tools
from promise_judge import judge
from test_optimize import json_of

LIMITS = ((1e-3, 0.5, 1 / 8192), (1e-4, 2.0, 1 / 1024))
UNREAD = {"KHR_draco_mesh_compression", "EXT_mesh_gpu_instancing", "KHR_animation_pointer"}


def setUpModule():
    node_tools.require()


class Promise(ProgramTest):
    def optimized(self, source, out, limits):
        r, degrees, texcoord = limits
        return sinew("optimize", source, "-o", out, "--compress", "meshopt", "--max-error", repr(r), "--normal-error", repr(degrees),
                     "--texcoord-error", repr(texcoord), "--json", timeout=300)

    def readable(self, model):
        document = json_of(model)
        weights = document.get("meshes") and not UNREAD & set(document.get("extensionsUsed", []))
        return weights and os.path.getsize(model) < 2_000_000

    def test_every_vertex_stays_within_its_limits(self):
        models = [path for name, path in samples() + corpus_models() if path.endswith((".glb", ".gltf")) and self.readable(path)]
        runs = [(model, limits, self.path(f"{i}-{k}.glb")) for i, model in enumerate(models) for k, limits in enumerate(LIMITS)]
        done = in_parallel(lambda run: self.optimized(run[0], run[2], run[1]), runs)
        runs = [run + (json.loads(result.out),) for run, result in zip(runs, done) if result.status == 0]
        pairs = []
        for model, _, out, _ in runs:
            plain = model
            if "EXT_meshopt_compression" in json_of(model).get("extensionsUsed", []):
                plain = out[:-4] + "-before.glb"
                pairs += [model, plain]
            pairs += [out, out[:-4] + "-after.glb"]
        node_tools.run("decode_meshopt.mjs", *pairs)
        judged = 0
        for model, limits, out, report in runs:
            before = out[:-4] + "-before.glb"
            if len(json_of(model).get("animations", [])) != len(json_of(out).get("animations", [])):
                continue
            with self.subTest(model=os.path.basename(model), limits=limits):
                worst, measured = judge(before if os.path.exists(before) else model, out[:-4] + "-after.glb", *limits)
                self.assertLessEqual(worst, 1, measured)
                self.assertLessEqual(max(measured.get("normal", 0), measured.get("tangent", 0)), report["normalError"] + 1e-3)
                self.assertLessEqual(measured.get("texcoord", 0), report["texcoordError"] + 1e-6)
                judged += 1
        self.assertGreaterEqual(judged, 10)
        print(f"{judged} files judged", file=sys.stderr)

    def test_the_judge_finds_a_broken_promise(self):
        model = next(path for _, path in samples() if "tube_8" in path)
        out, plain = self.path("tube.glb"), self.path("tube-plain.glb")
        self.assertEqual(self.optimized(model, out, (1e-3, 0.5, 1e-4)).status, 0)
        node_tools.run("decode_meshopt.mjs", out, plain)
        self.assertLessEqual(judge(model, plain, 1e-3, 0.5, 1e-4)[0], 1)
        self.assertGreater(judge(model, plain, 1e-5, 0.5, 1e-4)[0], 1)
        self.assertGreater(judge(model, plain, 1e-3, 0.01, 1e-4)[0], 1)


if __name__ == "__main__":
    main()
