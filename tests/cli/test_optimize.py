# SPDX-License-Identifier: MIT
"""sinew optimize: an independent comparison never measures more than the allowed error, and what has no effect goes."""
import json
import os
import urllib.parse

import numpy as np

from program import DONE, INPUT, ROOT, UNSUPPORTED, USAGE, ProgramTest, corpus_models, in_parallel, main, samples, sinew

import gltf_oracle as oracle
from gltf_builder import Builder, morphed_quad, tutorial_skin, write_glb

ENCODED = {"KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression"}  # which the oracle cannot decode


def json_of(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] != b"glTF":
        return json.loads(data)
    return json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])


def array_of(path, attribute):
    """The values of an attribute of the first primitive."""
    document = oracle.Document(path)
    return document.values(document.json["meshes"][0]["primitives"][0]["attributes"][attribute])


def angles(a, b):
    """The angles between rows, in degrees."""
    a, b = np.asarray(a, float)[:, :3], np.asarray(b, float)[:, :3]
    return np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b), axis=1), (a * b).sum(1)))


def size_of(path):
    """The size of the file with the files of its buffers."""
    document = json_of(path) if path.endswith(".gltf") else {}
    beside = [buffer["uri"] for buffer in document.get("buffers", []) if not buffer.get("uri", "data:").startswith("data:")]
    return sum(os.path.getsize(os.path.join(os.path.dirname(path), urllib.parse.unquote(name))) for name in beside) + os.path.getsize(path)


def codes_of(path):
    """The findings of a file: the number of each code."""
    return codes_in(json.loads(sinew("validate", path, "--format", "json", timeout=300).out))


def codes_in(report):
    """The number of each code in a report about a file."""
    counts = {}
    for part in ("issues", "modelIssues"):
        for message in report.get(part, {}).get("messages", []):
            counts[message["code"]] = counts.get(message["code"], 0) + 1
    return counts


class OptimizeTest(ProgramTest):
    def optimize(self, source, error, *options, name="out.glb"):
        out = self.path(name)
        report = json.loads(self.succeeds("optimize", source, "-o", out, "--max-error", error, "--json", *options, timeout=300).out)
        return out, report

    def measured(self, a, b):
        """The error that sinew compare measures, relative to the diagonal."""
        report = json.loads(sinew("compare", a, b, "--json", timeout=300).out)
        self.assertNotEqual(report["verdict"], "not comparable", b)
        return report["max"] / report["diagonal"] if report["diagonal"] else report["max"]

    def step(self, report, name):
        return next(step for step in report["steps"] if step["step"] == name)


class Prune(OptimizeTest):
    def cluttered(self):
        """A skin with an idle track, a repeated accessor, empty nodes, a socket and an unused material."""
        b = tutorial_skin()
        nodes = b.json["nodes"]
        nodes += [{"name": "Empty", "children": [4]}, {}, {"name": "Socket"}, {"name": "Marker"}, {"name": "Far", "extras": {"id": 1}}]
        nodes[2]["children"] = [5]
        b.json["scenes"][0]["nodes"] = [3, 0, 1, 6, 7]
        b.add("materials", {"name": "Unused"})
        clip = b.json["animations"][0]
        keys = b.accessor(np.array([0, 1, 2], "<f4"), bounds=True)
        idle = b.accessor(np.tile(np.array([0, 1, 0], "<f4"), (3, 1)))
        clip["samplers"].insert(0, {"input": keys, "output": idle})
        clip["channels"][0]["sampler"] = 1
        clip["channels"].insert(0, {"sampler": 0, "target": {"node": 2, "path": "translation"}})
        return b.save(self.path("cluttered.glb"))

    def test_what_has_no_effect_goes(self):
        source = self.cluttered()
        out, report = self.optimize(source, 0, "--steps", "prune")
        self.assertEqual(report["error"], 0)
        document = json_of(out)
        self.assertEqual([node.get("name") for node in document["nodes"]], ["Body", "Lower", "Upper", "Socket", "Far"])
        self.assertEqual(document["scenes"][0]["nodes"], [0, 1, 4])
        self.assertEqual(document["nodes"][2]["children"], [3])
        self.assertNotIn("materials", document)
        [clip] = document["animations"]
        self.assertEqual(clip["channels"], [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}])
        self.assertEqual(len(clip["samplers"]), 1)
        self.assertEqual(len(document["accessors"]), 7)
        self.assertEqual(self.measured(source, out), 0)
        self.assertLess(os.path.getsize(out), os.path.getsize(source))
        self.assertEqual(report["bytesBefore"] - report["bytesAfter"], self.step(report, "prune")["saved"] + report["storageSaved"])
        self.assertLess(abs(report["storageSaved"]), 4, "padding")

    def test_kept_names(self):
        out, _ = self.optimize(self.cluttered(), 0, "--steps", "prune", "--keep", "Marker", "--keep", "Empty")
        self.assertEqual([node.get("name") for node in json_of(out)["nodes"]], ["Body", "Lower", "Upper", "Empty", "Socket", "Marker", "Far"])

    def test_names_to_keep_that_no_node_has(self):
        _, report = self.optimize(self.cluttered(), 0, "--keep", "Marker", "--keep", "Maker", "--keep", "Emtpy")
        self.assertEqual(self.step(report, "prune")["note"], '--keep: no node is named "Maker" or "Emtpy"')

    def test_equal_accessors(self):
        b = tutorial_skin()
        primitive = b.json["meshes"][0]["primitives"][0]
        second = json.loads(json.dumps(primitive))
        turned = np.array([[0, 1, 3], [0, 3, 2], [2, 3, 5], [2, 5, 4], [4, 5, 7], [4, 7, 6], [6, 7, 9], [6, 9, 8]], "<u2").reshape(-1)
        second["indices"] = b.accessor(turned, target=34963)
        b.json["meshes"][0]["primitives"].append(second)
        source = b.save(self.path("twice.glb"))
        out, _ = self.optimize(source, 0)
        first, second = json_of(out)["meshes"][0]["primitives"]
        self.assertEqual(first["indices"], second["indices"])
        self.assertEqual(self.measured(source, out), 0)

    def test_unknown_extensions_keep_their_indices(self):
        b = tutorial_skin()
        b.json["nodes"].append({"name": "Empty"})
        b.json["extensionsUsed"] = ["EXAMPLE_sockets"]
        b.json["extensions"] = {"EXAMPLE_sockets": {"node": 3}}
        b.add("materials", {"name": "Unused"})
        out = self.path("out.glb")
        sinew("optimize", b.save(self.path("in.glb")), "-o", out, "--max-error", 0)
        document = json_of(out)
        self.assertEqual(document["nodes"][document["extensions"]["EXAMPLE_sockets"]["node"]]["name"], "Empty")

    def test_values_of_a_wrong_type_keep_what_they_may_need(self):
        """A reference that is a text, or an object in place of a list, counts as absent when it is read. What it meant stays in the file."""
        def as_text(json_object):
            json_object["accessors"][0]["bufferView"] = "0"

        def as_object(json_object):
            json_object["animations"] = {"0": json_object["animations"][0]}

        def as_list(json_object):
            json_object["nodes"][0]["mesh"] = [0]

        def as_fraction(json_object):
            json_object["nodes"][0]["skin"] = 0.5

        for change in (as_text, as_object, as_list, as_fraction):
            with self.subTest(change=change.__name__):
                b = tutorial_skin()
                change(b.json)
                source = b.save(self.path("in.glb"))
                before = json_of(source)
                sinew("optimize", source, "-o", self.path("out.glb"), "--max-error", 0, "--force")
                after = json_of(self.path("out.glb"))
                for name in ("accessors", "bufferViews", "meshes", "nodes"):
                    self.assertGreaterEqual(len(after.get(name, [])), len(before[name]), name)

    def test_values_that_mean_nothing_keep_nothing(self):
        for nothing in (None, False, "", []):
            with self.subTest(value=nothing):
                b = tutorial_skin()
                b.json["nodes"][1]["mesh"] = nothing
                b.add("materials", {"name": "Unused"})
                sinew("optimize", b.save(self.path("in.glb")), "-o", self.path("out.glb"), "--max-error", 0, "--force")
                self.assertNotIn("materials", json_of(self.path("out.glb")))

    def test_a_clip_keeps_its_length(self):
        b = tutorial_skin()
        clip = b.json["animations"][0]
        late = b.accessor(np.array([0, 5], "<f4"), bounds=True)
        clip["samplers"].append({"input": late, "output": b.accessor(np.array([[0, 1, 0], [0, 1, 0]], "<f4"))})
        clip["channels"].append({"sampler": 1, "target": {"node": 2, "path": "translation"}})
        for steps in ("prune", "keys", "prune,keys"):
            out, _ = self.optimize(b.save(self.path("late.glb")), 0.01, "--steps", steps)
            self.assertEqual(json.loads(self.succeeds("info", out, "--json").out)["animations"][0]["duration"], 5, steps)


class KeysTest(OptimizeTest):
    def waving(self, keys=241, name="waving.glb"):
        """The strip bends by a sine, sampled densely."""
        b = tutorial_skin(clip=False)
        times = np.linspace(0, 4, keys)
        half = 0.4 * np.sin(times * np.pi)
        turns = np.stack([0 * half, 0 * half, np.sin(half), np.cos(half)], 1)
        clip = {"name": "Wave", "samplers": [], "channels": []}
        for node, values in ((2, turns), (1, turns * [1, 1, 0.0, 1] / np.linalg.norm(turns * [1, 1, 0, 1], axis=1, keepdims=True))):
            sampler = {"input": b.accessor(times.astype("<f4"), bounds=True), "output": b.accessor(values.astype("<f4"))}
            clip["samplers"].append(sampler)
            clip["channels"].append({"sampler": len(clip["samplers"]) - 1, "target": {"node": node, "path": "rotation"}})
        b.add("animations", clip)
        return b.save(self.path(name))

    def test_fewer_keys_within_the_error(self):
        source = self.waving()
        last = 242
        for error in (1e-4, 1e-3, 1e-2):
            out, report = self.optimize(source, error, "--steps", "keys")
            self.assertLessEqual(self.measured(source, out), error)
            self.assertLessEqual(report["error"], error)
            [clip] = json_of(out)["animations"]
            self.assertEqual(len(clip["channels"]), 1)  # the other one does not turn
            keys = json_of(out)["accessors"][clip["samplers"][0]["input"]]["count"]
            self.assertLess(keys, last)
            last = keys
        self.assertLess(last, 30)

    def test_steps_keep_their_times(self):
        b = tutorial_skin()
        clip = b.json["animations"][0]
        times = np.linspace(0, 3, 61).astype("<f4")
        half = np.repeat([0, 0.3, 0.6, 0], [20, 20, 20, 1])
        turns = np.stack([0 * half, 0 * half, np.sin(half), np.cos(half)], 1).astype("<f4")
        clip["samplers"][0] = {"input": b.accessor(times, bounds=True), "output": b.accessor(turns), "interpolation": "STEP"}
        source = b.save(self.path("steps.glb"))
        out, _ = self.optimize(source, 0, "--steps", "keys")
        self.assertEqual(self.measured(source, out), 0)
        sampler = json_of(out)["animations"][0]["samplers"][0]
        self.assertEqual(sampler["interpolation"], "STEP")
        self.assertEqual(json_of(out)["accessors"][sampler["input"]]["count"], 4)

    def spline(self, bend):
        """A spline of translations: straight, or with tangents that bend."""
        b = tutorial_skin(clip=False)
        rows = []
        for i in range(40):
            slope = np.array([0.1 + (bend if i % 2 else 0), 0, 0])
            rows += [slope, np.array([0.1 * i, 1, 0]), slope]
        times = b.accessor(np.arange(40, dtype="<f4"), bounds=True)
        sampler = {"input": times, "output": b.accessor(np.array(rows, "<f4")), "interpolation": "CUBICSPLINE"}
        b.add("animations", {"samplers": [sampler], "channels": [{"sampler": 0, "target": {"node": 2, "path": "translation"}}]})
        return b.save(self.path("spline.glb"))

    def test_straight_splines_become_lines(self):
        source = self.spline(0)
        out, _ = self.optimize(source, 1e-4, "--steps", "keys")
        sampler = json_of(out)["animations"][0]["samplers"][0]
        self.assertEqual((sampler.get("interpolation", "LINEAR"), json_of(out)["accessors"][sampler["input"]]["count"]), ("LINEAR", 2))
        self.assertLessEqual(self.measured(source, out), 1e-4)

    def test_other_splines_stay(self):
        _, report = self.optimize(self.spline(0.1), 1e-3, "--steps", "keys")
        self.assertEqual(self.step(report, "keys")["saved"], 0)
        self.assertEqual(report["error"], 0)

    def test_a_hip_keeps_more_keys_than_a_finger(self):
        source = self.waving()
        document = json_of(source)
        counts = []
        for node in (1, 2):
            document["animations"][0]["channels"] = [{"sampler": 0, "target": {"node": node, "path": "rotation"}}]
            with open(source, "rb") as file:
                blob = file.read()
            start = 20 + int.from_bytes(blob[12:16], "little") + 8
            path = self.path(f"only{node}.glb")
            write_glb(path, document, blob[start:])
            out, _ = self.optimize(path, 1e-3, "--steps", "keys")
            made = json_of(out)
            counts.append(made["accessors"][made["animations"][0]["samplers"][0]["input"]]["count"])
        self.assertGreater(counts[0], counts[1])


class Quantize(OptimizeTest):
    def grid(self):
        """A curved sheet of 400 vertices on node "Sheet", with normals and texture coordinates."""
        b = Builder()
        u, v = [axis.reshape(-1) for axis in np.meshgrid(np.linspace(0, 1, 20), np.linspace(0, 1, 20))]
        points = np.stack([u, v, 0.1 * np.sin(5 * u)], 1).astype("<f4")
        normals = np.stack([-0.5 * np.cos(5 * u), 0 * u, 1 + 0 * u], 1)
        attributes = {
            "POSITION": b.accessor(points, bounds=True, target=34962),
            "NORMAL": b.accessor((normals / np.linalg.norm(normals, axis=1, keepdims=True)).astype("<f4"), target=34962),
            "TEXCOORD_0": b.accessor(np.stack([u, v], 1).astype("<f4"), target=34962),
        }
        corner = np.arange(400).reshape(20, 20)[:-1, :-1].reshape(-1, 1)
        indices = b.accessor((corner + [0, 1, 21, 0, 21, 20]).reshape(-1).astype("<u4"), target=34963)
        b.add("meshes", {"primitives": [{"attributes": attributes, "indices": indices}]})
        b.add("nodes", {"name": "Sheet", "mesh": 0, "translation": [10, 0, 0], "scale": [1, 2, 1]})
        b.add("scenes", {"nodes": [0]})
        b.json["scene"] = 0
        return b

    def test_types_by_the_error(self):
        source = self.grid().save(self.path("sheet.glb"))
        types = []
        for error in (1e-6, 1e-3, 0.02):
            out, report = self.optimize(source, error, "--steps", "quantize")
            self.assertLessEqual(self.measured(source, out), error)
            document = json_of(out)
            attributes = document["meshes"][0]["primitives"][0]["attributes"]
            types.append([document["accessors"][attributes[name]]["componentType"] for name in ("POSITION", "NORMAL", "TEXCOORD_0")])
            self.assertIn("KHR_mesh_quantization", document["extensionsRequired"])
        self.assertEqual(types, [[5126, 5120, 5123], [5122, 5120, 5123], [5120, 5120, 5123]])

    def test_an_error_for_each_kind_of_data(self):
        source = self.grid().save(self.path("sheet.glb"))
        before = array_of(source, "NORMAL"), array_of(source, "TEXCOORD_0")
        for options, types in (
            (("--normal-error", 0), [5122, 5126, 5123]),
            (("--normal-error", 0.01), [5122, 5122, 5123]),
            (("--texcoord-error", 1e-6), [5122, 5120, 5126]),
            (("--texcoord-error", 2e-3), [5122, 5120, 5121]),
        ):
            out, report = self.optimize(source, 1e-3, "--steps", "quantize", *options)
            document = json_of(out)
            attributes = document["meshes"][0]["primitives"][0]["attributes"]
            self.assertEqual([document["accessors"][attributes[name]]["componentType"] for name in ("POSITION", "NORMAL", "TEXCOORD_0")], types)
            normals, coordinates = array_of(out, "NORMAL"), array_of(out, "TEXCOORD_0")
            self.assertAlmostEqual(report["normalError"], angles(before[0], normals).max(), delta=1e-3)
            self.assertAlmostEqual(report["texcoordError"], np.abs(before[1] - coordinates).max(), delta=1e-7)
        out, report = self.optimize(source, 0, "--normal-error", 5)
        self.assertEqual((report["normalError"], report["texcoordError"], report["colorError"]), (0, 0, 0))
        np.testing.assert_array_equal(np.unique(array_of(out, "NORMAL"), axis=0), np.unique(before[0], axis=0))

    def test_skins_convert_positions_back(self):
        source = tutorial_skin().save(self.path("strip.glb"))
        out, _ = self.optimize(source, 1e-3, "--steps", "quantize")
        document = json_of(out)
        accessors, attributes = document["accessors"], document["meshes"][0]["primitives"][0]["attributes"]
        self.assertEqual(accessors[attributes["POSITION"]]["componentType"], 5122)
        self.assertEqual(accessors[attributes["JOINTS_0"]]["componentType"], 5121)
        self.assertIn(accessors[attributes["WEIGHTS_0"]]["componentType"], (5121, 5123))
        self.assertNotIn("scale", document["nodes"][0])
        size = np.linalg.norm([1, 2])
        for options in ((), ("--animation", 0, "--time", 0.7)):
            np.testing.assert_allclose(self.deform(out, *options), self.deform(source, *options), rtol=0, atol=1e-3 * size)

    def test_animated_nodes_keep_their_positions(self):
        b = self.grid()
        times = b.accessor(np.array([0, 1], "<f4"), bounds=True)
        turn = b.accessor(np.array([[10, 0, 0], [12, 0, 0]], "<f4"))
        b.add(
            "animations",
            {"samplers": [{"input": times, "output": turn}], "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]},
        )
        out, _ = self.optimize(b.save(self.path("moving.glb")), 1e-3, "--steps", "quantize")
        document = json_of(out)
        attributes = document["meshes"][0]["primitives"][0]["attributes"]
        self.assertEqual(document["accessors"][attributes["POSITION"]]["componentType"], 5126)
        self.assertEqual(document["accessors"][attributes["NORMAL"]]["componentType"], 5120)

    def test_without_an_error_only_types_shrink(self):
        source = tutorial_skin().save(self.path("strip.glb"))
        out, report = self.optimize(source, 0, "--steps", "quantize")
        document = json_of(out)
        attributes = document["meshes"][0]["primitives"][0]["attributes"]
        types = {name: document["accessors"][index]["componentType"] for name, index in attributes.items()}
        self.assertEqual(types["JOINTS_0"], 5121)
        self.assertEqual(types["POSITION"], 5126)
        self.assertEqual((report["error"], self.measured(source, out)), (0, 0))

    def test_g4mf(self):
        source = os.path.join(ROOT, "samples", "g4mf", "arm_4d.g4tf")
        out = self.path("out.g4tf")
        self.fails(UNSUPPORTED, "optimize", source, "-o", out, "--max-error", 0.01, "--steps", "quantize", says="glTF only")
        self.assertFalse(os.path.exists(out))
        _, report = self.optimize(source, 0.01, name="out.g4tf")
        self.assertEqual(self.step(report, "quantize")["note"], "works on glTF only")


class RealFiles(OptimizeTest):
    def check(self, name, source, error):
        extension = os.path.splitext(source)[1]
        out, report = self.optimize(source, error, name=f"{name}-{error}{extension}")
        self.assertLessEqual(report["error"], error, name)
        self.assertLessEqual(self.measured(source, out), error, name)
        self.assertLessEqual(report["bytesAfter"], report["bytesBefore"], name)
        self.assertEqual(report["bytesBefore"] - report["bytesAfter"], sum(step["saved"] for step in report["steps"]) + report["storageSaved"], name)
        self.assertEqual((report["bytesBefore"], report["bytes"]), (size_of(source), size_of(out)), name)
        before, after = codes_of(source), codes_of(out)
        self.assertEqual([code for code in after if after[code] > before.get(code, 0)], [], name)
        return report["bytesBefore"], report["bytesAfter"]

    def check_all(self, models, errors):
        jobs = [(name, path, error) for name, path in models for error in errors]
        sizes = in_parallel(lambda job: self.check(*job), jobs)
        return [sum(size) for size in zip(*sizes)]

    def test_samples(self):
        before, after = self.check_all(samples(), (0, 1e-3))
        self.assertLess(after, before)

    def test_corpus(self):
        models = corpus_models()
        if not models:
            self.skipTest("no folder of real files (--shared FOLDER)")
        before, after = self.check_all(models, (0, 1e-3))
        self.assertGreaterEqual(len(models), 20)
        self.assertLess(after, 0.7 * before)

    def test_the_oracle_agrees(self):
        """Without the step order, vertices keep their places: an evaluation in Python measures the error in all clips."""
        models = [(name, path) for name, path in corpus_models() if json_of(path).get("animations") and not ENCODED & set(json_of(path).get("extensionsUsed", []))]
        if not models:
            self.skipTest("no folder of real files (--shared FOLDER)")

        def check(model):
            name, path = model
            before, largest = oracle.Evaluator(oracle.KeptDocument(path)), []
            rest = before.rows()
            diagonal = np.linalg.norm(np.ptp(rest, axis=0))
            poses = [(clip, float(time)) for clip in range(len(before.json["animations"])) for time in np.linspace(0, before.duration(clip), 6)]
            wanted = [before.rows(animation=clip, time=time) for clip, time in poses]
            for error in (0, 1e-3, 1e-2):
                out, _ = self.optimize(path, error, "--steps", "prune,weights,joints,keys,quantize", name=f"{name}-{error}-oracle.glb")
                after = oracle.Evaluator(oracle.KeptDocument(out))
                largest.append(max((np.linalg.norm(rows - after.rows(animation=clip, time=time), axis=1).max() / diagonal
                                    for rows, (clip, time) in zip(wanted, poses)), default=0.0))
                self.assertLessEqual(largest[-1], error + 1e-6, name)
            return max(largest)

        measured = in_parallel(check, models)
        self.assertGreaterEqual(len(models), 15)
        self.assertGreater(max(measured), 1e-3)

    def test_g4mf(self):
        folder = os.path.join(ROOT, "samples", "g4mf")
        files = [file for file in sorted(os.listdir(folder)) if file.endswith((".g4tf", ".g4b"))]
        self.assertGreaterEqual(len(files), 15)
        self.check_all([(file.replace(".", "_"), os.path.join(folder, file)) for file in files], (0, 1e-3))


class CommandLine(OptimizeTest):
    def test_usage(self):
        source = tutorial_skin().save(self.path("in.glb"))
        out = self.path("out.glb")
        self.fails(USAGE, "optimize", source, "-o", out, says="--max-error")
        self.fails(USAGE, "optimize", source, "--max-error", 0, says="--output")
        self.fails(USAGE, "optimize", source, "-o", out, "--max-error", -1)
        self.fails(USAGE, "optimize", source, "-o", out, "--max-error", 0, "--steps", "prune,bones", says=['"bones"', "prune"])
        self.fails(INPUT, "optimize", self.path("none.glb"), "-o", out, "--max-error", 0)
        self.assertFalse(os.path.exists(out))

    def test_poses_that_cannot_be_measured(self):
        b = tutorial_skin()
        moves = b.accessor(np.array([[0, 0, 0], [3e38, 3e38, 3e38], [0, 0, 0]], "<f4"))
        b.json["nodes"][1]["scale"] = [10, 10, 10]
        b.json["animations"][0]["samplers"][0]["output"] = moves
        b.json["animations"][0]["channels"][0]["target"]["path"] = "translation"
        out = self.path("out.glb")
        self.fails(UNSUPPORTED, "optimize", b.save(self.path("far.glb")), "-o", out, "--max-error", 0.1, says="not finite")
        self.assertFalse(os.path.exists(out))

    def test_a_folder(self):
        os.mkdir(self.path("models"))
        for name in ("a.glb", "b.glb"):
            morphed_quad().save(self.path("models", name))
        ran = sinew("optimize", self.path("models"), "-o", self.path("out"), "--max-error", 0, "--jsonl")
        self.assertEqual(ran.status, DONE, str(ran))
        lines = [json.loads(line) for line in ran.out.splitlines()]
        self.assertEqual(sorted(os.listdir(self.path("out"))), ["a.glb", "b.glb"])
        self.assertEqual([line["result"]["steps"][0]["step"] for line in lines if "result" in line], ["prune", "prune"])


if __name__ == "__main__":
    main()
