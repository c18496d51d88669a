# SPDX-License-Identifier: MIT
"""Several keys at one time are a jump: before it the first of them counts, from then on the last one. Clips that are lost are reported."""
import base64
import json
import os
import struct

import numpy as np

from program import DONE, FINDINGS, INPUT, ROOT, ProgramTest, main, sinew

from gltf_builder import Builder
from gltf_oracle import Document

CASE = os.path.join(ROOT, "tests", "cases", "equal-key-times", "jump.gltf")
KINDS = ("LINEAR", "STEP", "CUBICSPLINE")


def mover(times, values, interpolation="LINEAR"):
    """A triangle whose node moves along x."""
    b = Builder()
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4")
    b.add("meshes", {"primitives": [{"attributes": {"POSITION": b.accessor(points, bounds=True, target=34962)}}]})
    b.add("nodes", {"name": "Mover", "mesh": 0})
    b.add("scenes", {"nodes": [0]})
    b.json["scene"] = 0
    rows = np.zeros((len(values), 3), "<f4")
    rows[:, 0] = values
    if interpolation == "CUBICSPLINE":
        rows = np.stack([0 * rows, rows, 0 * rows], 1).reshape(-1, 3)
    sampler = {"input": b.accessor(np.array(times, "<f4"), bounds=True), "output": b.accessor(rows), "interpolation": interpolation}
    b.add("animations", {"name": "Move", "samplers": [sampler], "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]})
    return b


def expected(times, values, interpolation, time):
    if time < times[0]:
        return values[0]
    key = max(i for i, t in enumerate(times) if t <= time)
    if key + 1 == len(times) or interpolation == "STEP":
        return values[key]
    t = (time - times[key]) / (times[key + 1] - times[key])
    if interpolation == "CUBICSPLINE":
        t = 3 * t * t - 2 * t * t * t
    return (1 - t) * values[key] + t * values[key + 1]


JUMPS = {
    "middle": ([0, 0.5, 0.5, 1], [0, 1, 3, 4]),
    "three": ([0, 0.5, 0.5, 0.5, 1], [0, 1, 9, 3, 4]),
    "four": ([0, 0.25, 0.25, 0.25, 0.25, 1], [0, 1, 8, 9, 3, 4]),
    "zero": ([0, 0, 1], [1, 3, 4]),
    "late": ([0.5, 0.5, 1], [1, 3, 4]),
    "end": ([0, 1, 1], [0, 1, 3]),
    "twice": ([0, 0.25, 0.25, 0.75, 0.75, 1], [0, 1, 3, 4, 0, 1]),
}


class EqualKeys(ProgramTest):
    def x_at(self, path, time):
        return self.deform(path, "--animation", "Move", "--time", repr(time))[0, 0]

    def check(self, path, times, values, kind, about):
        frames = self.deform(path, "--animation", "Move", "--frames", 41)[:, 0, 0]
        np.testing.assert_allclose(frames, [expected(times, values, kind, i / 40) for i in range(41)], rtol=0, atol=1e-5, err_msg=about)

    def g4mf(self, times, values, kind):
        """The same clip in G4MF: written with other times first, because convert separates the keys."""
        apart = [t + 0.0625 * i for i, t in enumerate(times)]
        source = mover(apart, values, kind).save(self.path("apart.gltf"))
        out = self.path("model.g4tf")
        self.succeeds("convert", source, out)
        with open(out, encoding="utf-8") as file:
            document = json.load(file)
        for buffer in document["buffers"]:
            head, data = buffer["uri"].split(",", 1)
            data = base64.b64decode(data)
            old, new = struct.pack(f"<{len(times)}f", *apart), struct.pack(f"<{len(times)}f", *times)
            buffer["uri"] = head + "," + base64.b64encode(data.replace(old, new)).decode()
        return self.write("equal.g4tf", document)

    def times_of(self, path):
        document = Document(path)
        return document.values(document.json["animations"][0]["samplers"][-1]["input"])[:, 0]

    def test_the_case(self):
        for time, x in ((0.25, 0.5), (0.75, 3.5), (0.5, 3)):
            self.assertAlmostEqual(float(self.x_at(CASE, time)), float(self.x_at(CASE, 0)) + x, delta=1e-6)
        report = json.loads(sinew("validate", CASE, "--format", "json").out)
        self.assertIn("ACCESSOR_ANIMATION_INPUT_NON_INCREASING", [m["code"] for m in report["issues"]["messages"]])

    def test_a_jump_is_played(self):
        for kind in KINDS:
            for name, (times, values) in JUMPS.items():
                source = mover(times, values, kind).save(self.path(f"{name}{kind}.glb"))
                self.check(source, times, values, kind, f"{name} {kind}")
                path = self.g4mf(times, values, kind)
                self.check(path, times, values, kind, f"{name} {kind} G4MF")
                self.assertIn("SINEW_KEY_TIMES_EQUAL", sinew("validate", path).out)

    def test_single_poses_are_the_same(self):
        """They find keys in another way than sequences."""
        for kind in KINDS:
            for name in ("three", "late", "end"):
                times, values = JUMPS[name]
                source = mover(times, values, kind).save(self.path("in.glb"))
                for time in (0, 0.1, 0.49, 0.5, 0.6, 1, 2):
                    self.assertAlmostEqual(float(self.x_at(source, time)), expected(times, values, kind, time), delta=1e-5, msg=f"{name} {kind} {time}")

    def test_repair_keeps_the_jump(self):
        for kind in KINDS:
            for name, (times, values) in JUMPS.items():
                for extension in (".gltf", ".glb"):
                    source = mover(times, values, kind).save(self.path("in" + extension))
                    out = self.path("out" + extension)
                    self.succeeds("repair", source, "-o", out, "--max-error", "1e-6")  # nothing moves away from the jump
                    self.assertTrue((np.diff(self.times_of(out)) > 0).all(), name)
                    self.check(out, times, values, kind, f"repaired {name} {kind}")
                    self.assertNotIn("NON_INCREASING", sinew("validate", out).out)
                path, out = self.g4mf(times, values, kind), self.path("out.g4tf")
                self.succeeds("repair", path, "-o", out)
                self.assertNotIn("SINEW_KEY_TIMES_EQUAL", sinew("validate", out).out)
                self.check(out, times, values, kind, f"repaired {name} {kind} G4MF")

    def test_conversions_keep_the_jump(self):
        times, values = JUMPS["three"]
        for kind in KINDS:
            source = mover(times, values, kind).save(self.path("in.gltf"))
            for extension in (".g4b", ".g4tf", ".glb"):
                out = self.path("out" + extension)
                self.succeeds("convert", source, out, "--fail-on", "loss")
                self.check(out, times, values, kind, f"{kind} to {extension}")
            out = self.path("back.glb")
            self.succeeds("convert", self.g4mf(times, values, kind), out)
            self.check(out, times, values, kind, f"{kind} from G4MF")
            self.assertTrue((np.diff(self.times_of(out)) > 0).all())

    def test_edits_keep_the_jump(self):
        times, values = JUMPS["twice"]
        source = mover(times, values).save(self.path("in.glb"))
        for command in (("optimize", "--max-error", "1e-3"), ("convert", "--prune")):
            out = self.path(command[0] + ".glb")
            self.succeeds(command[0], source, *([] if command[0] == "optimize" else [out]), *(["-o", out] if command[0] == "optimize" else []), *command[1:])
            self.check(out, times, values, "LINEAR", command[0])

    def test_bounds_hold_both_sides(self):
        for name, (times, values) in JUMPS.items():
            source = mover(times, values).save(self.path("in.glb"))
            box = json.loads(self.succeeds("bounds", source, "--json").out)["clips"][0]["box"]
            moments = np.concatenate([np.linspace(0, 1, 101), np.array(times) - 1e-6])
            reached = [expected(times, values, "LINEAR", t) for t in moments if t >= 0]
            self.assertLessEqual(box["min"][0], min(reached) + 1e-5, name)
            self.assertGreaterEqual(box["max"][0], max(reached) + 1 - 1e-5, name)


class LostClips(ProgramTest):
    def broken(self):
        """Files with a clip that cannot be used, and the reason."""
        yield "decreasing", mover([0, 0.5, 0.25, 1], [0, 1, 3, 4])
        yield "not a number", mover([0, 0.5, float("nan"), 1], [0, 1, 3, 4])
        yield "value", mover([0, 1], [0, float("inf")])
        b = mover([0, 1], [0, 1])
        b.json["accessors"][b.json["animations"][0]["samplers"][0]["output"]]["count"] = 1
        yield "count", b
        b = mover([0, 1], [0, 1])
        b.json["animations"][0]["samplers"][0]["output"] = 99
        yield "reference", b
        b = mover([0, 1], [0, 1])
        b.json["animations"][0]["channels"][0]["sampler"] = 7
        yield "sampler", b
        b = mover([0, 1], [0, 1])
        b.json["animations"][0]["channels"][0]["target"]["node"] = 7
        yield "node", b
        b = mover([0, 1], [0, 1])
        b.json["accessors"][b.json["animations"][0]["samplers"][0]["output"]]["type"] = "SCALAR"
        yield "format", b

    def test_conversions_report_every_lost_clip(self):
        for name, b in self.broken():
            source = b.save(self.path(name + ".gltf"))
            with open(source, encoding="utf-8") as file:  # bounds with NaN are no JSON
                text = file.read().replace("NaN", "0").replace("Infinity", "0")
            self.write(name + ".gltf", text)
            self.assertEqual(sinew("deform", source, "-o", self.path("o.npy"), "--animation", "0").status, INPUT, name)
            out = self.path(name + ".g4b")
            ran = sinew("convert", source, out, "--fail-on", "loss")
            self.assertEqual(ran.status, FINDINGS, f"{name}\n{ran}")
            self.assertFalse(os.path.exists(out), name)
            ran = sinew("convert", source, out)
            self.assertEqual(ran.status, DONE, f"{name}\n{ran}")
            self.assertIn("the animation is lost", ran.err, name)
            self.assertEqual(json.loads(self.succeeds("info", out, "--json").out)["animations"], [], name)


if __name__ == "__main__":
    main()
