# SPDX-License-Identifier: MIT
"""Vertex caches, baked frames and vertex animation textures: independent readers find the vertices that `sinew deform` gives."""
import json
import os
import resource
import struct
from pathlib import Path

import numpy as np

from program import INPUT, OUTPUT, ROOT, USAGE, ProgramTest, corpus_models, main, samples, sinew

import gltf_oracle
from gltf_builder import Builder, tutorial_skin
from vertex_caches import Texture, read_mdd, read_pc2

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


def mirrored_pair():
    """Two instances of a triangle with normals; the second one is mirrored. Both move."""
    built = Builder()
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4")
    mesh = built.add("meshes", {"primitives": [{"attributes": {
        "POSITION": built.accessor(corners, bounds=True, target=34962),
        "NORMAL": built.accessor(np.array([[0, 0, 1], [0, 0.6, 0.8], [0.8, 0, 0.6]], "<f4"), target=34962)}}]})
    nodes = [built.add("nodes", {"mesh": mesh, "translation": [x, 0, 0], "scale": [x, 1, 1]}) for x in (1, -1)]
    built.add("scenes", {"nodes": nodes})
    built.json["scene"] = 0
    times = built.accessor(np.array([[0], [1]], "<f4"), bounds=True)
    values = built.accessor(np.array([[0, 0, 0, 1], [0, 0, 0.6, 0.8]], "<f4"))
    built.add("animations", {"samplers": [{"input": times, "output": values}],
                             "channels": [{"sampler": 0, "target": {"node": node, "path": "rotation"}} for node in nodes]})
    return built


class CacheTest(ProgramTest):
    def g4mf(self):
        """A rig of G4MF with an animation: values by corner, which a .glb splits into vertices."""
        out = self.path("tube.g4b")
        self.succeeds("convert", os.path.join(ROOT, "samples", "gltf", "tube_8_influences.gltf"), out, "-q")
        return out

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

    def test_mirrored_instances(self):
        made = self.check(mirrored_pair().save(self.path("pair.glb")), "--frames", 4)
        self.assertEqual(len(made["animations"][0]["channels"]), 2)

    def test_g4mf(self):
        """Vertices are split where corners differ, so each has a row of the model, and each row a vertex."""
        out = self.path("morphs.glb")
        path = self.g4mf()
        self.succeeds("deform", path, "-o", out, "--animation", 0, "--frames", 4, "--as-morphs", "-q")
        want = self.deform(path, "--animation", 0, "--frames", 4)
        times = np.linspace(0, self.clips(path)[0]["duration"], 4)
        for frame in range(4):
            got = gltf_oracle.evaluate(out, animation=0, time=float(np.float32(times[frame])))
            distances = np.linalg.norm(np.asarray(got)[:, None] - want[frame][None], axis=-1)
            self.assertLess(max(distances.min(0).max(), distances.min(1).max()), 1e-5 * diagonal(want))

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


class Textures(CacheTest):
    def bake(self, path, *options, name=None):
        out = self.path("baked")
        self.succeeds("bake", path, "-o", out, "-q", *options)
        return Texture(out, name or Path(path).stem)

    def check(self, path, *options, split=False):
        """The stated errors hold for every clip and frame. `split`: the mesh has more vertices than the model. Returns the texture."""
        texture = self.bake(path, *options)
        info = texture.info
        rows = texture.places[:, 0] // texture.frames * info["width"] + texture.places[:, 1]
        self.assertEqual(sorted(set(rows)), list(range(info["vertices"])))
        if not split:
            self.assertEqual(rows.tolist(), list(range(info["vertices"])))
        self.assertEqual((texture.texels.shape[0], texture.texels.shape[1]), (info["height"], info["width"]))
        self.assertEqual(info["height"], texture.frames * info["rowsPerFrame"])
        self.assertEqual(sum(count for _, count, _ in texture.clips().values()), texture.frames)
        self.assertEqual(set(texture.clips()), {row["name"] for row in info["clips"]})
        for row in info["clips"]:
            first, count, fps = texture.clips()[row["name"]]
            want = self.deform(path, "--animation", row["animation"], "--fps", fps)
            self.assertEqual(len(want), count)
            measured = max(np.linalg.norm(texture.positions(first + frame) - want[frame][rows], axis=1).max()
                           for frame in range(count))
            self.assertLessEqual(measured, row["maxError"], row["name"])
            self.assertLessEqual(row["maxError"], info["maxError"])
            size = float(np.linalg.norm(texture.most - texture.least))
            if info["format"] != "exr" and size > 1e-3 * info["diagonal"]:  # the steps are larger than the rounding of a reader
                self.assertLess(row["maxError"], size * {"png8": 1 / 255, "png16": 1 / 65535}[info["format"]] * 0.51 + 4e-6 * (info["diagonal"] + size))
        if texture.normal_texels is not None:
            self.check_normals(path, texture)
        return texture

    def check_normals(self, path, texture):
        for row in texture.info["clips"]:
            first, count, fps = texture.clips()[row["name"]]
            want = self.deform(path, "--animation", row["animation"], "--fps", fps, "--attribute", "normal")
            for frame in {0, count - 1}:
                known = np.isfinite(want[frame]).all(1) & (np.linalg.norm(want[frame], axis=1) > 0.5)
                found, true = texture.normals(first + frame)[known].astype(float), want[frame][known].astype(float)
                cosines = np.abs(np.sum(found * true, 1))  # mirrored meshes are turned inside out
                angles = np.degrees(np.arctan2(np.linalg.norm(np.cross(found, true), axis=1), cosines))
                self.assertLessEqual(angles.max(initial=0), texture.info["maxNormalErrorDegrees"])

    def test_formats(self):
        path = os.path.join(ROOT, "samples", "gltf", "tube_8_influences.gltf")
        errors = {}
        for kind, most in (("png8", 5e-3), ("png16", 3e-5), ("exr", 1e-3)):
            with self.subTest(format=kind):
                texture = self.check(path, "--format", kind)
                self.assertIn("normals", texture.info)
                errors[kind] = texture.info["maxRelativeError"]
                self.assertLess(errors[kind], most)
        self.assertGreater(errors["png8"], 50 * errors["png16"])

    def test_samples(self):
        seen = 0
        for name, path in samples():
            if self.clips(path):
                with self.subTest(model=name):
                    self.check(path)
                    seen += 1
        self.assertGreaterEqual(seen, 3)

    def test_several_clips(self):
        built = tutorial_skin()
        for name in ("Bend", ""):
            clip = json.loads(json.dumps(built.json["animations"][0]))
            clip["name"] = name
            built.json["animations"].append(clip)
        texture = self.check(built.save(self.path("clips.glb")), "--fps", 5)
        self.assertEqual(list(texture.clips()), ["Bend", "Bend_2", "animation_2"])
        self.assertEqual(len(self.bake(self.path("clips.glb"), "--animation", "1").clips()), 1)
        chosen = self.check(self.path("clips.glb"), "--animation", "2", "--animation", "0", "--animation", "2")
        self.assertEqual([row["animation"] for row in chosen.info["clips"]], [2, 0])

    def test_wrapped_rows(self):
        """More vertices than a row holds."""
        path = self.strip()
        for size, rows in ((4, 3), (9, 2), (10, 1)):
            texture = self.check(path, "--fps", 0.5, "--max-size", max(size, 4)) if rows < 3 else None
            if texture:
                self.assertEqual(texture.info["rowsPerFrame"], rows)
        self.fails(USAGE, "bake", path, "-o", self.path("baked"), "--fps", 0.5, "--max-size", 4, says=["10 vertices", "--max-size"])

    def test_the_mesh(self):
        texture = self.bake(self.strip())
        self.assertFalse({"skins", "animations"} & set(texture.mesh.json))
        attributes = texture.mesh.json["meshes"][0]["primitives"][0]["attributes"]
        self.assertEqual([name for name in sorted(attributes) if name.startswith("TEX")], ["TEXCOORD_0", "TEXCOORD_1"])
        ran = sinew("validate", self.path("baked", "strip.glb"), "--format", "json")
        self.assertEqual(json.loads(ran.out)["issues"]["numErrors"], 0, ran.out)
        np.testing.assert_allclose(texture.positions(0), texture.base, atol=texture.info["maxError"])

    def test_losses_are_reported(self):
        built = tutorial_skin()
        built.json["images"] = [{"uri": "skin.png"}]
        ran = self.succeeds("bake", built.save(self.path("image.glb")), "-o", self.path("baked"))
        self.assertRegex(ran.err, "warning: .*/images/0: .*skin.png")

    def test_morph_targets(self):
        self.check(os.path.join(ROOT, "samples", "gltf", "morph_cube.gltf"), "--format", "png8")

    def test_mirrored_instances(self):
        """Their triangles are turned around in the mesh, and so are the normals of the texture."""
        texture = self.check(mirrored_pair().save(self.path("pair.glb")))
        normals = np.concatenate([texture.mesh.values(primitive["attributes"]["NORMAL"])
                                  for mesh in texture.mesh.json["meshes"] for primitive in mesh["primitives"]])
        np.testing.assert_allclose(texture.normals(0), normals, atol=1e-4)

    def test_g4mf(self):
        texture = self.check(self.g4mf(), split=True)
        self.assertNotIn("normals", texture.info)
        self.assertGreater(len(texture.base), texture.info["vertices"] - 1)

    def test_standard_input(self):
        self.succeeds("bake", "-", "-o", self.path("baked"), stdin=Path(self.strip()).read_bytes())
        self.assertEqual(Texture(self.path("baked"), "model").frames, len(self.bake(self.strip()).texels))

    def test_no_duration(self):
        texture = self.check(still_model().save(self.path("still.glb")))
        self.assertEqual((texture.frames, texture.info["height"]), (1, 1))
        self.assertEqual(texture.sidecar["animations"]["animation_0"]["looping"], False)

    def test_folders(self):
        Path(self.path("models", "below")).mkdir(parents=True)
        tutorial_skin().save(self.path("models", "a.glb"))
        tutorial_skin().save(self.path("models", "below", "b.glb"))
        without_clips().save(self.path("models", "still.glb"))
        ran = sinew("bake", self.path("models"), "-o", self.path("out"), "--jsonl", "--if-changed")
        rows = {Path(row["uri"]).name: row for row in map(json.loads, ran.out.splitlines())}
        self.assertEqual((ran.status, len(rows)), (USAGE, 3), str(ran))
        self.assertIn("no animation", ran.err)
        self.assertEqual(rows["a.glb"]["result"]["vertices"], 10)
        self.assertTrue(Path(self.path("out", "below", "b_vat.png")).exists())
        self.assertFalse(Path(self.path("out", "still.glb")).exists())
        ran = sinew("bake", self.path("models"), "-o", self.path("out"), "--jsonl", "--if-changed")
        self.assertEqual([json.loads(line)["did"] for line in ran.out.splitlines()], ["unchanged", "unchanged", "failed"])
        Path(self.path("out", "a_vat.png")).unlink()
        Path(self.path("out", "below", "b-remap_info.json")).write_text("{}")
        ran = sinew("bake", self.path("models"), "-o", self.path("out"), "--jsonl", "--if-changed")
        self.assertEqual([json.loads(line)["did"] for line in ran.out.splitlines()], ["written", "written", "failed"])
        self.assertTrue(Path(self.path("out", "a_vat.png")).exists())

    def test_report(self):
        row = json.loads(self.succeeds("bake", self.strip(), "-o", self.path("baked"), "--json").out)
        self.assertEqual((row["vertices"], row["width"], row["animations"]), (10, 10, 1))
        self.assertEqual(row["bytes"], sum(os.path.getsize(file) for file in row["files"]))
        self.assertEqual({os.path.basename(file) for file in row["files"]}, set(os.listdir(self.path("baked"))))
        again = Path(self.path("baked", "strip_vat.png")).read_bytes()
        self.succeeds("bake", self.path("strip.glb"), "-o", self.path("baked"))
        self.assertEqual(Path(self.path("baked", "strip_vat.png")).read_bytes(), again, "the same bytes on every run")

    def test_many_frames_need_no_more_memory(self):
        """601 frames of 20,000 vertices: their positions alone are 144 MB, their texels 72 MB."""
        built = Builder()
        positions = built.accessor(np.random.default_rng(1).random((20_000, 3), "<f4"), bounds=True, target=34962)
        node = built.add("nodes", {"mesh": built.add("meshes", {"primitives": [{"attributes": {"POSITION": positions}, "mode": 0}]})})
        built.add("scenes", {"nodes": [node]})
        built.json["scene"] = 0
        built.add("animations", {
            "samplers": [{"input": built.accessor(np.array([[0], [10]], "<f4"), bounds=True),
                          "output": built.accessor(np.array([[0, 0, 0], [1, 2, 3]], "<f4"))}],
            "channels": [{"sampler": 0, "target": {"node": node, "path": "translation"}}]})
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.succeeds("bake", built.save(self.path("long.glb")), "-o", self.path("baked"), "--fps", 60, "--threads", 2)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, max(before + 1, 200 << 10))

    def test_refused(self):
        path, out = self.strip(), self.path("baked")
        self.fails(USAGE, "bake", without_clips().save(self.path("still.glb")), "-o", out, says="no animation to bake")
        self.fails(USAGE, "bake", path, "-o", out, "--animation", "Run", says="Bend")
        self.fails(USAGE, "bake", path, "-o", out, "--fps", 1e9, says=["frames", "--fps"])
        self.fails(USAGE, "bake", path, "-o", out, "--fps", 0, says="more than 0")
        self.fails(USAGE, "bake", path, "-o", self.path("x.glb"), says="expected a folder")
        self.fails(USAGE, "bake", path, "-o", self.folder, says="replace its own input")
        self.fails(INPUT, "bake", path, "-o", out, "--max-memory", 2000, says="--max-memory")
        self.fails(USAGE, "bake", G4MF_4D, "-o", out, says="3 dimensions")
        self.assertEqual(os.listdir(out) if os.path.isdir(out) else [], [])
        self.write("file", "not a folder")
        self.fails(OUTPUT, "bake", path, "-o", self.path("file", "below"), says="below")

    def test_nothing_remains_of_a_failure(self):
        """One of the files cannot be written: the others do not appear, and old ones stay."""
        path, out = self.strip(), Path(self.path("baked"))
        out.mkdir()
        (out / "strip.glb").mkdir()  # in the place of the mesh
        self.fails(OUTPUT, "bake", path, "-o", out, says="strip.glb")
        self.assertEqual(os.listdir(out), ["strip.glb"])
        (out / "strip.glb").rmdir()
        (out / "strip-remap_info.json").mkdir()
        self.fails(OUTPUT, "bake", path, "-o", out, says="strip-remap_info.json")
        self.assertEqual(os.listdir(out), ["strip-remap_info.json"])

    def test_real_files(self):
        models = corpus_models()
        if not models:
            self.skipTest("no folder of real files (--shared FOLDER)")
        clips = 0
        for name, path in models:
            if not self.clips(path):
                continue
            with self.subTest(model=name):
                options = ["--fps", 4, "--format", "png16"]
                clips += len(self.check(path, *options).clips())
        self.assertGreaterEqual(clips, 20)


if __name__ == "__main__":
    main()
