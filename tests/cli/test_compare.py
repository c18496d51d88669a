# SPDX-License-Identifier: MIT
"""sinew compare: pairs of files with a known difference, checked with the independent evaluator."""
import json
from pathlib import Path

import numpy as np

from program import DONE, INPUT, ROOT, USAGE, ProgramTest, corpus_models, main, samples, sinew

import gltf_oracle as oracle
from g4mf_builder import Builder as G4mfBuilder
from gltf_builder import TUTORIAL_POSITIONS, Builder, morphed_quad, tutorial_skin

DIFFERENT = 1
DIAGONAL = float(np.sqrt(1 + 4))  # of the strip at rest


def clip_times(keys):
    return sorted([*keys, *[(a + b) / 2 for a, b in zip(keys, keys[1:])]])


class CompareTest(ProgramTest):
    def compared(self, a, b, *options, status=DONE):
        ran = sinew("compare", a, b, "--json", *options)
        self.assertEqual(ran.status, status, str(ran))
        self.assertEqual(ran.err, "")
        report = json.loads(ran.out)
        self.assertEqual(report["equal"], status == DONE)
        return report

    def parts(self, report, instance=0):
        return {(part["kind"], part.get("name", "")): part for part in report["instances"][instance]["parts"]}

    def frames(self, path, animation, times):
        return np.array([oracle.evaluate(path, animation=animation, time=time) for time in times])

    def strip(self, name, edit=lambda builder: None, **options):
        builder = tutorial_skin(**options)
        edit(builder)
        return builder.save(self.path(name))

    def replaced(self, builder, primitive, attribute, values):
        """Replaces the values of an attribute of the strip."""
        primitive["attributes"][attribute] = builder.accessor(values, bounds=attribute == "POSITION", target=34962)


class Visibility(CompareTest):
    def test_a_part_that_one_file_hides_is_different(self):
        def hide(node):
            def edit(builder):
                builder.json["extensionsUsed"] = ["KHR_node_visibility"]
                builder.json["nodes"][node]["extensions"] = {"KHR_node_visibility": {"visible": False}}
            return edit

        shown, hidden = self.strip("shown.glb"), self.strip("hidden.glb", hide(0))
        for a, b, side in ((shown, hidden, "b"), (hidden, shown, "a")):
            report = self.compared(a, b, status=DIFFERENT)
            self.assertEqual((report["verdict"], report["everyPose"]["proved"]), ("different", False))
            self.assertEqual(report["instances"][0]["hiddenIn"], side)
            self.assertIn("hidden in one of the files", sinew("compare", a, b).out)
        self.assertEqual(self.compared(hidden, hidden)["verdict"], "equal in every pose")
        self.assertEqual(self.compared(shown, self.strip("joint.glb", hide(1)))["verdict"], "equal in every pose")  # a joint draws nothing
        self.succeeds("convert", hidden, self.path("hidden.g4b"))
        self.assertEqual(self.compared(self.path("hidden.g4b"), hidden)["verdict"], "equal in every pose")


class Distances(CompareTest):
    def test_a_file_equals_itself(self):
        for name, path in samples():
            with self.subTest(sample=name):
                report = self.compared(path, path, "--tolerance", 0)
                self.assertEqual((report["max"], report["rms"]), (0, 0))

    def test_a_vertex_moved(self):
        def move(builder):
            points = TUTORIAL_POSITIONS.copy()
            points[7] += [0, 0, 0.1]
            self.replaced(builder, builder.json["meshes"][0]["primitives"][0], "POSITION", points)

        report = self.compared(self.strip("a.glb"), self.strip("b.glb", move), status=DIFFERENT)
        self.assertAlmostEqual(report["diagonal"], DIAGONAL, 6)
        self.assertAlmostEqual(report["max"], 0.1, 6)  # along the axis of the bend: the same at all times
        self.assertAlmostEqual(report["relativeMax"], 0.1 / DIAGONAL, 6)
        self.assertAlmostEqual(self.parts(report)["rest", ""]["rms"], 0.1 / np.sqrt(10), 6)
        rest = self.parts(report)["rest", ""]
        self.assertEqual((rest["vertexA"], rest["vertexB"]), (7, 7))

    def test_a_key_turned(self):
        """The second key of the clip bends by 80° where the other file bends by 90°."""
        angle = np.deg2rad(40)

        def bend(builder):
            turns = np.array([[0, 0, 0, 1], [0, 0, np.sin(angle), np.cos(angle)], [0, 0, 0, 1]], "<f4")
            builder.json["animations"][0]["samplers"][0]["output"] = builder.accessor(turns)

        a, b = self.strip("a.glb"), self.strip("b.glb", bend)
        report = self.compared(a, b, status=DIFFERENT)
        parts = self.parts(report)
        self.assertEqual(parts["rest", ""]["max"], 0)
        clip = parts["animation", "Bend"]
        times = clip_times([0, 1, 2])
        distances = np.linalg.norm(self.frames(a, 0, times) - self.frames(b, 0, times), axis=-1)
        frame, vertex = np.unravel_index(distances.argmax(), distances.shape)
        self.assertAlmostEqual(clip["max"], distances.max(), 6)
        self.assertAlmostEqual(clip["rms"], np.sqrt((distances**2).mean()), 6)
        self.assertEqual(clip["time"], times[frame])
        self.assertIn(clip["vertexA"], np.flatnonzero(distances[frame] > distances.max() - 1e-6))

    def test_keys_of_either_file_and_between(self):
        """B has keys that A lacks, and between them it leaves A's path."""
        def bend(builder):
            half = np.deg2rad([0, 30, 45, 45, 0])  # half the angle; A is at 11.25° and 33.75° of it after a quarter and three
            turns = np.array([[0, 0, np.sin(h), np.cos(h)] for h in half], "<f4")
            sampler = builder.json["animations"][0]["samplers"][0]
            sampler["output"] = builder.accessor(turns)
            sampler["input"] = builder.accessor(np.array([0, 0.25, 0.75, 1, 2], "<f4"), bounds=True)

        a, b = self.strip("a.glb"), self.strip("b.glb", bend)
        times = clip_times([0, 0.25, 0.75, 1, 2])
        distances = np.linalg.norm(self.frames(a, 0, times) - self.frames(b, 0, times), axis=-1)
        for first, second in ((a, b), (b, a)):
            clip = self.parts(self.compared(first, second, status=DIFFERENT))["animation", "Bend"]
            self.assertAlmostEqual(clip["max"], distances.max(), 6)
            self.assertAlmostEqual(clip["rms"], np.sqrt((distances**2).mean()), 6)

    def test_one_of_many_clips_differs(self):
        """The meshes are the same, so most poses are, too; each thread measures clips of its own, and no figure depends on that."""
        def clips(turned):
            def edit(builder):
                clip = builder.json["animations"].pop()
                for number in range(9):
                    own = json.loads(json.dumps(clip))
                    own["name"] = f"Bend {number}"
                    half = np.deg2rad(30 + number + (0.5 if number == turned else 0))
                    turns = np.array([[0, 0, 0, 1], [0, 0, np.sin(half), np.cos(half)], [0, 0, 0, 1]], "<f4")
                    own["samplers"][0]["output"] = builder.accessor(turns)
                    builder.json["animations"].append(own)
            return edit

        a, b = self.strip("a.glb", clips(None)), self.strip("b.glb", clips(6))
        report = self.compared(a, b, "--threads", "1", status=DIFFERENT)
        for threads in ("2", "3", "8"):
            self.assertEqual(self.compared(a, b, "--threads", threads, status=DIFFERENT), report)
        times = clip_times([0, 1, 2])
        distances = np.linalg.norm(self.frames(a, 6, times) - self.frames(b, 6, times), axis=-1)
        for (kind, name), part in self.parts(report).items():
            if name != "Bend 6":
                self.assertEqual((part["max"], part["rms"]), (0, 0), name)
        part = self.parts(report)["animation", "Bend 6"]
        self.assertAlmostEqual(part["max"], distances.max(), 6)
        self.assertAlmostEqual(part["rms"], np.sqrt((distances**2).mean()), 6)
        self.assertEqual(part["time"], 1)

    def test_every_blend_shape_alone(self):
        def with_offset(name, shape, vertex, by):
            builder = morphed_quad()
            target = builder.json["meshes"][0]["primitives"][0]["targets"][shape]
            offsets = [np.tile([0, 0, 1], (4, 1)), np.array([[-1, 0, 0], [1, 0, 0], [1, 0, 0], [-1, 0, 0]])][shape].astype("<f4")
            offsets[vertex] += by
            target["POSITION"] = builder.accessor(offsets, bounds=True, target=34962)
            del builder.json["animations"]
            return builder.save(self.path(name))

        a, b = with_offset("a.glb", 1, 2, [0, 0, 0]), with_offset("b.glb", 1, 2, [0, 0.25, 0])
        report = self.compared(a, b, status=DIFFERENT)
        parts = self.parts(report)
        self.assertEqual(parts["rest", ""]["max"], 0)  # its amount is 0 there
        self.assertEqual(parts["blendShape", "Up"]["max"], 0)
        self.assertAlmostEqual(parts["blendShape", "Wide"]["max"], 0.25)
        self.assertAlmostEqual(parts["blendShape", "Wide"]["rms"], 0.25 / 2)
        self.assertEqual(parts["blendShape", "Wide"]["vertexA"], 2)

    def test_not_finite_is_infinitely_far(self):
        def huge(builder):
            builder.json["nodes"][2]["scale"] = [3e38, 1, 1]
            builder.json["nodes"][1]["scale"] = [3e38, 1, 1]

        report = self.compared(self.strip("a.glb"), self.strip("b.glb", huge, clip=False), status=DIFFERENT)
        self.assertEqual(float(report["max"]), np.inf)

    def test_tolerance_is_relative_to_the_first_files_bounds(self):
        def move(builder):
            points = TUTORIAL_POSITIONS.copy()
            points[0] -= [0, 1e-3, 0]
            self.replaced(builder, builder.json["meshes"][0]["primitives"][0], "POSITION", points)

        a, b = self.strip("a.glb"), self.strip("b.glb", move)
        self.compared(a, b, "--tolerance", 1.01e-3 / DIAGONAL)
        self.compared(a, b, "--tolerance", 0.98e-3 / DIAGONAL, status=DIFFERENT)


class Pairs(CompareTest):
    def quads(self, name, order, indices, extra=(), lift=0):
        """A strip of two triangles in another order of vertices, bent by a clip on its node."""
        points = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, lift]], "<f4")
        b = Builder()
        b.add("meshes", {"primitives": [{
            "attributes": {"POSITION": b.accessor(np.array([*points[order], *extra], "<f4"), bounds=True, target=34962)},
            "indices": b.accessor(np.array(indices, "<u2"), target=34963)}]})
        b.add("nodes", {"name": "Quad", "mesh": 0})
        b.add("scenes", {"nodes": [0]})
        return b.save(self.path(name))

    def setUp(self):
        super().setUp()
        self.plain = self.quads("plain.glb", [0, 1, 2, 3], [0, 1, 2, 0, 2, 3])

    def test_more_vertices_go_by_corners(self):
        split = self.quads("split.glb", [0, 1, 2, 0, 2, 3], [0, 1, 2, 3, 4, 5])
        instance = self.compared(self.plain, split)["instances"][0]
        self.assertEqual((instance["pairing"], instance["pairs"]), ("corners", 6))
        self.assertEqual((instance["unpairedA"], instance["unpairedB"]), (0, 0))

    def test_vertices_of_no_corner_are_counted(self):
        more = self.quads("more.glb", [0, 1, 2, 3], [0, 1, 2, 0, 2, 3], extra=[[9, 9, 9]])
        instance = self.compared(self.plain, more)["instances"][0]
        self.assertEqual((instance["pairing"], instance["unpairedA"], instance["unpairedB"]), ("corners", 0, 1))

    def test_another_order_is_found(self):
        turned = self.quads("turned.glb", [2, 3, 0, 1], [2, 3, 0, 2, 0, 1])
        report = self.compared(self.plain, turned, "--tolerance", 0)
        self.assertEqual((report["instances"][0]["pairing"], report["verdict"], report["max"]), ("permutation", "equal in every pose", 0))
        self.assertEqual(self.compared(self.plain, turned, "--match", "--tolerance", 0)["instances"][0]["pairing"], "position")

    def test_triangles_without_a_counterpart(self):
        for name, order, indices, a, b in (
                ("again.glb", [0, 1, 2, 3], [2, 3, 0, 1, 2, 0], 0, 0), ("turned.glb", [2, 3, 0, 1], [2, 3, 0, 2, 0, 1], 0, 0),
                ("not followed.glb", [1, 2, 3, 0], [0, 1, 2, 0, 2, 3], 2, 2), ("flipped.glb", [0, 1, 2, 3], [0, 2, 1, 0, 3, 2], 2, 2),
                ("cut.glb", [0, 1, 2, 3], [0, 1, 2], 1, 0), ("no area.glb", [0, 1, 2, 3], [0, 1, 2, 0, 2, 3, 1, 1, 2], 0, 0)):
            with self.subTest(file=name):
                other = self.quads(name, order, indices)
                found = self.compared(self.plain, other)["instances"][0]["triangles"]
                self.assertEqual((found["a"], found["onlyA"], found["onlyB"]), (2, a, b))
                line = f"triangles without a counterpart: {a} of 2 of the first file, {b} of"
                self.assertEqual(line in self.succeeds("compare", self.plain, other).out, a + b > 0)

    def test_another_order_of_other_vertices_is_found(self):
        split = self.quads("split.glb", [2, 3, 0, 1, 2], [2, 3, 0, 4, 0, 1])
        report = self.compared(self.plain, split, "--tolerance", 0)
        instance = report["instances"][0]
        self.assertEqual((instance["pairing"], instance["pairs"], report["verdict"], report["max"]), ("position", 5, "equal in every pose", 0))
        self.assertEqual((instance["unpairedA"], instance["unpairedB"]), (0, 0))

    def test_another_order_of_vertices_that_moved_needs_match(self):
        split = self.quads("split.glb", [2, 3, 0, 1, 2], [2, 3, 0, 4, 0, 1], lift=0.03)
        advice = "a tool has reordered vertices or triangles; use --match"
        self.assertIn(advice, sinew("compare", self.plain, split).out)
        self.assertNotIn(advice, sinew("compare", self.plain, split, "--match").out)
        moved = self.quads("moved.glb", [0, 1, 2, 3], [0, 1, 2, 0, 2, 3], lift=0.01)
        report = self.compared(self.plain, moved, status=DIFFERENT)
        self.assertEqual(report["instances"][0]["pairing"], "index")
        self.assertNotIn("--match", sinew("compare", self.plain, moved).out)

    def test_verbose_lists_every_part(self):
        figure = Path(ROOT) / "samples/show/figure.gltf"
        fewer = self.path("fewer.glb")
        sinew("repair", figure, "-o", fewer, "--max-influences", 1, "-q")
        out = sinew("compare", figure, fewer, "-v").out
        self.assertRegex(out, r'(?m)^ +rest: [0-9.e-]+ ')
        self.assertRegex(out, r'(?m)^ +(animation|clip) 0 "Walk": 0.0612 \(0.0254 of the diagonal\), vertex 986, at 0.3 s$')

    def test_other_corners_are_not_comparable_but_match(self):
        half = self.quads("half.glb", [0, 1, 2, 3, 3], [0, 1, 2])
        instance = self.compared(self.plain, half, status=DIFFERENT)["instances"][0]
        self.assertEqual(instance["pairing"], "none")
        self.assertIn("corners", instance["why"])
        report = self.compared(self.plain, half, status=DIFFERENT)
        self.assertEqual((report["verdict"], report["max"], report["everyPose"]["bound"]), ("not comparable", None, None))
        self.compared(self.plain, half, "--match")

    def test_match_sees_what_is_missing_on_either_side(self):
        less = self.quads("less.glb", [0, 1, 3], [0, 1, 2])
        for pair in ((self.plain, less), (less, self.plain)):
            self.assertAlmostEqual(self.compared(*pair, "--match", status=DIFFERENT)["max"], 1, 6)

    def two_joints(self, name, order):
        """Twelve vertices in three places; four in each, half of them on a joint that a clip lifts."""
        b = tutorial_skin(clip=False)
        points = np.repeat(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4"), 4, axis=0)[order]
        upper = np.tile([0, 1, 1, 0], 3)[order]
        weights = np.zeros((12, 4), "<f4")
        weights[:, 0] = 1
        joints = np.zeros((12, 4), "<u2")
        joints[:, 0] = upper
        primitive = b.json["meshes"][0]["primitives"][0]
        primitive["mode"] = 0
        del primitive["indices"]
        for attribute, values in (("POSITION", points), ("JOINTS_0", joints), ("WEIGHTS_0", weights)):
            self.replaced(b, primitive, attribute, values)
        keys = b.accessor(np.array([0, 1], "<f4"), bounds=True)
        lift = b.accessor(np.array([[0, 1, 0], [0, 1, 5]], "<f4"))
        b.add("animations", {"name": "Lift", "samplers": [{"input": keys, "output": lift}],
                             "channels": [{"sampler": 0, "target": {"node": 2, "path": "translation"}}]})
        return b.save(self.path(name))

    def test_ties_are_decided_by_the_motion(self):
        a = self.two_joints("a.glb", np.arange(12))
        b = self.two_joints("b.glb", np.random.default_rng(3).permutation(12))
        self.assertEqual(self.compared(a, b)["instances"][0]["pairing"], "permutation")
        self.assertEqual(self.compared(a, b, "--match", "--tolerance", 0)["max"], 0)

    def lids(self, name, order, moved):
        """A grid, and two vertices at its side, 0.0004 apart, of which one of 12 blend shapes lifts the first. `moved`: by how much each
        vertex moved, those two towards each other and beyond."""
        b = Builder()
        x, y = np.meshgrid(np.arange(5), np.arange(5))
        points = np.concatenate([np.stack([x.ravel(), y.ravel(), 0 * x.ravel()], 1), [[6, 0, 0.0004], [6, 0, 0]]]).astype("<f4")
        points[:, 2] += moved
        points[25, 2] -= 2 * moved
        lifts = np.zeros_like(points)
        lifts[25, 2] = 1
        still, lifting = (b.accessor(offsets[order], bounds=True, target=34962) for offsets in (0 * lifts, lifts))
        b.add("meshes", {"primitives": [{"mode": 0, "attributes": {"POSITION": b.accessor(points[order], bounds=True, target=34962)},
                                         "targets": [{"POSITION": lifting if shape == 3 else still} for shape in range(12)]}]})
        b.add("nodes", {"mesh": 0})
        b.add("scenes", {"nodes": [0]})
        return b.save(self.path(name))

    def test_vertices_that_rounding_brought_together_are_told_apart_by_the_motion(self):
        order = np.random.default_rng(5).permutation(27)
        report = self.compared(self.lids("a.glb", np.arange(27), 0), self.lids("b.glb", order, 0.0003), "--tolerance", 1e-3)
        self.assertEqual(report["instances"][0]["pairing"], "permutation")
        self.assertAlmostEqual(report["max"], 0.0003, delta=1e-6)  # 1 with the nearest vertices

    def test_a_small_scale_is_the_unit_of_integers(self):
        def grid(name, changed, scale=3e-5):
            b = Builder()
            points = np.array([[0, 0, 0], [30000, 0, 0], [0, 30000, 0], [30000, 30000, changed]], "<i2")
            b.json["extensionsUsed"] = b.json["extensionsRequired"] = ["KHR_mesh_quantization"]
            positions = b.accessor(points, bounds=True, target=34962)
            b.add("meshes", {"primitives": [{"mode": 0, "attributes": {"POSITION": positions}}]})
            b.add("nodes", {"mesh": 0, "scale": [scale] * 3})
            b.add("meshes", {"primitives": [{"mode": 0, "attributes": {"POSITION": b.accessor(TUTORIAL_POSITIONS, bounds=True, target=34962)}}]})
            b.add("nodes", {"mesh": 1})
            b.add("scenes", {"nodes": [0, 1]})
            return b.save(self.path(name))

        report = self.compared(grid("a.glb", 0), grid("b.glb", 4), status=DIFFERENT)
        self.assertAlmostEqual(report["max"], 4 * 3e-5, delta=1e-9)  # a part that is hidden would be shown ten diagonals wide
        self.assertEqual({part["kind"] for part in report["instances"][0]["parts"]}, {"rest"})
        report = self.compared(grid("hidden.glb", 0, 0), grid("other.glb", 4000, 0), status=DIFFERENT)  # 0 hides integers, too
        self.assertEqual({part["kind"] for part in report["instances"][0]["parts"]}, {"rest", "shown"})

    def instances(self, name, names):
        b = Builder()
        for i, node in enumerate(names):
            points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4") + ord(node or "a") % 7
            b.add("meshes", {"primitives": [{"attributes": {"POSITION": b.accessor(points, bounds=True, target=34962)}}]})
            b.add("nodes", {**({"name": node} if node else {}), "mesh": i})
        b.add("scenes", {"nodes": list(range(len(names)))})
        return b.save(self.path(name))

    def test_instances_go_by_name_then_in_order(self):
        report = self.compared(self.instances("a.glb", ["A", "B", "", "C"]), self.instances("b.glb", ["C", "", "A", "B"]))
        self.assertEqual([(i["nodeA"], i["nodeB"]) for i in report["instances"]], [(0, 2), (1, 3), (2, 1), (3, 0)])

    def test_an_instance_on_one_side_is_a_difference(self):
        a, b = self.instances("a.glb", ["A", "B", "C"]), self.instances("b.glb", ["C", "A"])
        report = self.compared(a, b, status=DIFFERENT)
        self.assertEqual((report["max"], report["onlyA"], report["onlyB"]), (0, [{"kind": "instance", "index": 1, "name": "B"}], []))
        report = self.compared(b, a, status=DIFFERENT)
        self.assertEqual(report["onlyB"], [{"kind": "instance", "index": 1, "name": "B"}])

    def test_a_clip_on_one_side_is_a_difference(self):
        report = self.compared(self.strip("a.glb"), self.strip("b.glb", clip=False), status=DIFFERENT)
        self.assertEqual((report["max"], report["onlyA"]), (0, [{"kind": "animation", "index": 0, "name": "Bend"}]))

    def test_clips_go_by_name(self):
        def another(first):
            def edit(builder):
                clip = json.loads(json.dumps(builder.json["animations"][0]))
                clip["name"] = "Still"
                clip["channels"][0]["target"]["path"] = "scale"
                clip["samplers"][0]["output"] = builder.accessor(np.ones((3, 3), "<f4"))
                builder.json["animations"].insert(0 if first else 1, clip)
            return edit

        report = self.compared(self.strip("a.glb", another(True)), self.strip("b.glb", another(False)))
        self.assertEqual([(p["a"], p["b"]) for p in report["instances"][0]["parts"] if p["kind"] == "animation"], [(0, 1), (1, 0)])

    def test_a_shape_on_one_side_is_a_difference(self):
        fewer = morphed_quad()
        del fewer.json["animations"]
        whole = fewer.save(self.path("a.glb"))
        mesh = fewer.json["meshes"][0]
        mesh["primitives"][0]["targets"].pop()
        mesh["weights"].pop()
        mesh["extras"]["targetNames"].pop()
        report = self.compared(whole, fewer.save(self.path("b.glb")), status=DIFFERENT)
        self.assertEqual(report["onlyA"], [{"kind": "blendShape", "index": 1, "name": "Wide", "node": 0}])

    def test_dimensions_are_not_comparable(self):
        four = G4mfBuilder(4)
        four.node(name="Root")
        report = self.compared(self.plain, four.save(self.path("four.g4tf")), status=DIFFERENT)
        self.assertIn("3 dimensions", report["why"])


class Manners(CompareTest):
    def test_text_tells_the_worst_place(self):
        def bend(builder):
            builder.json["nodes"][1]["translation"] = [0, 0.5, 0]

        ran = sinew("compare", self.strip("a.glb", clip=False), self.strip("b.glb", bend, clip=False))
        self.assertEqual(ran.status, DIFFERENT)
        self.assertIn('"Body"', ran.out)
        self.assertIn("largest distance 0.5 (0.224 of the diagonal)", ran.out)
        self.assertIn("at rest", ran.out)

    def test_a_tolerance_in_the_units_of_the_scene(self):
        def bend(builder):
            builder.json["nodes"][2]["translation"] = [0, 1.25, 0]

        a, b = self.strip("a.glb", clip=False), self.strip("b.glb", bend, clip=False)
        self.assertEqual(self.compared(a, b, "--max-distance", 0.24, status=DIFFERENT)["verdict"], "different")
        self.assertEqual(self.compared(a, b, "--max-distance", 0.26)["verdict"], "equal where sampled")
        self.fails(USAGE, "compare", a, b, "--max-distance", 1, "--tolerance", 1, says="--max-distance")

    def one_influence(self, name):
        builder = tutorial_skin()
        primitive = builder.json["meshes"][0]["primitives"][0]
        weights = np.zeros((10, 4), "<f4")
        weights[:, 0] = 1
        self.replaced(builder, primitive, "WEIGHTS_0", weights)
        return builder.save(self.path(name))

    def test_clips_and_the_worst_vertices(self):
        a, b = self.strip("a.glb"), self.one_influence("b.glb")
        ran = sinew("compare", a, b, "--clips", "--worst", 2)
        self.assertRegex(ran.out, r'(?m)^ +animation 0 "Bend": .*, vertex \d+, at 1 s; RMS ')
        self.assertRegex(ran.out, r'(?m)^ +vertex [89]: .*, most by joint [12] "(Lower|Upper)"$')
        worst = self.compared(a, b, "--worst", 2, status=DIFFERENT)["instances"][0]["worst"]
        self.assertEqual({row["vertexA"] for row in worst}, {8, 9})
        self.assertGreaterEqual(worst[0]["distance"], worst[1]["distance"])

    def test_a_picture_of_the_distances(self):
        a, b = self.strip("a.glb"), self.one_influence("b.glb")
        ran = sinew("compare", a, b, "--heat", self.path("heat.png"), "-q")
        self.assertEqual(ran.status, DIFFERENT, str(ran))
        self.assertEqual(Path(self.path("heat.png")).read_bytes()[:4], b"\x89PNG")
        self.fails(USAGE, "compare", a, b, "--heat", self.path("heat.txt"), says=".png")

    def test_attributes(self):
        def with_normals(name, angle):
            builder = tutorial_skin(clip=False)
            normal = np.tile(np.array([np.sin(angle), 0, np.cos(angle)], "<f4"), (10, 1))
            self.replaced(builder, builder.json["meshes"][0]["primitives"][0], "NORMAL", normal)
            return builder.save(self.path(name))

        a, b = with_normals("a.glb", 0), with_normals("b.glb", np.deg2rad(30))
        [row] = self.compared(a, b, "--attributes")["instances"][0]["attributes"]
        self.assertEqual(row["name"], "NORMAL")
        self.assertAlmostEqual(row["max"], np.deg2rad(30), 5)
        [row] = self.compared(a, self.strip("c.glb", clip=False), "--attributes")["instances"][0]["attributes"]
        self.assertIn("only the first file", row["why"])
        self.assertIn("30 degrees", sinew("compare", a, b, "--attributes").out)

    def test_attributes_at_a_seam(self):
        """Vertices at one place that differ in texture coordinates alone: by position each has its own counterpart."""
        def seam(name, order, shift=0):
            points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 0], [1, 0, 0], [0, 0, 1]], "<f4")[order]
            coordinates = np.array([[0, 0], [1, 0], [0, 1], [0.5, 0.5], [0.25, 0.5], [0.5 + shift, 1]], "<f4")[order]
            b = Builder()
            b.add("meshes", {"primitives": [{"attributes": {"POSITION": b.accessor(points, bounds=True), "TEXCOORD_0": b.accessor(coordinates)},
                                             "indices": b.accessor(np.argsort(order).astype("<u2"))}]})
            b.add("nodes", {"mesh": 0})
            b.add("scenes", {"nodes": [0]})
            return b.save(self.path(name))

        a, b = seam("a.glb", [0, 1, 2, 3, 4, 5]), seam("b.glb", [3, 4, 5, 0, 1, 2])
        turned = seam("c.glb", [4, 3, 5, 2, 0, 1])  # the program finds the order from the positions
        for other in (a, b, turned):
            for options in ([], ["--match"]):
                [row] = self.compared(a, other, "--attributes", *options)["instances"][0]["attributes"]
                self.assertEqual((row["name"], row["max"]), ("TEXCOORD_0", 0), (other, options))
        for order in ([3, 4, 5, 0, 1, 2], [4, 3, 5, 2, 0, 1]):
            [row] = self.compared(a, seam("d.glb", order, shift=0.5), "--attributes", "--match")["instances"][0]["attributes"]
            self.assertAlmostEqual(row["max"], 0.5, 6)

    def test_nothing_to_measure_is_said(self):
        one = self.one_triangle("one.glb", 1)
        ran = sinew("compare", one, self.one_triangle("empty.glb", 1, drawn=False))
        self.assertEqual(ran.status, DIFFERENT, str(ran))
        self.assertIn("different: no vertices could be compared", ran.out)
        point = self.one_triangle("point.glb", 0)
        ran = sinew("compare", point, one)
        self.assertIn("no extent at rest, so use --max-distance", ran.out)
        self.assertNotIn("inf", ran.out)
        self.succeeds("compare", point, one, "--max-distance", 1)

    def one_triangle(self, name, size, drawn=True):
        b = Builder()
        b.add("meshes", {"primitives": [{"attributes": {"POSITION": b.accessor(size * np.eye(3, dtype="<f4"), bounds=True)}}]})
        b.add("nodes", {"mesh": 0} if drawn else {})
        b.add("scenes", {"nodes": [0]})
        return b.save(self.path(name))

    def test_folders(self):
        for folder in ("one", "two"):
            Path(self.path(folder)).mkdir()
        for name in ("one/a.glb", "two/a.glb", "one/b.glb", "two/c.glb"):
            self.strip(name)
        report = self.compared(self.path("one"), self.path("two"), status=DIFFERENT)
        self.assertEqual([file["verdict"] for file in report["files"]], ["equal in every pose"])
        self.assertEqual((report["onlyA"], report["onlyB"]), ([self.path("one/b.glb")], [self.path("two/c.glb")]))
        self.assertIn("1 of 1 pair equal", sinew("compare", self.path("one"), self.path("two")).out)
        self.fails(USAGE, "compare", self.path("one"), self.path("two/c.glb"), says="folder")

    def test_quiet_says_nothing(self):
        ran = sinew("compare", self.strip("a.glb"), self.strip("b.glb", clip=False), "-q")
        self.assertEqual((ran.status, ran.out, ran.err), (DIFFERENT, "", ""))

    def test_mistakes(self):
        a = self.strip("a.glb")
        self.fails(INPUT, "compare", a, self.path("none.glb"), says="none.glb")
        self.fails(USAGE, "compare", a)
        self.fails(USAGE, "compare", "-", "-")
        self.fails(USAGE, "compare", a, a, "--tolerance", "nan")
        self.fails(USAGE, "compare", a, a, "--tolerance", "-1")
        self.fails(USAGE, "compare", a, a, "--scene", 1)


class Corpus(CompareTest):
    def test_every_model_equals_itself(self):
        for name, path in corpus_models():
            with self.subTest(model=name):
                self.assertEqual(self.compared(path, path, "--tolerance", 0)["max"], 0)


if __name__ == "__main__":
    main()
