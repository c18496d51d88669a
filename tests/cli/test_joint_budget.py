# SPDX-License-Identifier: MIT
"""sinew optimize --joint-budget: every skin has few joints, and every triangle stays where it was, in every pose."""
import json
import os

import numpy as np

from program import ROOT, UNSUPPORTED, USAGE, ProgramTest, corpus_models, in_parallel, main, sinew

from gltf_oracle import Document, Evaluator
from test_optimize_weights import tail


def corners(path, animation=None, time=0.0):
    """The corners of all triangles, lines or points in the world, sorted."""
    document = Document(path)
    nodes, rows = document.json["nodes"], []
    for node, primitive, points in Evaluator(document).instances(animation=animation, time=time):
        indices = document.json["meshes"][nodes[node]["mesh"]]["primitives"][primitive]
        order = document.raw(indices["indices"])[:, 0] if "indices" in indices else np.arange(len(points))
        if indices.get("mode", 4) == 5:
            order = np.concatenate([[a, b, c] if i % 2 == 0 else [a, c, b] for i, (a, b, c) in enumerate(zip(order, order[1:], order[2:]))])
        size = 1 if indices.get("mode", 4) == 0 else 3
        rows.append(points[order.astype(int)].reshape(-1, size * 3))
    rows = np.concatenate(rows)
    return rows[np.lexsort(rows.T)]


def joints_of(path):
    """The numbers of joints of the skins that nodes use."""
    document = Document(path).json
    return [len(document["skins"][node["skin"]]["joints"]) for node in document["nodes"] if "skin" in node]


class BudgetTest(ProgramTest):
    def split(self, source, budget, *options, error=0, name="out"):
        out = self.path(name + os.path.splitext(source)[1])
        done = self.succeeds("optimize", source, "-o", out, "--max-error", error, "--joint-budget", budget, "--json", *options, timeout=300)
        return out, json.loads(done.out)

    def codes(self, path):
        report = json.loads(sinew("validate", path, "--format", "json", timeout=300).out)
        return {message["code"] for part in ("issues", "modelIssues") for message in report.get(part, {}).get("messages", [])}

    def check(self, b, budget, *options):
        source = b.save(self.path("in.glb"))
        out, report = self.split(source, budget, *options)
        self.assertLessEqual(max(joints_of(out)), budget)
        self.assertEqual(report["error"], 0)
        for pair in ((source, out), (out, source)):
            compared = json.loads(self.succeeds("compare", *pair, "--json").out)
            self.assertEqual((compared["verdict"], compared["max"]), ("equal in every pose", 0))
        for time in (0, 0.7, 1.6):
            np.testing.assert_allclose(corners(out, 0, time), corners(source, 0, time), rtol=0, atol=1e-6)
        self.assertEqual(self.codes(out) - self.codes(source), set())
        return out, Document(out).json

    def primitive(self, b):
        return b.json["meshes"][0]["primitives"][0]


class Split(BudgetTest):
    def test_every_budget(self):
        for budget in (5, 6, 7):
            out, document = self.check(tail(influences=3), budget, "--steps", "joints")
            names = [node["name"] for node in document["nodes"] if "mesh" in node]
            self.assertGreater(len(names), 1)
            self.assertEqual(names, ["Body"] + [f"Body_{i}" for i in range(2, len(names) + 1)])
            self.assertEqual(document["scenes"][0]["nodes"], [0, 1] + list(range(9, 8 + len(names))))
            self.assertEqual(len(document["meshes"]), len(names))

    def test_a_budget_that_holds_changes_nothing(self):
        source = tail(influences=3).save(self.path("in.glb"))
        out, report = self.split(source, 8, "--steps", "joints")
        self.assertEqual(report["changes"], [])
        self.assertEqual(len(Document(out).json["meshes"]), 1)

    def test_the_other_steps_follow(self):
        source = tail(influences=3).save(self.path("in.glb"))
        out, report = self.split(source, 6, error=1e-3)
        compared = json.loads(sinew("compare", source, out, "--json").out)
        self.assertLessEqual(compared["max"] / compared["diagonal"], 1e-3)
        self.assertLessEqual(report["error"], 1e-3)
        self.assertLessEqual(max(joints_of(out)), 6)

    def test_what_belongs_to_the_mesh_is_copied(self):
        b = tail(influences=3)
        shift = np.zeros((80, 3), "<f4")
        shift[:40, 0] = 0.5
        primitive = self.primitive(b)
        primitive["targets"] = [{"POSITION": b.accessor(shift, bounds=True, target=34962)}, {"POSITION": b.sparse(shift, bounds=True)}]
        primitive["material"] = 0
        primitive["extras"] = {"part": "skin"}
        primitive["extensions"] = {"KHR_materials_variants": {"mappings": [{"material": 1, "variants": [0]}]}}
        b.json["materials"] = [{"name": "Plain"}, {"name": "Festive"}]
        b.json["extensionsUsed"] = ["KHR_materials_variants"]
        b.json["extensions"] = {"KHR_materials_variants": {"variants": [{"name": "Party"}]}}
        b.json["meshes"][0].update(name="Tail", weights=[0.25, 0], extras={"targetNames": ["Left", "Right"], "id": 7})
        clip = b.json["animations"][0]
        clip["samplers"].append({"input": clip["samplers"][0]["input"], "output": b.accessor(np.linspace(0, 1, 10).astype("<f4"))})
        clip["channels"].append({"sampler": 8, "target": {"node": 0, "path": "weights"}})
        out, document = self.check(b, 6)
        self.assertGreater(len(document["meshes"]), 1)
        for mesh in document["meshes"]:
            self.assertEqual((mesh["name"], mesh["weights"], mesh["extras"]), ("Tail", [0.25, 0], b.json["meshes"][0]["extras"]))
            for made in mesh["primitives"]:
                self.assertEqual((made["material"], made["extras"], made["extensions"]), (0, primitive["extras"], primitive["extensions"]))
        animated = {channel["target"]["node"] for channel in document["animations"][0]["channels"] if channel["target"]["path"] == "weights"}
        self.assertEqual(animated, {i for i, node in enumerate(document["nodes"]) if "mesh" in node})

    def test_surfaces_that_fit_stay_whole(self):
        b = tail(influences=3)
        whole = self.primitive(b)
        indices = Document(b.save(self.path("before.glb"))).raw(whole["indices"])[:, 0].reshape(-1, 3)
        lists = [indices[:66], indices[84:]]
        b.json["meshes"][0]["primitives"] = []
        for part in lists:
            first, last = part.min(), part.max() + 1
            attributes = {}
            for name, accessor in whole["attributes"].items():
                values = Document(self.path("before.glb")).raw(accessor)[first:last]
                attributes[name] = b.accessor(values, bounds=name == "POSITION", target=34962)
            b.json["meshes"][0]["primitives"].append(
                {"attributes": attributes, "indices": b.accessor((part - first).reshape(-1).astype("<u2"), target=34963)}
            )
        _, document = self.check(b, 6, "--steps", "joints")
        self.assertEqual([len(mesh["primitives"]) for mesh in document["meshes"]], [1, 1])

    def test_two_nodes_and_two_skins_of_one_mesh(self):
        b = tail(influences=3)
        b.json["nodes"].append({"name": "Second", "mesh": 0, "skin": 1})
        b.json["scenes"][0]["nodes"].append(9)
        b.add("skins", {"joints": list(range(8, 0, -1))})
        _, document = self.check(b, 6, "--steps", "joints")
        names = [node["name"] for node in document["nodes"] if "mesh" in node]
        self.assertEqual(len(names), 2 * len(document["meshes"]))
        self.assertIn("Second_2", names)

    def test_strips_and_points(self):
        for mode in (0, 5):
            b = tail(influences=3)
            self.primitive(b)["mode"] = mode
            self.primitive(b)["indices"] = b.accessor(np.arange(80).astype("<u2"), target=34963)
            self.check(b, 6, "--steps", "joints")

    def test_nodes_without_a_name(self):
        b = tail(influences=3)
        del b.json["nodes"][0]["name"]
        self.check(b, 6, "--steps", "joints")


class Refusals(BudgetTest):
    def test_a_triangle_that_needs_more_joints(self):
        source, out = tail().save(self.path("in.glb")), self.path("out.glb")
        self.fails(UNSUPPORTED, "optimize", source, "-o", out, "--max-error", 0, "--joint-budget", 4,
                   says=["a triangle uses 8 joints", "--joint-budget 4", "--max-influences"])
        self.assertFalse(os.path.exists(out))
        out, _ = self.split(source, 5, "--max-influences", 2, error=1)
        self.assertLessEqual(max(joints_of(out)), 5)

    def test_an_extension_with_unknown_indices(self):
        b = tail(influences=3)
        b.json["extensionsUsed"] = ["EXAMPLE_clothes"]
        b.json["extensions"] = {"EXAMPLE_clothes": {"mesh": 0}}
        out = self.path("out.glb")
        self.fails(UNSUPPORTED, "optimize", b.save(self.path("in.glb")), "-o", out, "--max-error", 0, "--joint-budget", 6, says="extension")
        self.assertFalse(os.path.exists(out))

    def test_usage(self):
        source, out = tail().save(self.path("in.glb")), self.path("out.glb")
        self.fails(USAGE, "optimize", source, "-o", out, "--max-error", 0, "--joint-budget", 0)
        self.fails(USAGE, "optimize", source, "-o", out, "--max-error", 0, "--joint-budget", 8, "--steps", "keys", says="joints")
        arm = os.path.join(ROOT, "samples", "g4mf", "arm_4d.g4tf")
        self.fails(UNSUPPORTED, "optimize", arm, "-o", self.path("out.g4tf"), "--max-error", 0, "--joint-budget", 8, says="glTF only")


class RealFiles(BudgetTest):
    def test_corpus(self):
        models = corpus_models()
        if not models:
            self.skipTest("no folder of real files (--shared FOLDER)")

        def check(job):
            name, path, budget = job
            out, report = self.split(path, budget, "--steps", "joints", name=f"{name}-{budget}")
            compared = json.loads(self.succeeds("compare", path, out, "--json", timeout=300).out)
            self.assertEqual((compared["verdict"], compared["max"]), ("equal in every pose", 0), job)
            numbers = joints_of(out)
            self.assertLessEqual(max(numbers, default=0), budget, job)
            self.assertEqual(self.codes(out) - self.codes(path), set(), job)
            return len(Document(out).json.get("meshes", [])) > len(Document(path).json.get("meshes", []))

        jobs = [(name, path, budget) for name, path in models for budget in (24, 32, 64)]
        jobs += [(name, path, 12) for name, path in models if name in ("fox", "rigged_figure", "d_fox_negscale")]
        self.assertEqual(sum(in_parallel(check, jobs)), 3)


if __name__ == "__main__":
    main()
