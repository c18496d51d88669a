# SPDX-License-Identifier: MIT
"""Static G4MF files from `sinew deform`: valid by the official JSON Schemas, with the same vertices, normals and texture maps."""
import json
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cli"))
from program import ROOT, SETTINGS, ProgramTest, corpus_models, in_parallel, main, samples, sinew

import g4mf_corners as corners
import node_tools
from g4mf_oracle import Document, evaluate
from g4mf_rigs import RandomRig
from random_rigs import RandomRig as GltfRig

FOLDER = os.path.join(ROOT, "samples", "g4mf")


def g4mf_samples():
    return [(name, os.path.join(FOLDER, name)) for name in sorted(os.listdir(FOLDER)) if name.endswith((".g4tf", ".g4b"))]


class Outputs(ProgramTest):
    def written(self, models):
        """{name: (model, .g4b, .g4tf)}: each model at its own state, in both containers."""
        def run(case):
            number, (name, model) = case
            outs = [self.path(f"{number}{extension}") for extension in (".g4b", ".g4tf")]
            return name, (model, *outs), [sinew("deform", model, "-o", out, "-q") for out in outs]

        ran = in_parallel(run, list(enumerate(models)))
        for name, _, results in ran:
            for result in results:
                self.assertEqual(result.status, 0, f"{name}\n{result}")
        return {name: files for name, files, _ in ran}

    def check(self, models):
        written = self.written(models)
        for name, (model, *outs) in written.items():
            with self.subTest(model=name):
                want = self.deform(model)
                for out in outs:
                    np.testing.assert_array_equal(self.deform(out).view(np.uint32), want.view(np.uint32))
                    np.testing.assert_array_equal(evaluate(out).astype(np.float32), want)
                    self.assertEqual(self.succeeds("info", "-v", out).err, "")
                    self.check_text(out)
        self.check_schemas(written)

    def check_text(self, path):
        """No carriage return or other control characters; data aligned, padding as it should be."""
        with open(path, "rb") as file:
            data = file.read()
        if path.endswith(".g4b"):
            size = int.from_bytes(data[24:32], "little")
            data, padding = data[32 : 32 + size], data[32 + size : 32 + size + -size % 16]
            self.assertIn(padding, (b"", b" " * len(padding)))
        self.assertFalse([byte for byte in data if byte < 0x20 and byte not in (9, 10) or byte == 0x7F])
        document = json.loads(data)
        for accessor in document.get("accessors", []):
            self.assertEqual(document["bufferViews"][accessor["bufferView"]].get("byteOffset", 0) % 4, 0)

    def check_schemas(self, written):
        schemas = os.path.join(SETTINGS.shared or "", "conformance", "g4mf-schema")
        if not SETTINGS.shared or not os.path.isdir(schemas):
            return
        node_tools.require()
        paths = {self.write(f"{number}.json", Document(files[2]).json): name for number, (name, files) in enumerate(written.items())}
        found = json.loads(node_tools.run("g4mf_schemas.mjs", schemas, *(f"2026-01={path}" for path in paths)))
        for path, name in paths.items():
            with self.subTest(model=name):
                self.assertEqual(found[path], [])

    def test_g4mf_samples(self):
        self.assertGreaterEqual(len(g4mf_samples()), 19)
        self.check(g4mf_samples())

    def test_gltf_samples(self):
        self.check(samples())

    def test_random_rigs(self):
        self.check([(f"g4mf {seed}", RandomRig(seed).save(self.folder, f"rig{seed}")) for seed in range(36)])

    def test_random_gltf_rigs(self):
        self.check([(f"gltf {seed}", GltfRig(seed).save(self.folder, f"rig{seed}")) for seed in range(30)])

    def test_real_files(self):
        models = corpus_models()
        if not models:
            self.skipTest("no folder of real files (--shared FOLDER)")
        written = self.written(models)
        for name, (model, binary, _) in written.items():
            with self.subTest(model=name):
                np.testing.assert_array_equal(self.deform(binary), self.deform(model))
        self.check_schemas(written)

    def test_normals_and_texture_maps(self):
        """Of rigs without mirrored instances, which turn around."""
        checked = 0
        for seed in range(72):
            rig = RandomRig(seed)
            if "mirroring basis" in rig.features or "zstd" in rig.features:
                continue
            model = rig.save(self.folder, f"rig{seed}")
            out = self.path(f"{seed}.g4b")
            self.succeeds("deform", model, "-o", out, "-q")
            with self.subTest(rig=seed):
                want, got = corners.evaluate_texture_maps(model), corners.evaluate_texture_maps(out)
                np.testing.assert_allclose(got, want, atol=2e-6)
                want, got = corners.evaluate_normals(model), corners.evaluate_normals(out)
                directed = want.any(axis=1) | ~got.any(axis=1)  # what has no direction is stored with one: the last axis
                np.testing.assert_allclose(got[directed], want[directed], atol=1e-4)
                np.testing.assert_array_equal(got[~directed], np.broadcast_to(np.eye(rig.dimension)[-1], got[~directed].shape))
            checked += 1
        self.assertGreater(checked, 9)


if __name__ == "__main__":
    main()
