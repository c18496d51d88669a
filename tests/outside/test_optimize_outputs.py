# SPDX-License-Identifier: MIT
"""What sinew optimize writes: no finding that the input did not have, by this program and by the Khronos validator; three.js loads it, and
its vertices are those of sinew deform."""
import collections
import json
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from program import ProgramTest, corpus_models, in_parallel, main, samples, sinew

import gltf_oracle as oracle
import node_tools
from gltf_builder import write_glb
from test_optimize import codes_of, json_of
from test_three import FROM_CORPUS, SAMPLES_THAT_DEPART

TOLERANCE = 1e-5
EDITS = {
    "exact": ("--max-error", "0"),
    "plain": ("--max-error", "1e-3"),
    "meshopt": ("--max-error", "1e-3", "--compress", "meshopt"),
    "khr": ("--max-error", "1e-4", "--compress", "khr-meshopt"),
}
# Khronos's validator does not know the extensions of compression, and sinew validate says the same. So a buffer that only they use counts as
# unused.
OF_COMPRESSION = {"UNSUPPORTED_EXTENSION"}


def setUpModule():
    node_tools.require()


def without_materials(source, out):
    """A copy of a `.glb` without materials and images, which three.js would need a browser to load."""
    document = json_of(source)
    for name in ("materials", "textures", "images", "samplers", "extensions"):
        document.pop(name, None)
    for name in ("extensionsUsed", "extensionsRequired"):
        kept = [one for one in document.pop(name, []) if one.endswith("_meshopt_compression") or one == "KHR_mesh_quantization"]
        if kept:
            document[name] = kept
    for mesh in document.get("meshes", []):
        for primitive in mesh["primitives"]:
            primitive.pop("material", None)
            primitive.pop("extensions", None)
    with open(source, "rb") as file:
        data = file.read()
    start = 20 + int.from_bytes(data[12:16], "little")
    write_glb(out, document, data[start + 8 :])
    return out


class OptimizedFiles(ProgramTest):
    def optimized(self, models, edits):
        """(model, edit, output) of each model and edit; models that cannot be measured are left out."""
        runs = [(model, edit, self.path(f"{number}-{edit}.glb")) for number, model in enumerate(models) for edit in edits]
        done = in_parallel(lambda run: sinew("optimize", run[0], "-o", run[2], "-q", *EDITS[run[1]], timeout=300), runs)
        for run, result in zip(runs, done):
            self.assertIn(result.status, (0, 3, 5), f"{run}: {result}")
        return [run for run, result in zip(runs, done) if result.status == 0]

    def test_no_new_findings(self):
        models = [path for _, path in samples() + corpus_models()]
        runs = self.optimized(models, EDITS)
        self.assertGreater(len(runs), 0.9 * len(models) * len(EDITS))
        files = sorted({path for model, _, out in runs for path in (model, out)})
        ours = dict(zip(files, in_parallel(codes_of, files)))
        theirs = {path: collections.Counter(issue["code"] for issue in issues) for path, issues in node_tools.issues(files).items()}
        compressed = 0
        for model, edit, out in runs:
            with self.subTest(model=os.path.basename(model), edit=edit):
                used = any(name.endswith("_meshopt_compression") for name in json_of(out).get("extensionsRequired", []))
                compressed += used
                for found in (ours, theirs):
                    new = {code for code, count in found[out].items() if count > found[model].get(code, 0) + (used and code == "UNUSED_OBJECT")}
                    self.assertLessEqual(new - set(found[model]), OF_COMPRESSION if used else set())
        self.assertGreater(compressed, 5)

    def test_three_sees_the_same_vertices(self):
        models = [path for name, path in samples() if name not in SAMPLES_THAT_DEPART]
        models += [path for name, path in corpus_models() if name in FROM_CORPUS]
        cases = []
        for model, _, out in self.optimized(models, ("plain", "meshopt")):
            bare = without_materials(out, out[:-4] + "-bare.glb")
            clips = json_of(out).get("animations", [])
            duration = json.loads(sinew("info", out, "--json").out)["animations"][0]["duration"] if clips else 0
            cases += [(out, bare, None, 0.0)] + [(out, bare, 0, part * duration) for part in (0.0, 0.4, 1.0) if clips]
        jobs = [{"model": bare, "animation": animation, "time": time, "out": self.path(f"three{number}.bin")}
                for number, (_, bare, animation, time) in enumerate(cases)]
        node_tools.run("three_compare.mjs", self.write("jobs.json", jobs))

        def seen(case):
            number, (out, _, animation, time) = case
            options = [] if animation is None else ["--animation", str(animation), "--time", repr(time)]
            ran = sinew("deform", out, "-o", self.path(f"sinew{number}.npy"), "-q", *options)
            return np.load(self.path(f"sinew{number}.npy")) if ran.status == 0 else ran

        worst = 0
        for (out, _, animation, time), job, got in zip(cases, jobs, in_parallel(seen, list(enumerate(cases)))):
            with self.subTest(model=os.path.basename(out), animation=animation, time=time):
                self.assertIsInstance(got, np.ndarray, str(got))
                three = np.fromfile(job["out"], "<f8").reshape(-1, 3)
                self.assertEqual(got.shape, three.shape)
                error = oracle.largest_error(got, three)
                self.assertLessEqual(error, TOLERANCE)
                worst = max(worst, error)
        self.assertGreaterEqual(len(cases), 10)
        print(f"{len(cases)} poses, worst {worst:.1e} of the diagonal", file=sys.stderr)


if __name__ == "__main__":
    main()
