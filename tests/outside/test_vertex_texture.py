# SPDX-License-Identifier: MIT
"""examples/vertex_texture plays baked textures in Chromium with three.js: its shader gives the vertices of `sinew deform`."""
import json
import os
import shutil
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from program import ROOT, ProgramTest, corpus_models, main

import node_tools
from gltf_builder import tutorial_skin
from vertex_caches import Texture

BROWSER = next((path for path in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if path), None)
FPS = 10


def setUpModule():
    node_tools.require()


class VertexTexture(ProgramTest):
    def setUp(self):
        if not BROWSER:
            self.skipTest("chromium is needed")
        super().setUp()

    def play(self, names, frames):
        jobs = self.write("jobs.json", [{"model": name, "frames": frames[name]} for name in names])
        node_tools.run_alone("vertex_texture_page.mjs", BROWSER, self.path("baked"), jobs, self.path("answers.json"))
        answers = json.loads(Path(self.path("answers.json")).read_text(encoding="utf-8"))
        self.assertEqual(answers["complaints"], [])
        return dict(zip(names, answers["results"]))

    def check(self, models):
        """models: name → (path, options of bake)."""
        textures, frames = {}, {}
        for name, (path, options) in models.items():
            copy = shutil.copy(path, self.path(f"{name}{Path(path).suffix}"))
            for beside in Path(path).parent.glob("*.bin"):
                shutil.copy(beside, self.folder)
            self.succeeds("bake", copy, "-o", self.path("baked"), "--fps", FPS, "-q", *options)
            textures[name] = Texture(self.path("baked"), name)
            last = textures[name].frames - 1
            frames[name] = [[frame, frame, 0] for frame in sorted({0, last // 2, last})] + [[0, last, 0.5]]
        for name, played in self.play(list(models), frames).items():
            with self.subTest(model=name):
                texture = textures[name]
                self.assertGreater(played["colors"], 4, "the page draws the model")
                want = np.concatenate([self.deform(models[name][0], "--animation", row["animation"], "--fps", FPS) for row in texture.info["clips"]])
                for (first, second, blend), found in zip(frames[name], played["frames"]):
                    positions = np.array(found["positions"]).reshape(-1, 3)
                    expected = want[first] * (1 - blend) + want[second] * blend
                    self.assertLessEqual(np.linalg.norm(positions - expected, axis=1).max(), texture.info["maxError"])
                    if texture.normal_texels is not None and blend == 0:
                        normals = np.array(found["normals"]).reshape(-1, 3)
                        np.testing.assert_allclose(normals, texture.normals(first), atol=1e-5)

    def test_samples(self):
        tube = os.path.join(ROOT, "samples", "gltf", "tube_8_influences.gltf")
        strip = tutorial_skin().save(self.path("source.glb"))
        self.check({"tube16": (tube, []), "tube8": (tube, ["--format", "png8"]), "tubehalf": (tube, ["--format", "exr"]),
                    "strip": (strip, ["--max-size", "60"]), "cube": (os.path.join(ROOT, "samples", "gltf", "morph_cube.gltf"), [])})

    def test_real_files(self):
        models = {name: (path, []) for name, path in corpus_models() if name in ("rigged_figure", "morph_stress")}
        if not models:
            self.skipTest("no folder of real files (--shared FOLDER)")
        self.check(models)


if __name__ == "__main__":
    main()
