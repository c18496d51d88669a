# SPDX-License-Identifier: MIT
"""sinew optimize, step weights: an independent evaluation of both files measures the error of fitted and of dropped weights."""
import json
import os

import numpy as np

from program import DONE, FINDINGS, ROOT, USAGE, ProgramTest, corpus_models, in_parallel, main, sinew

from g4mf_oracle import evaluate as evaluate_g4mf
from gltf_builder import Builder, tutorial_skin
from gltf_oracle import Document, Evaluator, local_matrix
from smooth_rigs import SmoothRig


def half_turn(nodes, joints, p, q):
    """Turns every joint by 45° in a plane of its parent's axes."""
    turned = [dict(node) for node in nodes]
    turn = np.eye(4)
    turn[p, p] = turn[q, q] = np.sqrt(0.5)
    turn[p, q], turn[q, p] = -np.sqrt(0.5), np.sqrt(0.5)
    for joint in joints:
        local = local_matrix(turned[joint])
        local[:3, :3] = turn[:3, :3] @ local[:3, :3]
        for part in ("translation", "rotation", "scale"):
            turned[joint].pop(part, None)
        turned[joint]["matrix"] = local.T.reshape(-1).tolist()
    return turned


def frames(path, steps=5):
    """All vertices at rest, in stress poses and at some times of each clip: (poses, vertices, 3)."""
    document = Document(path)
    evaluator = Evaluator(document)
    poses = [evaluator.pose()]
    joints = sorted({joint for skin in document.json.get("skins", []) for joint in skin["joints"]})
    poses += [half_turn(evaluator.pose(), joints, p, q) for p, q in ((0, 1), (0, 2), (1, 2))]
    for animation in range(len(document.json.get("animations", []))):
        poses += [evaluator.pose(animation, time) for time in np.linspace(0, evaluator.duration(animation), steps)]
    rest = evaluator.globals(document.json["nodes"])
    result = []
    for nodes in poses:
        world = evaluator.globals(nodes)
        rows = [
            evaluator._primitive(nodes[node], world[node], primitive, world, rest, "position")
            for node in evaluator.scene_nodes()
            if "mesh" in nodes[node]
            for primitive in document.json["meshes"][nodes[node]["mesh"]]["primitives"]
        ]
        result.append(np.concatenate(rows))
    return np.array(result)


def influences(path):
    """For each primitive with joints: joints and weights, one row per vertex."""
    document = Document(path)
    for mesh in document.json.get("meshes", []):
        for primitive in mesh["primitives"]:
            attributes, n, joints, weights = primitive["attributes"], 0, [], []
            while f"JOINTS_{n}" in attributes:
                joints.append(document.raw(attributes[f"JOINTS_{n}"]).astype(int))
                weights.append(document.values(attributes[f"WEIGHTS_{n}"]))
                n += 1
            if n:
                yield np.concatenate(joints, 1), np.concatenate(weights, 1)


def largest_count(path):
    return max((int((weights != 0).sum(1).max()) for _, weights in influences(path)), default=0)


def tail(influences=8, kind="f4", mixed=False):
    """A tube of 80 vertices on a chain of eight joints along Y; each vertex follows up to eight of them, in two sets."""
    b = Builder()
    height, angle = np.repeat(np.linspace(0, 7, 20), 4), np.tile(np.arange(4) * np.pi / 2, 20)
    points = np.stack([0.5 * np.cos(angle), height, 0.5 * np.sin(angle)], 1).astype("<f4")
    spread = np.exp(-((height[:, None] - np.arange(8)) ** 2) / 2)
    order = np.argsort(-spread, 1)[:, :influences]
    weights = np.take_along_axis(spread, order, 1)
    weights /= weights.sum(1, keepdims=True)
    if kind != "f4":
        whole = np.iinfo(kind).max
        weights = np.floor(weights * whole)
        weights[:, 0] += whole - weights.sum(1)
    attributes = {"POSITION": b.accessor(points, bounds=True, target=34962)}
    for n in range(0, influences, 4):
        part, joints = np.zeros((80, 4), kind), np.zeros((80, 4), int)
        part[:, : influences - n] = weights[:, n : n + 4]
        joints[:, : influences - n] = order[:, n : n + 4]
        joints *= part > 0
        attributes[f"JOINTS_{n // 4}"] = b.accessor(joints.astype("<u2" if mixed and n == 0 else "u1"), target=34962)
        attributes[f"WEIGHTS_{n // 4}"] = b.accessor(part, normalized=kind != "f4", target=34962)
    corner = (np.arange(75).reshape(-1, 1) + [0, 4, 1, 1, 4, 5]).reshape(-1)
    b.add("meshes", {"primitives": [{"attributes": attributes, "indices": b.accessor(corner.astype("<u2"), target=34963)}]})
    b.add("nodes", {"name": "Body", "mesh": 0, "skin": 0})
    for joint in range(8):
        b.add("nodes", {"name": f"Bone{joint}", "translation": [0, 1 if joint else 0, 0]})
        if joint:
            b.json["nodes"][joint]["children"] = [joint + 1]
    bind = np.tile(np.eye(4, dtype="<f4"), (8, 1, 1))
    bind[:, 3, 1] = -np.arange(8)
    b.add("skins", {"joints": list(range(1, 9)), "inverseBindMatrices": b.accessor(bind.reshape(8, 16))})
    b.add("scenes", {"nodes": [0, 1]})
    b.json["scene"] = 0
    times = b.accessor(np.linspace(0, 2, 5).astype("<f4"), bounds=True)
    clip = {"name": "Wag", "samplers": [], "channels": []}
    for joint in range(1, 9):
        half = 0.3 * np.sin(np.arange(5) + joint)
        turns = b.accessor(np.stack([0 * half, 0 * half, np.sin(half), np.cos(half)], 1).astype("<f4"))
        clip["samplers"].append({"input": times, "output": turns})
        clip["channels"].append({"sampler": joint - 1, "target": {"node": joint, "path": "rotation"}})
    b.add("animations", clip)
    return b


class WeightsTest(ProgramTest):
    def limited(self, source, most, *options, error=1, name="fitted"):
        out = self.path(name + os.path.splitext(source)[1])
        done = self.succeeds("optimize", source, "-o", out, "--max-error", error, "--max-influences", most, "--json", *options, timeout=300)
        return out, json.loads(done.out)

    def dropped(self, source, most, name="dropped"):
        out = self.path(name + os.path.splitext(source)[1])
        sinew("repair", source, "-o", out, "--max-influences", most, timeout=300)
        return out

    def codes(self, path):
        report = json.loads(sinew("validate", path, "--format", "json", timeout=300).out)
        return {message["code"] for part in ("issues", "modelIssues") for message in report.get(part, {}).get("messages", [])}


class Fit(WeightsTest):
    def errors(self, source, most, name=""):
        """The largest distance of each vertex: of fitted and of dropped weights, relative to the diagonal."""
        fitted, report = self.limited(source, most, "--steps", "weights", name=f"fitted{name}{most}")
        self.assertLessEqual(largest_count(fitted), most)
        before = frames(source)
        diagonal = np.linalg.norm(np.ptp(before[0], axis=0))
        moved = [np.linalg.norm(frames(path) - before, axis=2) / diagonal for path in (fitted, self.dropped(source, most, f"d{name}{most}"))]
        self.assertLessEqual(moved[0].max(), report["error"] + 1e-6)
        return moved

    def test_fitted_weights_halve_the_error(self):
        source = tail().save(self.path("tail.glb"))
        for most in (6, 4, 3):
            fitted, dropped = self.errors(source, most)
            self.assertLess(fitted.max(), 0.5 * dropped.max(), most)
            self.assertLess(np.sqrt((fitted**2).mean()), np.sqrt((dropped**2).mean()), most)

    def test_no_vertex_is_worse(self):
        source = tail().save(self.path("tail.glb"))
        for most in (5, 4, 2, 1):
            fitted, dropped = self.errors(source, most)
            self.assertLessEqual((fitted.max(0) - dropped.max(0)).max(), 1e-6, most)

    def test_real_files(self):
        models = [(name, path) for name, path in corpus_models() if "skins" in json.dumps(json_of_any(path)) and "draco" not in name]
        if not models:
            self.skipTest("no folder of real files (--shared FOLDER)")
        models = [(name, path) for name, path in models if "meshopt" not in name]  # the evaluation cannot decode them

        def ratio(job):
            name, path, most = job
            if largest_count(path) <= most:
                return most, None
            fitted, dropped = self.errors(path, most, name)
            self.assertLessEqual(fitted.max(), dropped.max() + 1e-6, name)
            return most, fitted.max() / dropped.max()

        ratios = in_parallel(ratio, [(name, path, most) for name, path in models for most in (4, 2, 1)])
        of = {most: [part for number, part in ratios if number == most and part is not None] for most in (4, 2, 1)}
        self.assertGreaterEqual([len(of[most]) for most in (4, 2, 1)], [1, 5, 7])
        self.assertLessEqual(np.median(of[4]), 0.5)
        self.assertLess(np.median(of[2]), 1)

    def test_integer_weights_keep_their_sum(self):
        for kind in ("u1", "<u2"):
            source = tail(kind=kind).save(self.path("tail.glb"))
            out, _ = self.limited(source, 3, "--steps", "weights")
            [(_, weights)] = influences(out)
            np.testing.assert_allclose(weights.sum(1), 1, rtol=0, atol=1e-12)
            self.assertEqual(self.codes(out) - self.codes(source), set())

    def test_the_same_place_stays_the_same_place(self):
        b = tail()
        attributes = b.json["meshes"][0]["primitives"][0]["attributes"]
        document = {name: np.frombuffer(bytes(b.blob), kind, 80 * width, b.json["bufferViews"][attributes[name]]["byteOffset"]).reshape(80, width)
                    for name, kind, width in (("POSITION", "<f4", 3), ("JOINTS_0", "u1", 4), ("WEIGHTS_0", "<f4", 4), ("JOINTS_1", "u1", 4), ("WEIGHTS_1", "<f4", 4))}
        second = dict(document, JOINTS_0=document["JOINTS_1"], JOINTS_1=document["JOINTS_0"], WEIGHTS_0=document["WEIGHTS_1"], WEIGHTS_1=document["WEIGHTS_0"])
        b.json["meshes"][0]["primitives"].append(
            {"attributes": {name: b.accessor(values, bounds=name == "POSITION", target=34962) for name, values in second.items()}})
        source = b.save(self.path("seam.glb"))
        out, _ = self.limited(source, 3)
        moved = frames(out)
        np.testing.assert_array_equal(moved[:, :80], moved[:, 80:])


class SmoothRigs(WeightsTest):
    def test_half_of_the_error_is_enough(self):
        """Random G4MF rigs in 3 to 5 dimensions, with eight influences that fall off smoothly."""

        def check(job):
            seed, most = job
            source = SmoothRig(seed, 3 + seed % 3).save_g4mf(self.path(f"smooth{seed}-{most}.g4tf"))
            report = json.loads(sinew("compare", source, self.dropped(source, most, f"dropped{seed}-{most}"), "--json").out)
            half = report["max"] / report["diagonal"] / 2
            out, _ = self.limited(source, most, "--steps", "weights", error=half, name=f"fitted{seed}-{most}")
            report = json.loads(sinew("compare", source, out, "--json").out)
            self.assertLessEqual(report["max"] / report["diagonal"], half)
            return half

        halves = in_parallel(check, [(seed, most) for seed in range(9) for most in (2, 3, 4)])
        self.assertGreater(min(halves), 0.005)


class Sets(WeightsTest):
    def attributes(self, path):
        return Document(path).json["meshes"][0]["primitives"][0]["attributes"]

    def test_unneeded_sets_go(self):
        source = tail().save(self.path("tail.glb"))
        out, report = self.limited(source, 4)
        self.assertNotIn("JOINTS_1", self.attributes(out))
        self.assertNotIn("WEIGHTS_1", self.attributes(out))
        self.assertLess(report["bytesAfter"], report["bytesBefore"] - 80 * 8)

    def test_sets_go_by_themselves_if_the_error_allows_it(self):
        source = tail().save(self.path("tail.glb"))
        for error, sets in ((1e-3, 2), (0.2, 1)):
            out = self.path("out.glb")
            report = json.loads(self.succeeds("optimize", source, "-o", out, "--max-error", error, "--steps", "weights", "--json").out)
            self.assertEqual(sum(name.startswith("JOINTS") for name in self.attributes(out)), sets)
            self.assertLessEqual(report["error"], error)

    def scattered(self):
        """Two influences per vertex, but in different sets."""
        b = tail(influences=2)
        attributes = b.json["meshes"][0]["primitives"][0]["attributes"]
        document = Document(b.save(self.path("tail.glb")))
        joints, weights = document.raw(attributes["JOINTS_0"]), document.raw(attributes["WEIGHTS_0"])
        for n, column in ((0, 1), (1, 0)):
            part, numbers = np.zeros_like(weights), np.zeros_like(joints)
            part[:, 2], numbers[:, 2] = weights[:, column], joints[:, column]
            attributes[f"JOINTS_{n}"] = b.accessor(numbers, target=34962)
            attributes[f"WEIGHTS_{n}"] = b.accessor(part, target=34962)
        return b.save(self.path("scattered.glb"))

    def test_without_an_error_no_bit_changes(self):
        source = self.scattered()
        out = self.path("out.glb")
        steps = "prune,weights,joints,keys,quantize"  # order changes the order of vertices
        report = json.loads(self.succeeds("optimize", source, "-o", out, "--max-error", 0, "--json", "--steps", steps).out)
        self.assertNotIn("JOINTS_1", self.attributes(out))
        self.assertEqual(report["error"], 0)
        for time in (0, 0.7, 1.9):
            np.testing.assert_array_equal(self.deform(out, "--animation", 0, "--time", time), self.deform(source, "--animation", 0, "--time", time))

    def test_influences_without_effect_go(self):
        """A vertex at the origin of a joint moves as the joint's parent does."""
        b = tutorial_skin()
        document = Document(b.save(self.path("strip.glb")))
        attributes = b.json["meshes"][0]["primitives"][0]["attributes"]
        points = document.raw(attributes["POSITION"])
        points[4] = [0, 1, 0]
        attributes["POSITION"] = b.accessor(points, bounds=True, target=34962)
        source = b.save(self.path("pivot.glb"))
        out = self.path("out.glb")
        self.succeeds("optimize", source, "-o", out, "--max-error", 1e-5, "--steps", "weights")
        [(_, weights)] = influences(out)
        self.assertEqual([(row != 0).sum() for row in weights], [1, 1, 2, 2, 1, 2, 2, 2, 1, 1])
        np.testing.assert_allclose(frames(out), frames(source), rtol=0, atol=1e-6)


class Promise(WeightsTest):
    def test_a_limit_that_needs_a_larger_error_is_refused(self):
        source = tail().save(self.path("tail.glb"))
        out = self.path("out.glb")
        self.fails(FINDINGS, "optimize", source, "-o", out, "--max-error", 1e-3, "--max-influences", 1,
                   says=["--max-influences 1", "--max-error 0.001", "of the diagonal", "nothing written"])
        self.assertFalse(os.path.exists(out))
        ran = sinew("optimize", source, "-o", out, "--max-error", 1e-3, "--max-influences", 1, "--json")
        report = json.loads(ran.out)
        self.assertEqual((ran.status, report["refused"]), (FINDINGS, "error"))
        self.assertGreater(report["error"], 1e-3)
        self.assertIn("--max-influences 1", report["steps"][-1]["note"])

    def test_the_other_steps_share_what_is_left(self):
        source = tail().save(self.path("tail.glb"))
        _, report = self.limited(source, 4)
        needed = next(step["error"] for step in report["steps"] if step["step"] == "weights")
        out, report = self.limited(source, 4, error=1.01 * needed)
        self.assertLessEqual(report["error"], 1.01 * needed)
        self.assertLessEqual(largest_count(out), 4)

    def test_a_limit_that_holds_already_changes_nothing(self):
        source = tutorial_skin().save(self.path("strip.glb"))
        out, report = self.limited(source, 2, "--steps", "weights", error=0)
        self.assertEqual(report["changes"], [])
        np.testing.assert_array_equal(frames(out), frames(source))

    def test_usage(self):
        source, out = tutorial_skin().save(self.path("in.glb")), self.path("out.glb")
        self.fails(USAGE, "optimize", source, "-o", out, "--max-error", 1, "--max-influences", 0)
        self.fails(USAGE, "optimize", source, "-o", out, "--max-error", 1, "--max-influences", 2, "--steps", "keys", says="weights")
        self.assertFalse(os.path.exists(out))


class HiddenParts(WeightsTest):
    def test_what_no_pose_shows_is_kept(self):
        """A prop is below a joint of scale 0. In all measured poses its joints do the same, but other poses can set the scale."""
        b = Builder()
        random = np.random.default_rng(2)
        triangle = {"POSITION": b.accessor(np.eye(3, dtype="<f4"), bounds=True)}
        weights = random.dirichlet(np.ones(8), 60).astype("<f4")
        prop = {"POSITION": b.accessor(random.normal(size=(60, 3)).astype("<f4"), bounds=True)}
        for n in (0, 1):
            prop[f"JOINTS_{n}"] = b.accessor(np.tile(np.arange(4 * n, 4 * n + 4, dtype="u1"), (60, 1)))
            prop[f"WEIGHTS_{n}"] = b.accessor(np.ascontiguousarray(weights[:, 4 * n:4 * n + 4]))
        b.add("meshes", {"primitives": [{"attributes": triangle}]})
        b.add("meshes", {"primitives": [{"attributes": prop}]})
        b.add("nodes", {"name": "Stage", "mesh": 0})
        b.add("nodes", {"name": "Prop", "mesh": 1, "skin": 0})
        b.add("nodes", {"name": "Hand", "scale": [0, 0, 0], "children": list(range(3, 10))})
        for finger in range(7):
            b.add("nodes", {"name": f"Finger{finger}"})
        b.add("skins", {"joints": list(range(2, 10))})
        b.add("scenes", {"nodes": [0, 1, 2]})
        b.json["scene"] = 0
        source, out = b.save(self.path("in.glb")), self.path("out.glb")
        pose = self.write("pose.json", {"nodes": {"Hand": {"scale": 1}, "Finger1": {"translation": [1, 0, 0]}, "Finger5": {"translation": [0, 2, 0]}}})
        for steps in (["--steps", "weights"], []):
            ran = self.succeeds("optimize", source, "-o", out, "--max-error", 1e-6, *steps)
            self.assertNotIn("that no measured pose needs", ran.err)
            shown, now = self.deform(source, "--pose", pose), self.deform(out, "--pose", pose)
            nearest = [min(np.linalg.norm(now - vertex, axis=1)) for vertex in shown]  # in any order
            self.assertLess(max(nearest), 1e-4)


class OddFiles(WeightsTest):
    def check(self, b, most=1, name="odd", at_most=True, steps="prune,weights,joints"):
        source = b.save(self.path(name + ".glb"))
        out, _ = self.limited(source, most, "--steps", steps, error=10)
        if at_most:
            self.assertLessEqual(largest_count(out), most, name)
        before, after = frames(source), frames(out)
        self.assertEqual(before.shape, after.shape, name)
        self.assertTrue(np.isfinite(after).all(), name)
        self.assertEqual(self.codes(out) - self.codes(source), set(), name)
        return before, after

    def attributes(self, b):
        return b.json["meshes"][0]["primitives"][0]["attributes"]

    def weights(self, b, change):
        attributes = self.attributes(b)
        weights = Document(b.save(self.path("before.glb"))).raw(attributes["WEIGHTS_0"])
        change(weights)
        attributes["WEIGHTS_0"] = b.accessor(weights, target=34962)
        return b

    def test_sums_stay(self):
        for factor in (0.5, 3):
            b = self.weights(tutorial_skin(), lambda weights: weights.__imul__(factor))
            before, after = self.check(b)
            np.testing.assert_allclose(after[0], before[0], rtol=0, atol=1e-6)  # the joints are at rest

    def test_zero_and_negative_weights(self):
        def change(weights):
            weights[3] = 0
            weights[5] = [1.5, -0.5, 0, 0]

        self.check(self.weights(tutorial_skin(), change))

    def test_a_joint_that_a_vertex_lists_twice(self):
        b = tutorial_skin()
        attributes = self.attributes(b)
        joints = Document(b.save(self.path("before.glb"))).raw(attributes["JOINTS_0"])
        joints[6:8] = 1
        attributes["JOINTS_0"] = b.accessor(joints, target=34962)
        before, after = self.check(b)
        np.testing.assert_allclose(after[:, 6:8], before[:, 6:8], rtol=0, atol=1e-6)

    def test_joints_outside_the_scene(self):
        b = tutorial_skin()
        b.json["scenes"][0]["nodes"] = [0]
        self.check(b)

    def test_mixed_types(self):
        self.check(tail(mixed=True), 3)

    def test_several_skins_of_one_mesh(self):
        b = tail()
        b.json["nodes"].append({"name": "Second", "mesh": 0, "skin": 1})
        b.json["scenes"][0]["nodes"].append(9)
        b.add("skins", {"joints": list(range(8, 0, -1))})
        self.check(b, 3)

    def test_points_and_lines(self):
        for mode in (0, 1, 3):
            b = tail()
            b.json["meshes"][0]["primitives"][0]["mode"] = mode
            self.check(b, 3, f"mode{mode}")

    def test_no_skin(self):
        b = tail()
        del b.json["nodes"][0]["skin"]
        before, after = self.check(b, 3, steps="weights,joints")
        np.testing.assert_array_equal(before, after)

    def test_no_positions(self):
        b = tail()
        del self.attributes(b)["POSITION"]
        self.check(b, 3, at_most=False, steps="weights,joints")

    def test_sparse_accessors(self):
        b = tail()
        attributes = self.attributes(b)
        document = Document(b.save(self.path("dense.glb")))
        for name in ("JOINTS_0", "WEIGHTS_1", "POSITION"):
            attributes[name] = b.sparse(document.raw(attributes[name]), bounds=name == "POSITION")
        self.check(b, 3)

    def test_blend_shapes(self):
        b = tail()
        primitive = b.json["meshes"][0]["primitives"][0]
        shift = np.tile(np.array([0.5, 0, 0.2], "<f4"), (80, 1))
        primitive["targets"] = [{"POSITION": b.accessor(shift, bounds=True, target=34962)}]
        b.json["meshes"][0]["weights"] = [0.3]
        self.check(b, 3)
        self.assertEqual(len(Document(self.path("fitted.glb")).json["meshes"][0]["primitives"][0]["targets"]), 1)


def json_of_any(path):
    return Document(path).json


class FourDimensions(WeightsTest):
    def test_samples(self):
        folder = os.path.join(ROOT, "samples", "g4mf")
        checked = 0
        for file in sorted(os.listdir(folder)):
            source = os.path.join(folder, file)
            info = json.loads(self.succeeds("info", source, "--json").out) if file.endswith(("g4tf", "g4b")) else {}
            most = max((mesh["influences"] for mesh in info.get("meshes", [])), default=0)
            if most < 2:
                continue
            checked += 1
            out, report = self.limited(source, 1, error=1, name=file.split(".")[0])
            info = json.loads(self.succeeds("info", out, "--json").out)
            self.assertEqual(max(mesh["influences"] for mesh in info["meshes"]), 1, file)
            before, after = evaluate_g4mf(source), evaluate_g4mf(out)
            diagonal = np.linalg.norm(np.ptp(before, axis=0))
            self.assertLessEqual(np.linalg.norm(after - before, axis=1).max() / diagonal, report["error"] + 1e-6)
            self.assertEqual(self.codes(out) - self.codes(source), set(), file)
        self.assertGreaterEqual(checked, 1)


if __name__ == "__main__":
    main()
