# SPDX-License-Identifier: MIT
"""Vertex caches, baked frames and vertex animation textures: independent readers find the vertices that `sinew deform` gives."""
import json
import os
import struct
from pathlib import Path

import numpy as np

from program import INPUT, OUTPUT, ROOT, USAGE, ProgramTest, corpus_models, main, samples, sinew

import gltf_oracle
from gltf_builder import Builder, tutorial_skin
from vertex_caches import read_mdd, read_pc2

G4MF_3D = os.path.join(ROOT, "samples", "g4mf", "scaled_bone.g4tf")
G4MF_4D = os.path.join(ROOT, "samples", "g4mf", "arm_4d.g4tf")
ROUNDING = 1e-6  # of the diagonal


def diagonal(positions):
    flat = positions.reshape(-1, 3)
    return float(np.linalg.norm(flat.max(0) - flat.min(0))) if len(flat) else 1.0


def still_model():
    """A triangle with an animation of one key at 0 s."""
    built = Builder()
    mesh = built.add("meshes", {"primitives": [{"attributes": {
        "POSITION": built.accessor(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4"), bounds=True, target=34962)}}]})
    node = built.add("nodes", {"mesh": mesh})
    built.add("scenes", {"nodes": [node]})
    built.json["scene"] = 0
    built.add("animations", {
        "samplers": [{"input": built.accessor(np.array([[0]], "<f4"), bounds=True), "output": built.accessor(np.array([[1, 2, 3]], "<f4"))}],
        "channels": [{"sampler": 0, "target": {"node": node, "path": "translation"}}]})
    return built


def without_clips():
    built = tutorial_skin()
    del built.json["animations"]
    return built


class CacheTest(ProgramTest):
    def strip(self):
        return tutorial_skin().save(self.path("strip.glb"))

    def leaves_nothing(self, *names):
        self.assertEqual([name for name in os.listdir(self.folder) if name not in names], [])

    def clips(self, path):
        return json.loads(self.succeeds("info", path, "--json").out)["animations"]


class Caches(CacheTest):
    def check(self, path, *options):
        want = self.deform(path, *options)
        want = want if want.ndim == 3 else want[None]
        pc2, mdd = self.path("out.pc2"), self.path("out.mdd")
        self.succeeds("deform", path, "-o", pc2, *options)
        self.succeeds("deform", path, "-o", mdd, *options)
        frames, start, sampling = read_pc2(pc2)
        np.testing.assert_array_equal(frames, want)
        self.assertEqual((start, sampling), (0, 1))
        frames, times = read_mdd(mdd)
        np.testing.assert_array_equal(frames, want)
        return times

    def test_a_clip(self):
        path = self.strip()
        duration = self.clips(path)[0]["duration"]
        times = self.check(path, "--animation", 0, "--frames", 7)
        np.testing.assert_allclose(times, np.linspace(0, duration, 7), rtol=1e-6)
        times = self.check(path, "--animation", 0, "--fps", 10)
        np.testing.assert_allclose(times, np.arange(len(times)) / 10, rtol=1e-6)

    def test_other_poses(self):
        path = self.strip()
        self.assertEqual(self.check(path), [0])
        self.check(path, "--animation", 0, "--time", 0.5)
        pose = self.write("pose.json", {"nodes": {"Upper": {"translation": [0, 3, 0]}}})
        self.check(path, "--animation", 0, "--frames", 3, "--pose", pose)
        self.check(path, "--max-influences", 1, "--animation", 0, "--frames", 3)

    def test_the_bytes_of_the_description(self):
        path = self.strip()
        self.check(path, "--animation", 0, "--frames", 2)
        data = Path(self.path("out.pc2")).read_bytes()
        self.assertEqual(data[:32].hex(), "504f494e5443414348453200" "01000000" "0a000000" "00000000" "0000803f" "02000000")
        data = Path(self.path("out.mdd")).read_bytes()
        self.assertEqual(data[:12].hex(), "00000002" "0000000a" "00000000")

    def test_samples_and_g4mf(self):
        for name, path in [*samples(), ("scaled_bone", G4MF_3D)]:
            with self.subTest(model=name):
                clips = [] if name == "scaled_bone" else self.clips(path)
                self.check(path, *(["--animation", 0, "--frames", 5] if clips else []))

    def test_a_clip_longer_than_a_piece(self):
        """More frames than are computed at once."""
        self.check(self.strip(), "--animation", 0, "--frames", 20001)

    def test_no_duration_and_no_vertices(self):
        self.assertEqual(self.check(still_model().save(self.path("still.glb")), "--animation", 0, "--frames", 3).tolist(), [0, 0, 0])
        empty = self.write("empty.gltf", {"asset": {"version": "2.0"}, "scenes": [{"nodes": []}], "scene": 0})
        self.succeeds("deform", empty, "-o", self.path("empty.pc2"))
        self.assertEqual(read_pc2(self.path("empty.pc2"))[0].shape, (1, 0, 3))

    def test_real_files(self):
        models = corpus_models()
        if not models:
            self.skipTest("no folder of real files (--shared FOLDER)")
        for name, path in models[::8]:
            with self.subTest(model=name):
                self.check(path, *(["--animation", 0, "--frames", 4] if self.clips(path) else []))

    def test_refused(self):
        path, out = self.strip(), self.path("out.pc2")
        self.fails(USAGE, "deform", G4MF_4D, "-o", out, says=["3 dimensions", "has 4"])
        self.fails(USAGE, "deform", path, "-o", out, "--attribute", "normal", says="--attribute needs a .npy output")
        self.fails(USAGE, "deform", path, "-o", self.path("out.abc"), says=[".pc2", ".mdd"])
        self.fails(OUTPUT, "deform", path, "-o", self.path("missing", "out.mdd"), says="missing")
        built = tutorial_skin()
        offset = built.json["bufferViews"][built.json["accessors"][0]["bufferView"]].get("byteOffset", 0)
        data = bytearray(Path(built.save(self.path("nan.glb"))).read_bytes())
        at = data.index(gltf_oracle.Document(self.path("nan.glb")).buffers[0][:16]) + offset
        data[at:at + 4] = struct.pack("<f", float("nan"))
        broken = self.write("nan.glb", bytes(data))
        self.fails(INPUT, "deform", broken, "-o", out, says="not a finite")
        self.leaves_nothing("strip.glb", "nan.glb")
        if os.path.exists("/dev/full"):
            os.symlink("/dev/full", self.path("full.pc2"))
            self.fails(OUTPUT, "deform", path, "-o", self.path("full.pc2"), says="No space left")


class Morphs(CacheTest):
    def check(self, path, *options, clip=0, near=ROUNDING):
        """The file plays what the model plays: to the program, and to the independent evaluation of the specification."""
        out = self.path("morphs.glb")
        self.succeeds("deform", path, "-o", out, "--animation", clip, *options, "--as-morphs", "-q")
        want = self.deform(path, "--animation", clip, *options)
        document = gltf_oracle.Document(out)
        animation = document.json["animations"][0]
        times = document.values(animation["samplers"][0]["input"])[:, 0]
        self.assertEqual(len(times), len(want))
        self.assertNotIn("skins", document.json)
        close = near * max(diagonal(want), np.abs(want).max())
        again = self.path("again.npy")
        for frame in sorted({0, 1 % len(times), len(times) // 2, len(times) - 1}):
            self.succeeds("deform", out, "-o", again, "--animation", 0, "--time", repr(float(times[frame])))
            np.testing.assert_allclose(np.load(again), want[frame], rtol=0, atol=close)
            np.testing.assert_allclose(gltf_oracle.evaluate(out, animation=0, time=float(times[frame])), want[frame], rtol=0, atol=close)
        ran = sinew("validate", out, "--format", "json")
        errors = [row for row in json.loads(ran.out)["issues"]["messages"] if row["severity"] == 0]
        was = [row for row in json.loads(sinew("validate", path, "--format", "json").out)["issues"]["messages"] if row["severity"] == 0]
        if not was:
            self.assertEqual(errors, [])
        return document.json

    def test_a_clip(self):
        made = self.check(self.strip(), "--frames", 6)
        mesh = made["meshes"][0]
        self.assertEqual([len(primitive["targets"]) for primitive in mesh["primitives"]], [6])
        self.assertEqual(mesh["extras"]["targetNames"], [f"frame_{i:04}" for i in range(6)])
        self.assertEqual(made["animations"][0]["name"], "Bend")
        sampler = made["animations"][0]["samplers"][0]
        self.assertEqual(sampler.get("interpolation", "LINEAR"), "LINEAR")
        self.assertEqual(made["accessors"][sampler["output"]]["count"], 36)
        self.assertEqual(made["accessors"][sampler["output"]]["componentType"], 5121)

    def test_sparse_where_smaller(self):
        made = self.check(self.strip(), "--frames", 6)
        targets = [made["accessors"][target["POSITION"]] for target in made["meshes"][0]["primitives"][0]["targets"]]
        self.assertNotIn("bufferView", targets[0], "the first frame moves nothing")
        self.assertTrue(all("bufferView" not in target for target in targets), "the lower half of the strip does not move")
        self.assertGreaterEqual(sum("sparse" in target for target in targets), 4)

    def test_samples(self):
        seen = 0
        for name, path in samples():
            for clip in range(len(self.clips(path))):
                with self.subTest(model=name, clip=clip):
                    made = self.check(path, "--frames", 5, clip=clip)
                    self.assertTrue(all(len(p["targets"]) == 5 for mesh in made["meshes"] for p in mesh["primitives"]))
                    seen += 1
        self.assertGreaterEqual(seen, 3)

    def test_normals(self):
        path = os.path.join(ROOT, "samples", "gltf", "tube_8_influences.gltf")
        self.check(path, "--frames", 5)
        out, time = self.path("morphs.glb"), self.clips(path)[0]["duration"] / 2
        got = self.deform(out, "--animation", 0, "--time", time, "--attribute", "normal")
        want = self.deform(path, "--animation", 0, "--time", time, "--attribute", "normal")
        self.assertGreater(np.abs(want - self.deform(path, "--attribute", "normal")).max(), 0.1, "the normals turn")
        np.testing.assert_allclose(got, want, atol=1e-5)

    def test_one_frame_and_no_duration(self):
        self.check(self.strip(), "--frames", 1)
        path, out = still_model().save(self.path("still.glb")), self.path("morphs.glb")
        ran = self.succeeds("deform", path, "-o", out, "--animation", 0, "--frames", 3, "--as-morphs")
        self.assertIn("2 of 3 frames are left out", ran.err)
        self.assertEqual(len(gltf_oracle.Document(out).json["meshes"][0]["primitives"][0]["targets"]), 1)

    def test_morphs_of_morphs_and_text(self):
        self.check(os.path.join(ROOT, "samples", "gltf", "morph_cube.gltf"), "--fps", 10)
        self.succeeds("deform", self.strip(), "-o", self.path("morphs.gltf"), "--animation", 0, "--frames", 3, "--as-morphs")
        self.assertEqual(len(gltf_oracle.Document(self.path("morphs.gltf")).json["animations"]), 1)

    def test_many_targets_are_reported(self):
        ran = self.succeeds("deform", self.strip(), "-o", self.path("many.glb"), "--animation", 0, "--frames", 257, "--as-morphs")
        self.assertIn("some engines support only 256", ran.err)

    def test_real_files(self):
        models = corpus_models()
        if not models:
            self.skipTest("no folder of real files (--shared FOLDER)")
        seen = 0
        for name, path in models[::4]:
            if self.clips(path):
                with self.subTest(model=name):
                    self.check(path, "--frames", 3)
                    seen += 1
        self.assertGreaterEqual(seen, 5)

    def test_refused(self):
        path, out = self.strip(), self.path("morphs.glb")
        self.fails(USAGE, "deform", path, "-o", self.path("x.ply"), "--animation", 0, "--frames", 2, "--as-morphs", says=".glb or .gltf")
        self.fails(USAGE, "deform", path, "-o", out, "--animation", 0, "--as-morphs", says="--as-morphs needs --frames or --fps")
        self.fails(USAGE, "deform", G4MF_4D, "-o", out, "--frames", 2, "--as-morphs", says="the file has no animations")
        self.fails(INPUT, "deform", path, "-o", out, "--animation", 0, "--frames", 1000000, "--as-morphs", says="--max-memory")
        self.fails(OUTPUT, "deform", path, "-o", self.path("missing", "m.glb"), "--animation", 0, "--frames", 2, "--as-morphs", says="missing")
        self.leaves_nothing("strip.glb")


if __name__ == "__main__":
    main()
