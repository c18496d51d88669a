# SPDX-License-Identifier: MIT
"""What the stored pose hides and another pose can show: sinew compare measures it, and sinew optimize keeps within the error there. An independent
evaluation of both files poses what is hidden."""
import copy
import json

import numpy as np

from program import DONE, FINDINGS, ProgramTest, main, sinew

import g4mf_oracle
from g4mf_builder import Builder as G4mfBuilder
from gltf_builder import Builder
from gltf_oracle import Document, Evaluator
from test_optimize_weights import half_turn

HIDING = ("Upper", "Hand", "Prop")
ROOT_HALF = np.sqrt(0.5)


def scene(kind, change=None, size=1.0):
    """A visible stage and a prop that the stored pose hides. `change(points)`: other vertices of the prop."""
    b = Builder()
    random = np.random.default_rng(3)
    points = random.normal(size=(60, 3)) * size
    weights = random.dirichlet(np.ones(4), 60).astype("<f4")
    if change:
        change(points)
    skinned = kind not in ("node", "above", "matrix node", "clip of node")
    prop = {"POSITION": b.accessor(points.astype("<f4"), bounds=True, target=34962)}
    if skinned:
        prop["JOINTS_0"] = b.accessor(np.tile(np.arange(4, dtype="u1"), (60, 1)), target=34962)
        prop["WEIGHTS_0"] = b.accessor(weights, target=34962)
    surface = {"attributes": prop, "indices": b.accessor(np.arange(60, dtype="<u2"), target=34963)}
    mesh = {"primitives": [surface]}
    if kind == "blend shape":
        surface["targets"] = [{"POSITION": b.accessor(-points.astype("<f4"), bounds=True, target=34962)}]
        mesh["weights"] = [1]
    stage = np.array([[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]], "<f4")
    at = b.accessor(stage, bounds=True, target=34962)
    b.add("meshes", {"primitives": [{"attributes": {"POSITION": at}, "indices": b.accessor(np.array([0, 1, 2, 0, 2, 3], "<u2"), target=34963)}]})
    b.add("meshes", mesh)
    nodes = [{"name": "Stage", "mesh": 0}, {"name": "Prop", "mesh": 1}, {"name": "Upper", "translation": [0.5, 0, 0], "children": [3]},
             {"name": "Hand", "children": [4, 5, 6]}]
    nodes += [{"name": f"Finger{i}", "translation": [0.3 * i, 0.2, -0.1 * i]} for i in range(3)]
    if skinned:
        nodes[1]["skin"] = b.add("skins", {"joints": [3, 4, 5, 6]})
    else:
        nodes[6]["children"] = [1]
    b.json["nodes"] = nodes
    hidden = {"joint": 3, "alone": 3, "ancestor": 2, "node": 1, "above": 2, "tiny": 3, "flat": 3, "clip": 3, "clip of node": 1}
    if kind in hidden:
        nodes[hidden[kind]]["scale"] = {"tiny": [1e-6] * 3, "flat": [1, 0, 1]}.get(kind, [0, 0, 0])
    elif kind in ("matrix", "matrix node"):
        nodes[3 if skinned else 1]["matrix"] = [0.0] * 12 + [0, 1, 0, 1]
    elif kind == "visibility":
        b.json["extensionsUsed"] = ["KHR_node_visibility"]
        nodes[1]["extensions"] = {"KHR_node_visibility": {"visible": False}}
    if kind in ("clip", "clip alone", "clip of node"):
        times = b.accessor(np.linspace(0, 1, 9).astype("<f4"), bounds=True)
        half = 0.4 * np.sin(np.linspace(0, 3, 9))
        tracks = [(4, "rotation", np.stack([np.sin(half), 0 * half, 0 * half, np.cos(half)], 1)), (1 if kind == "clip of node" else 3, "scale", np.zeros((9, 3)))]
        clip = {"name": "Wave", "samplers": [], "channels": []}
        for node, path, values in tracks:
            clip["samplers"].append({"input": times, "output": b.accessor(values.astype("<f4"))})
            clip["channels"].append({"sampler": len(clip["channels"]), "target": {"node": node, "path": path}})
        b.add("animations", clip)
    b.add("scenes", {"nodes": ([] if kind == "alone" else [0]) + ([1, 2] if skinned else [2])})
    b.json["scene"] = 0
    return b


KINDS = ("joint", "alone", "ancestor", "node", "above", "tiny", "flat", "matrix", "matrix node", "clip", "clip alone", "clip of node", "blend shape", "visibility")


def shown(nodes):
    """The pose with a size for everything that can hide the prop."""
    made = copy.deepcopy(nodes)
    for node in made:
        if node.get("name") in HIDING:
            if "matrix" in node:
                node["translation"] = node.pop("matrix")[12:15]
            if np.abs(node.get("scale", [1])).min() < 1e-3:
                node["scale"] = [1.0 if abs(s) < 1e-3 else s for s in node["scale"]]
        if "weights" in node:
            node["weights"] = np.zeros(len(node["weights"]))
    return made


def frames(path):
    """All vertices in poses that show the prop: the stored one, turned joints, and times of the clip."""
    document = Document(path)
    evaluator = Evaluator(document)
    stored = shown(evaluator.pose())
    joints = sorted({joint for skin in document.json.get("skins", []) for joint in skin["joints"]})
    poses = [stored] + [half_turn(stored, joints, p, q) for p, q in ((0, 1), (0, 2), (1, 2))]
    for animation in range(len(document.json.get("animations", []))):
        poses += [shown(evaluator.pose(animation, time)) for time in np.linspace(0, 1, 9)]
    result = []
    for nodes in poses:
        world = evaluator.globals(nodes)
        drawn = sorted((node for node in evaluator.scene_nodes() if "mesh" in nodes[node]), key=lambda node: nodes[node]["name"])
        rows = [evaluator._primitive(nodes[node], world[node], primitive, world, world, "position")
                for node in drawn for primitive in document.json["meshes"][nodes[node]["mesh"]]["primitives"]]
        result.append(np.concatenate(rows))
    return np.array(result)


def by_node(path):
    """The vertices in the first of these poses, in the order of the nodes."""
    document = Document(path)
    prop = len(document.values(document.json["meshes"][1]["primitives"][0]["attributes"]["POSITION"]))
    drawn = [nodes for nodes in Evaluator(document).scene_nodes() if "mesh" in document.json["nodes"][nodes]]
    rows = frames(path)[0]  # by name: the prop first
    return rows if len(drawn) == 1 else np.concatenate([rows[prop:], rows[:prop]])


def size_of(frame):
    return np.linalg.norm(np.ptp(frame, 0))


class HiddenTest(ProgramTest):
    def compared(self, a, b):
        ran = sinew("compare", a, b, "--json")
        self.assertIn(ran.status, (DONE, FINDINGS), str(ran))
        return json.loads(ran.out)


class Compared(HiddenTest):
    def test_a_vertex_that_only_another_pose_shows(self):
        def move(points):
            points[7] += [0, 0.01, 0]

        for kind in KINDS:
            with self.subTest(kind=kind):
                a, b = scene(kind).save(self.path("a.glb")), scene(kind, move).save(self.path("b.gltf"))
                before, after = frames(a), frames(b)
                apart = np.linalg.norm(after - before, axis=2).max()
                self.assertGreater(apart, 0.005)
                for first, second in ((a, b), (b, a)):
                    report = self.compared(first, second)
                    self.assertEqual(report["verdict"], "different")
                    self.assertGreater(report["max"], 0.5 * apart)
                    self.assertLess(report["max"], 1.01 * apart)
                self.assertEqual(self.compared(a, scene(kind).save(self.path("c.gltf")))["verdict"], "equal in every pose")

    def test_the_size_of_a_scene_that_is_a_point_at_rest(self):
        a = scene("alone").save(self.path("a.glb"))
        self.assertAlmostEqual(self.compared(a, a)["diagonal"], size_of(frames(a)[0]), 5)

    def test_a_prop_in_other_units(self):
        """Where the scale of a pose is not known, no part counts as larger than the scene: else rounding would be a difference."""
        def round_off(points):
            points *= 1 + 3e-7

        for kind in ("joint", "node"):
            with self.subTest(kind=kind):
                a, b = scene(kind, size=1e3).save(self.path("a.glb")), scene(kind, round_off, size=1e3).save(self.path("b.glb"))
                self.assertIn(self.compared(a, b)["verdict"], ("equal in every pose", "equal where sampled"))
                b = scene(kind, lambda points: points.__imul__(1.001), size=1e3).save(self.path("b.glb"))
                self.assertEqual(self.compared(a, b)["verdict"], "different")

    def test_where_it_is(self):
        move = lambda points: points.__iadd__([0, 0.0151, 0])
        a, b = scene("above").save(self.path("a.glb")), scene("above", move).save(self.path("b.glb"))
        report = self.compared(a, b)
        parts = {part["kind"]: part["max"] for pair in report["instances"] for part in pair["parts"] if pair["name"] == "Prop"}
        self.assertEqual(parts["rest"], 0)
        self.assertGreater(parts["shown"], 0.01)
        ran = sinew("compare", a, b, "-v")
        self.assertIn("with all parts shown", ran.out)
        self.assertIn("all parts shown: 0.0151", ran.out)
        listed = self.compared(scene("visibility").save(self.path("a.glb")), a)["instances"]
        self.assertNotIn("shown", [part["kind"] for part in listed[0]["parts"]])  # nothing is hidden by a scale in both

    def test_scales_beside_what_counts_as_hidden(self):
        """One file stores a scale as hidden, the other one does not: what no pose shows in one of them is shown in none."""
        a, b = scene("joint"), scene("joint")
        for model, scale in ((a, 0.9999e-4), (b, 1.0001e-4)):
            model.json["nodes"][3]["scale"] = [scale] * 3
        self.assertLess(self.compared(a.save(self.path("a.glb")), b.save(self.path("b.glb")))["max"], 1e-6)

    def test_g4mf(self):
        for dimension in (2, 3, 4):
            for kind in ("scale", "above", "basis"):
                def model(moved=0.0, dimension=dimension, kind=kind):
                    b = G4mfBuilder(dimension)
                    points = np.random.default_rng(2).normal(size=(3 * dimension, dimension))
                    mesh = lambda at: b.mesh(b.accessor("float32", at), [{}])
                    root = b.node(name="Root")
                    b.node(root, name="Stage", mesh=mesh(points))
                    hides = {"basis": [0] * dimension**2} if kind == "basis" else {"scale": [0] * dimension}
                    above = b.node(root, name="Above", **(hides if kind == "above" else {}))
                    b.node(above, name="Prop", mesh=mesh(points + moved), **({} if kind == "above" else hides))
                    return b

                with self.subTest(dimension=dimension, kind=kind):
                    a, b = model().save(self.path("a.g4tf")), model(0.01).save(self.path("b.g4b"))
                    pose = {"nodes": {"Above": {"scale": [1] * dimension}, "Prop": {"basis": np.eye(dimension).reshape(-1).tolist()}}}
                    apart = np.linalg.norm(g4mf_oracle.evaluate(b, pose) - g4mf_oracle.evaluate(a, pose), axis=1).max()
                    report = self.compared(a, b)
                    self.assertEqual(report["verdict"], "different")
                    self.assertLess(abs(report["max"] - apart), 0.01 * apart)


class Optimized(HiddenTest):
    def test_hidden_parts_keep_within_the_error(self):
        for kind in KINDS:
            source, out = scene(kind).save(self.path("in.glb")), self.path("out.glb")
            before = frames(source)
            left = {"node", "above", "matrix node", "clip of node"}  # poses can set their transforms
            for error in (1e-2, 1e-3, 1e-4, 1e-6):
                with self.subTest(kind=kind, error=error):
                    ran = self.succeeds("optimize", source, "-o", out, "--max-error", error, "--steps", "prune,weights,joints,keys,quantize", "--json")
                    after = frames(out)
                    self.assertEqual(before.shape, after.shape)
                    allowed = error * max(size_of(before[0]), 3.4641)
                    self.assertLess(np.linalg.norm(after - before, axis=2).max(), 1.05 * allowed + 1e-6)
                    saved = {step["step"]: step["saved"] for step in json.loads(ran.out)["steps"]}
                    if error == 1e-2 and kind not in left:
                        self.assertGreater(saved["quantize"], 500)  # hidden parts are stored in fewer bits, too


class Converted(HiddenTest):
    def test_hidden_parts_in_g4mf(self):
        """Joints that are flat at rest have a bind pose with an inverse, so that they move what another pose shows."""
        for kind in KINDS:
            if kind == "ancestor":
                continue  # refused: a bone without inverse
            with self.subTest(kind=kind):
                source, out = scene(kind).save(self.path("in.glb")), self.path("out.g4b")
                self.succeeds("convert", source, out, "--max-error", 1e-5)
                hidden = {"joint": "Hand", "alone": "Hand", "tiny": "Hand", "matrix": "Hand", "clip": "Hand", "node": "Prop", "clip of node": "Prop", "above": "Upper"}
                if kind in hidden:
                    pose = self.write("pose.json", {"nodes": {hidden[kind]: {"basis": [1, 0, 0, 0, 1, 0, 0, 0, 1]}}})
                    moved = self.deform(out, "--pose", pose).reshape(-1, 3)
                    self.assertLess(np.linalg.norm(moved - by_node(source), axis=1).max(), 1e-5)


if __name__ == "__main__":
    main()
