# SPDX-License-Identifier: MIT
"""sinew convert --cut-clip, --append-clips, --rename-clip, --drop-clip: every sample of a new clip is that of the old one, by an evaluator
that was written from the specifications alone."""
import json

import numpy as np

from program import DONE, INPUT, UNSUPPORTED, USAGE, ProgramTest, main, sinew

from animated_rigs import animated_rig
from gltf_builder import Builder
from moving_oracle import MovingOracle

CLOSE = 1e-6
LATER = 5e-6  # float32 has steps of 0.0000005 s after 4 s
MODES = ("STEP", "LINEAR", "CUBICSPLINE")
KEYS = np.array([0.25, 0.5, 0.9, 1.25, 1.55, 2.0], "<f4")  # far apart: times are float32, so fast motions lose digits
WIDTHS = {"translation": 3, "rotation": 4, "scale": 3, "weights": 2}


def pointer_to(text):
    return {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": text}}}


def key_of(target):
    return target["extensions"]["KHR_animation_pointer"]["pointer"] if target["path"] == "pointer" else f"/nodes/{target['node']}/{target['path']}"


def sample(oracle, animation, target, time):
    """The numbers that a clip sets; None: it does not set them."""
    anim = oracle.json["animations"][animation]
    for channel in reversed(anim["channels"]):
        if key_of(channel["target"]) == target:
            sampler = anim["samplers"][channel["sampler"]]
            output, keys = oracle.json["accessors"][sampler["output"]], oracle.json["accessors"][sampler["input"]]["count"]
            parts = 3 if sampler.get("interpolation") == "CUBICSPLINE" else 1
            width = output["count"] // (keys * parts) if output["type"] == "SCALAR" else int(output["type"][3])
            return oracle.sample(sampler, output["type"], width, time, target.endswith("/rotation"))
    return None


def targets_of(oracle, animation):
    return [key_of(channel["target"]) for channel in oracle.json["animations"][animation]["channels"]]


class ClipsTest(ProgramTest):
    def builder(self, seed=1):
        """Nodes 0 to 2 show a mesh with two morph targets; "Take 001" moves node k by the interpolation k, and "Wave" only some of this."""
        b, random = Builder(), np.random.default_rng(seed)
        self.random = random
        corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4")
        shapes = [{"POSITION": b.accessor(random.normal(size=(3, 3)).astype("<f4"), bounds=True)} for _ in range(2)]
        b.json["materials"] = [{"pbrMetallicRoughness": {"baseColorFactor": [0.5, 0.5, 0.25, 1]}}]
        primitive = {"attributes": {"POSITION": b.accessor(corners, bounds=True)}, "targets": shapes, "material": 0}
        b.json["meshes"] = [{"primitives": [primitive], "weights": [0.25, 0.5]}]
        b.json["nodes"] = [{"mesh": 0, "name": name, "translation": [k, 0, 0]} for k, name in enumerate("abc")]
        b.json["nodes"][1]["extensions"] = {"KHR_node_visibility": {"visible": True}}
        b.json["scenes"], b.json["scene"] = [{"nodes": [0, 1, 2]}], 0
        b.json["extensionsUsed"] = ["KHR_animation_pointer", "KHR_node_visibility"]
        self.clip(b, "Take 001", [({"node": k, "path": path}, mode, KEYS) for k, mode in enumerate(MODES) for path in WIDTHS])
        self.clip(b, "Wave", [({"node": 0, "path": "rotation"}, "LINEAR", KEYS - 0.25), ({"node": 2, "path": "translation"}, "CUBICSPLINE", KEYS * 0.5)])
        return b

    def clip(self, b, name, tracks):
        channels, samplers = [], []
        for target, mode, keys in tracks:
            path = key_of(target).split("/")[-1]
            width = WIDTHS.get(path, 1)
            values = self.random.normal(size=(len(keys), 3 if mode == "CUBICSPLINE" else 1, width))
            if path == "rotation":
                turns = self.random.normal(size=4) + np.cumsum(0.3 * self.random.normal(size=(len(keys), 4)), axis=0)
                turns[1] *= -1  # the shorter way
                values[:, values.shape[1] // 2] = turns / np.linalg.norm(turns, axis=-1, keepdims=True)
            channels.append({"sampler": len(samplers), "target": target})
            rows = values.reshape(-1, 1 if path == "weights" else width).astype("<f4")
            samplers.append({"input": b.accessor(keys.astype("<f4"), bounds=True), "output": b.accessor(rows), "interpolation": mode})
        b.add("animations", {"name": name, "channels": channels, "samplers": samplers, "extras": {"of": name}})

    def numbers(self, b, target, values, mode, keys, animation=0, **format):
        """Adds a channel with these values."""
        anim = b.json["animations"][animation]
        anim["channels"].append({"sampler": len(anim["samplers"]), "target": target})
        anim["samplers"].append({"input": b.accessor(np.array(keys, "<f4"), bounds=True), "output": b.accessor(values, **format), "interpolation": mode})

    def convert(self, source, *options, to="out.glb"):
        out = self.path(to)
        ran = self.succeeds("convert", source, out, *options)
        return MovingOracle(out) if to.endswith("glb") else out, ran

    def errors(self, path):
        report = json.loads(sinew("validate", path, "--format", "json").out)
        return [m for m in report["issues"]["messages"] if m["severity"] == 0]

    def names(self, oracle):
        return [clip.get("name") for clip in oracle.json["animations"]]

    def assert_part(self, old, new, animation, made, start, end, shift=0.0, close=CLOSE):
        """The clip `made` has the values of `animation` from `start` to `end`, from `shift` on."""
        times = [start, end, *(k for k in KEYS.astype(float) if start < k < end), *np.linspace(start, end, 41)]
        for target in targets_of(old, animation):
            for time in times:
                if time != start and sampler_jumps(old, animation, target) and any(abs(time - k) < 1e-6 for k in (*KEYS.astype(float), 0.6, 1.5)):
                    continue  # the time of the key is rounded
                wanted, found = sample(old, animation, target, time), sample(new, made, target, time - start + shift)
                if target.endswith("rotation") and np.dot(wanted, found) < 0:
                    wanted = -wanted  # the same rotation
                np.testing.assert_allclose(found, wanted, atol=close, rtol=close, err_msg=f"{target} at {time} s from {start} s")


def sampler_jumps(oracle, animation, target):
    anim = oracle.json["animations"][animation]
    return any(key_of(c["target"]) == target and anim["samplers"][c["sampler"]].get("interpolation") == "STEP" for c in anim["channels"])


class Cut(ClipsTest):
    # Inside of segments, at keys, in one segment, before the first key, to the last key, all of it.
    RANGES = ((0.625, 1.2), (float(KEYS[1]), float(KEYS[3])), (1.3, 1.375), (0.0, 0.125), (0.125, 0.5), (1.75, 2.0), (0.0, 2.0))

    def test_every_sample_stays(self):
        for seed in range(4):
            source = self.builder(seed).save(self.path("in.glb"))
            options = [word for k, (start, end) in enumerate(self.RANGES) for word in ("--cut-clip", f"Part {k}=Take 001@{start!r}:{end!r}")]
            new, _ = self.convert(source, *options)
            old = MovingOracle(source)
            self.assertEqual(self.names(new), ["Take 001", "Wave", *(f"Part {k}" for k in range(len(self.RANGES)))])
            for k, (start, end) in enumerate(self.RANGES):
                self.assertAlmostEqual(new.clips()[2 + k]["duration"], end - start, 6)
                self.assertEqual(targets_of(new, 2 + k), targets_of(old, 0))
                self.assertEqual(new.json["animations"][2 + k]["extras"], {"of": "Take 001"})
                self.assert_part(old, new, 0, 2 + k, start, end)
            self.assert_part(old, new, 0, 0, 0.0, 2.0)  # the old clip is as before
            self.assertEqual(self.errors(self.path("out.glb")), [])

    def test_pointers_and_visibility(self):
        b = self.builder()
        self.numbers(b, pointer_to("/nodes/1/extensions/KHR_node_visibility/visible"), np.array([1, 0, 1, 0], "u1"), "STEP", [0, 0.6, 0.9, 1.5])
        self.numbers(b, pointer_to("/materials/0/pbrMetallicRoughness/baseColorFactor"), self.random.random((2, 4)).astype("<f4"), "LINEAR", [0.3, 1.9])
        self.numbers(b, pointer_to("/nodes/2/extras/glow"), np.array([0, 200, 100], "u1"), "LINEAR", [0, 1, 2], normalized=True)
        b.json["nodes"][2]["extras"] = {"glow": 0.5}
        source = b.save(self.path("in.glb"))
        new, _ = self.convert(source, "--cut-clip", "Short=0@0.5:1.2")
        old = MovingOracle(source)
        self.assert_part(old, new, 0, 2, 0.5, 1.2)
        anim = new.json["animations"][2]
        shown = next(c for c in anim["channels"] if key_of(c["target"]).endswith("visible"))
        output = new.json["accessors"][anim["samplers"][shown["sampler"]]["output"]]
        self.assertEqual((output["componentType"], output["type"]), (5121, "SCALAR"))

    def test_small_types_and_shared_samplers(self):
        b = self.builder()
        turns = np.array([[0, 0, 0, 32767], [0, 23170, 0, 23170], [-32767, 0, 0, 0]], "<i2")
        self.numbers(b, {"node": 1, "path": "rotation"}, turns, "LINEAR", [0, 1, 2], normalized=True)
        anim = b.json["animations"][0]
        del anim["channels"][5]  # the one that the new channel replaces
        anim["channels"].append({"sampler": anim["channels"][-1]["sampler"], "target": {"node": 0, "path": "rotation"}})
        del anim["channels"][1]
        source = b.save(self.path("in.glb"))
        new, _ = self.convert(source, "--cut-clip", "Short=0@0.3:1.7")
        self.assert_part(MovingOracle(source), new, 0, 2, 0.3, 1.7, close=1e-5)  # integers are no exact unit rotations

    def test_g4mf(self):
        b = self.builder()
        source = b.save(self.path("in.glb"))
        arm = self.path("in.g4b")
        self.succeeds("convert", source, arm)
        cut = ("--cut-clip", "Short=Take 001@0.5:1.2", "--rename-clip", "Wave=Hello")
        out, _ = self.convert(arm, *cut, to="out.g4b")
        info = json.loads(self.succeeds("info", out, "--json").out)
        self.assertEqual([clip["name"] for clip in info["animations"]], ["Take 001", "Hello", "Short"])
        self.assertAlmostEqual(info["animations"][2]["end"], 0.7, 6)
        for time in np.linspace(0, 0.69, 14)[1:] + 0.003:
            rows = self.deform(out, "--animation", "Short", "--time", repr(float(time)))
            np.testing.assert_allclose(rows, self.deform(arm, "--animation", "Take 001", "--time", repr(float(time + 0.5))), atol=1e-5)
        self.assertEqual(self.errors(out), self.errors(arm))
        self.succeeds("convert", source, self.path("across.g4b"), *cut)  # the edits come first
        rows = self.deform(self.path("across.g4b"), "--animation", "Short", "--time", "0.3")
        np.testing.assert_allclose(rows, self.deform(out, "--animation", "Short", "--time", "0.3"), atol=1e-5)

    def test_names_of_g4mf_are_unique(self):
        arm = self.path("in.g4tf")
        self.succeeds("convert", self.builder().save(self.path("in.glb")), arm)
        out, ran = self.convert(arm, "--rename-clip", "Wave=a", to="out.g4tf")  # a node has this name
        self.assertIn("names of G4MF are unique", ran.err)
        names = [clip["name"] for clip in json.loads(self.succeeds("info", out, "--json").out)["animations"]]
        self.assertNotIn("a", names)
        self.assertIn(f'clip "a" is named "{names[1]}"', ran.err)
        out, _ = self.convert(arm, "--drop-clip", "0", "--drop-clip", "1", to="none.g4tf")
        with open(out, encoding="utf-8") as file:
            self.assertNotIn("SINEW_animation", file.read())

    def test_every_dimension(self):
        """Random rigs of two to six dimensions, with every path and interpolation of SINEW_animation."""
        tried = 0
        for seed in range(24):
            source, out = animated_rig(seed).save(self.folder, f"rig{seed}"), self.path("out.g4tf")
            clips = json.loads(self.succeeds("info", source, "--json").out)["animations"]
            end = clips[0]["duration"]
            if not end > 0.3:
                continue
            tried += 1
            start, second = 0.2 * end, clips[1]["duration"]
            self.succeeds("convert", source, out, "--cut-clip", f"Part=Clip0@{start!r}:{0.9 * end!r}")
            pairs = [("Part", "Clip0", start, time) for time in np.linspace(0, 0.7 * end, 7)]
            appended = sinew("convert", source, self.path("all.g4tf"), "--append-clips", "All=1,0") if second > 0 else None
            if appended and appended.status != DONE:
                self.assertIn("a `basis`", appended.err)
                second = 0
            pairs += [("All", "Clip0", -second, second + time) for time in np.linspace(1e-3, end, 7)] if second > 0 else []
            pairs += [("All", "Clip1", 0, time) for time in np.linspace(0, second - 1e-5, 7)] if second > 0 else []
            for made, old, shift, time in pairs:
                rows = self.deform(out if made == "Part" else self.path("all.g4tf"), "--animation", made, "--time", repr(float(time)))
                wanted = self.deform(source, "--animation", old, "--time", repr(float(time + shift)))
                np.testing.assert_allclose(rows, wanted, atol=2e-5 * np.abs(wanted).max(initial=1), err_msg=f"{seed}: {made} at {time}")
        self.assertGreater(tried, 12)

    def test_wrong_cuts(self):
        source, out = self.builder().save(self.path("in.glb")), self.path("out.glb")
        for text, says in (("Walk=Take 001", "NEW=OLD@START:END"), ("Walk=Take 001@1:x", "NEW=OLD@START:END"), ("=Take 001@0:1", "NEW=OLD@START:END"),
                           ("Walk=Run@0:1", '"Take 001"'), ("Walk=7@0:1", '"Take 001"'), ("Wave=0@0:1", '"Wave"'), ("Walk=0@1:1", "START < END"),
                           ("Walk=0@-1:1", "START < END"), ("Walk=0@1:2.5", "END <= 2")):
            self.fails(USAGE, "convert", source, out, "--cut-clip", text, says=says)
        self.fails(USAGE, "convert", source, out, "--cut-clip", "Walk=0@0:1", "--slice", "z=0", says="clips")


class Append(ClipsTest):
    def test_one_after_the_other(self):
        b = self.builder()
        source = b.save(self.path("in.glb"))
        old = MovingOracle(source)
        new, _ = self.convert(source, "--append-clips", "All=Wave,Take 001,1")
        take, wave = (clip["duration"] for clip in old.clips())
        self.assertAlmostEqual(new.clips()[2]["duration"], wave + take + wave, 6)
        self.assertEqual(self.errors(self.path("out.glb")), [])
        almost = 1e-6  # a jump takes one step of float32 before the next clip begins
        for start, animation, length in ((0, 1, wave), (wave, 0, take), (wave + take, 1, wave)):
            self.assert_part(old, new, animation, 2, 0.0, length - almost, start, close=LATER)
            for target in set(targets_of(new, 2)) - set(targets_of(old, animation)):
                node, path = target.split("/")[2:]
                stored = {"rotation": [0, 0, 0, 1], "scale": [1, 1, 1], "weights": [0.25, 0.5], "translation": [int(node), 0, 0]}[path]
                for time in np.linspace(0, length - almost, 9):
                    np.testing.assert_allclose(sample(new, 2, target, start + time), stored, atol=CLOSE, err_msg=f"{target} at {time}")
        for target in targets_of(old, 0):
            np.testing.assert_allclose(sample(new, 2, target, wave), sample(old, 0, target, 0), atol=CLOSE)

    def test_different_interpolations(self):
        """Steps become linear or cubic, and linear tracks cubic, where clips that are joined differ."""
        for first in MODES:
            for second in MODES:
                b = self.builder()
                for name, mode in (("A", first), ("B", second)):
                    self.clip(b, name, [({"node": 0, "path": path}, mode, KEYS) for path in WIDTHS])
                source = b.save(self.path("in.glb"))
                new, _ = self.convert(source, "--append-clips", "All=A,B")
                old, almost = MovingOracle(source), 1e-6
                self.assert_part(old, new, 2, 4, 0.0, 2.0 - almost, close=LATER)
                self.assert_part(old, new, 3, 4, 0.0, 2.0 - almost, 2.0, close=LATER)

    def test_pointers_hold_the_stored_value(self):
        b = self.builder()
        colour, glow = "/materials/0/pbrMetallicRoughness/baseColorFactor", "/materials/0/pbrMetallicRoughness/metallicFactor"
        shown = "/nodes/1/extensions/KHR_node_visibility/visible"
        self.numbers(b, pointer_to(colour), self.random.random((2, 4)).astype("<f4"), "LINEAR", [0.3, 1.9])
        self.numbers(b, pointer_to(glow), np.array([0, 0.5], "<f4"), "LINEAR", [0.3, 1.9])
        self.numbers(b, pointer_to(shown), np.array([1, 0], "u1"), "STEP", [0, 0.6])
        new, _ = self.convert(b.save(self.path("in.glb")), "--append-clips", "All=0,1")
        for target, stored in ((colour, [0.5, 0.5, 0.25, 1]), (glow, [1]), (shown, [1])):
            np.testing.assert_allclose(sample(new, 2, target, 2.5), stored, atol=CLOSE)
        np.testing.assert_array_equal(sample(new, 2, shown, 1.5), [0])

    def test_a_loop_has_one_key_where_it_meets_itself(self):
        b = self.builder()
        self.numbers(b, {"node": 2, "path": "rotation"}, np.array([[0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 0, 1]], "<f4"), "LINEAR", [0, 0.5, 1], animation=1)
        new, _ = self.convert(b.save(self.path("in.glb")), "--append-clips", "All=1,1")
        anim = new.json["animations"][2]
        channel = next(c for c in anim["channels"] if key_of(c["target"]) == "/nodes/2/rotation")
        self.assertLess(new.json["accessors"][anim["samplers"][channel["sampler"]]["input"]]["count"], 8)

    def test_what_cannot_be_appended(self):
        b = self.builder()
        b.json["nodes"][0] = {"mesh": 0, "matrix": [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1]}
        out, source = self.path("out.glb"), b.save(self.path("in.glb"))
        self.fails(UNSUPPORTED, "convert", source, out, "--append-clips", "All=0,1", says="`matrix`")
        b = self.builder()
        self.numbers(b, pointer_to("/nodes/0/weights/1"), np.array([0, 1], "<f4"), "LINEAR", [0, 1], animation=1)
        source = b.save(self.path("in.glb"))
        self.fails(USAGE, "convert", source, out, "--append-clips", "All=0,1", says="/nodes/0/weights/1")
        for text, says in (("All", "NEW=A,B"), ("All=0", "two clips"), ("All=0,Run", '"Take 001"'), ("Wave=0,1", '"Wave"')):
            self.fails(USAGE, "convert", source, out, "--append-clips", text, says=says)


class Names(ClipsTest):
    def test_rename_and_drop(self):
        source = self.builder().save(self.path("in.glb"))
        new, ran = self.convert(source, "--rename-clip", "Take 001=Walk", "--drop-clip", "Wave")
        self.assertEqual(self.names(new), ["Walk"])
        self.assertIn('renamed clip "Take 001" to "Walk"', ran.err)
        before = MovingOracle(source).json
        self.assertLess(len(new.json["accessors"]), len(before["accessors"]))
        new, _ = self.convert(source, "--drop-clip", "0", "--drop-clip", "1")
        self.assertNotIn("animations", new.json)

    def test_order(self):
        """Cut, append, rename, drop: a later change finds what an earlier one made."""
        source = self.builder().save(self.path("in.glb"))
        new, _ = self.convert(source, "--drop-clip", "Take 001", "--rename-clip", "All=Everything", "--append-clips", "All=Run,Wave", "--cut-clip", "Run=0@0:1")
        self.assertEqual(self.names(new), ["Wave", "Run", "Everything"])
        new, _ = self.convert(source, "--cut-clip", "New=Wave@0:1", "--rename-clip", "Wave=Old", "--rename-clip", "New=Wave", "--drop-clip", "Old")
        self.assertEqual(self.names(new), ["Take 001", "Wave"])
        self.assertAlmostEqual(new.clips()[1]["duration"], 1, 6)

    def test_references_to_clips(self):
        b = self.builder()
        source, boxed = b.save(self.path("in.glb")), self.path("boxed.glb")
        self.succeeds("bounds", source, "-o", boxed)
        new, _ = self.convert(boxed, "--drop-clip", "0")
        self.assertNotIn("SINEW_bounds", new.json.get("extensions", {}))
        b.json["extensions"], b.json["extensionsUsed"] = {"EXAMPLE_music": {"animation": 1}}, ["EXAMPLE_music"]
        self.fails(UNSUPPORTED, "convert", b.save(self.path("unknown.glb")), self.path("out.glb"), "--drop-clip", "0", says="by index")

    def test_wrong_names(self):
        source, out = self.builder().save(self.path("in.glb")), self.path("out.glb")
        self.fails(USAGE, "convert", source, out, "--rename-clip", "Take 001", says="OLD=NEW")
        self.fails(USAGE, "convert", source, out, "--rename-clip", "Run=Walk", says='"Take 001"')
        self.fails(USAGE, "convert", source, out, "--rename-clip", "Take 001=Wave", says='"Wave"')
        self.fails(USAGE, "convert", source, out, "--drop-clip", "Run", says='"Take 001"')

    def test_broken_clips_are_refused(self):
        b = self.builder()
        del b.json["animations"][0]["samplers"][0]["input"]
        self.fails(INPUT, "convert", b.save(self.path("in.glb")), self.path("out.glb"), "--cut-clip", "Walk=0@0:1")


class Info(ClipsTest):
    def test_start_and_end(self):
        source = self.builder().save(self.path("in.glb"))
        clips = json.loads(self.succeeds("info", source, "--json").out)["animations"]
        self.assertEqual([(clip["start"], clip["end"]) for clip in clips], [(0.25, 2), (0, clips[1]["duration"])])
        self.assertIn('"Take 001"  0.25 to 2 s, 12 channels', self.succeeds("info", source).out)


if __name__ == "__main__":
    main()
