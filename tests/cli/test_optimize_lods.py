# SPDX-License-Identifier: MIT
"""sinew optimize --lods: coarser levels of detail (MSFT_lod). Levels share the vertices of the finest one, stand where it stands, move as
it moves, and no command loses them."""
import json

import numpy as np

from program import UNSUPPORTED, USAGE, ProgramTest, main, sinew

import gltf_oracle
from gltf_builder import Builder
from surface_judge import distances, level_counts, show_level
from test_optimize_triangles import grid, torus


def bones(b, positions):
    """A skin of two joints that the positions follow by their height, and a clip that bends it and moves the mesh's shape."""
    share = ((positions[:, 1] + 1) / 2).clip(0, 1)
    weights = np.stack([1 - share, share, 0 * share, 0 * share], 1).astype("<f4")
    joints = np.tile(np.array([0, 1, 0, 0], "u1"), (len(positions), 1))
    return {"JOINTS_0": b.accessor(joints), "WEIGHTS_0": b.accessor(weights)}


class Levels(ProgramTest):
    def model(self, name="in.glb", skin=True, child=False):
        """A torus that follows a skin, or a node that a clip turns; with a blend shape and a clip of it."""
        b = Builder()
        positions, texture, triangles = grid(32, 16, torus)
        offsets = np.zeros_like(positions)
        offsets[:, 1] = 0.3 * positions[:, 0]
        primitive = {"attributes": {"POSITION": b.accessor(positions, bounds=True), "TEXCOORD_0": b.accessor(texture)},
                     "indices": b.accessor(triangles.ravel()), "targets": [{"POSITION": b.accessor(offsets, bounds=True)}], "material": 0}
        b.json["materials"] = [{"name": "M"}]
        node = {"mesh": 0, "name": "Thing"}
        nodes = [node]
        if skin:
            primitive["attributes"].update(bones(b, positions))
            node["skin"] = 0
            nodes += [{"name": "Low", "children": [2]}, {"name": "High"}]
            b.json["skins"] = [{"joints": [1, 2]}]
        else:
            node["translation"] = [1, 2, 3]
        if child:
            node["children"] = [len(nodes)]
            nodes.append({"name": "Child", "extras": {}})
        b.json["meshes"], b.json["nodes"] = [{"name": "Ring", "primitives": [primitive], "weights": [0.25]}], nodes
        b.json["scenes"], b.json["scene"] = [{"nodes": [0, 1] if skin else [0]}], 0
        times = b.accessor(np.array([0, 1], "<f4"), bounds=True)
        turned = b.accessor(np.array([[0, 0, 0, 1], [0.38268343, 0, 0, 0.92387953]], "<f4"))
        amounts = b.accessor(np.array([0, 1], "<f4"))
        b.json["animations"] = [{"name": "Move", "samplers": [{"input": times, "output": turned}, {"input": times, "output": amounts}],
                                 "channels": [{"sampler": 0, "target": {"node": 2 if skin else 0, "path": "rotation"}},
                                              {"sampler": 1, "target": {"node": 0, "path": "weights"}}]}]
        return b.save(self.path(name))

    def with_levels(self, source, *more, lods="0.5,0.2", error="1e-4", out="out.glb"):
        out = self.path(out)
        return out, json.loads(self.succeeds("optimize", source, "-o", out, "--lods", lods, "--max-error", error, "--json", *more).out)

    def json_of(self, path):
        return gltf_oracle.Document(path).json

    def parts(self, path):
        """(node, nodes of its levels, document)"""
        document = self.json_of(path)
        node = next(n for n in document["nodes"] if "MSFT_lod" in n.get("extensions", {}))
        return node, [document["nodes"][i] for i in node["extensions"]["MSFT_lod"]["ids"]], document

    def judge(self, source, out, report):
        """Every level is within its reported error of the source, with the reported number of triangles."""
        for number, level in enumerate(report["lods"]):
            shown = show_level(out, number, self.path("shown.glb"))
            worst, _, after = distances(source, shown, most=1500, reach=2 * level["surfaceError"])
            self.assertLessEqual(worst, level["surfaceError"] + 2e-6)
            self.assertGreater(worst, level["surfaceError"] / 20)
            self.assertEqual(after, level["triangles"])

    def test_levels_share_vertices_and_state_their_errors(self):
        for skin in (True, False):
            with self.subTest(skin=skin):
                source = self.model(skin=skin)
                out, report = self.with_levels(source)
                self.assertEqual(len(report["lods"]), 2)
                self.assertLessEqual(report["error"], 1e-4)
                self.assertEqual([round(level["triangles"] / 1024, 6) for level in report["lods"]],
                                 [round(level["ratio"], 6) for level in report["lods"]])
                for level, wanted in zip(report["lods"], (0.5, 0.2)):
                    self.assertLessEqual(level["ratio"], wanted + 0.005)
                self.judge(source, out, report)
                node, levels, document = self.parts(out)
                first = document["meshes"][node["mesh"]]["primitives"][0]
                for level in levels:
                    primitive = document["meshes"][level["mesh"]]["primitives"][0]
                    self.assertEqual({k: v for k, v in primitive.items() if k != "indices"},
                                     {k: v for k, v in first.items() if k != "indices"})
                    self.assertEqual(level.get("skin"), node.get("skin"))
                self.assertEqual([level["name"] for level in levels], ["Thing_LOD1", "Thing_LOD2"])
                inside = {i for scene in document["scenes"] for i in scene["nodes"]} | {c for n in document["nodes"]
                                                                                        for c in n.get("children", [])}
                self.assertFalse(inside & set(node["extensions"]["MSFT_lod"]["ids"]))
                coverage, errors = node["extras"]["MSFT_screencoverage"], node["extras"]["surfaceErrors"]
                self.assertEqual((len(coverage), coverage[-1]), (3, 0))
                self.assertEqual(sorted(coverage, reverse=True), coverage)
                for stated, level, part in zip(errors, report["lods"], coverage):
                    self.assertGreaterEqual(stated, level["surfaceError"])
                    self.assertLess(stated, 1.001 * level["surfaceError"])
                    self.assertAlmostEqual(part, min(1, 1 / (1080 * level["surfaceError"])), places=3)

    def test_levels_move_with_the_finest_one(self):
        for skin, paths in ((True, ["weights"]), (False, ["rotation", "weights"])):
            with self.subTest(skin=skin):
                out, _ = self.with_levels(self.model(skin=skin))
                node, _, document = self.parts(out)
                for level in node["extensions"]["MSFT_lod"]["ids"]:
                    moved = [(c["target"]["path"], c["sampler"]) for c in document["animations"][0]["channels"]
                             if c["target"]["node"] == level]
                    finest = [(c["target"]["path"], c["sampler"]) for c in document["animations"][0]["channels"]
                              if document["nodes"][c["target"]["node"]] is node]
                    self.assertEqual(sorted(path for path, _ in moved), paths)
                    self.assertEqual(moved, finest)

    def test_validate_has_nothing_new(self):
        source = self.model()
        plain = self.path("plain.glb")
        self.succeeds("optimize", source, "-o", plain, "--max-error", "1e-4")
        found = []
        for path in (plain, self.with_levels(source)[0]):
            report = json.loads(sinew("validate", path, "--format", "json").out)
            found.append({(m["code"], m["severity"]) for part in ("issues", "modelIssues")
                          for m in report.get(part, {}).get("messages", []) if m["severity"] < 2})
        self.assertEqual(*found)

    def test_no_command_loses_a_level(self):
        source = self.model()
        out, report = self.with_levels(source)
        again, repaired, text, merged = self.path("again.glb"), self.path("repaired.glb"), self.path("text.gltf"), self.path("merged.glb")
        for command in (("optimize", out, "-o", again, "--max-error", "1e-3"), ("repair", out, "-o", repaired, "--prune-unused"),
                        ("convert", out, text), ("merge", out, self.model("body.glb"), "-o", merged)):
            with self.subTest(command=command[0]):
                self.succeeds(*command)
        for path in (again, repaired, merged):
            with self.subTest(path=path):
                self.assertEqual(level_counts(path), [2])
        for path in (again, repaired):
            self.judge(source, path, {"lods": [dict(level, surfaceError=level["surfaceError"] + 1e-3) for level in report["lods"]]})
        self.assertEqual(level_counts(text), [2])
        rows = [np.load(self.deformed(path)) for path in (source, out)]
        self.assertEqual(rows[0].shape[0], rows[1].shape[0])

    def deformed(self, path):
        self.succeeds("deform", path, "-o", self.path("rows.npy"))
        return self.path("rows.npy")

    def test_optimizing_again_keeps_levels_in_place(self):
        """Levels that share arrays and a skin, or a clip, with the finest one: other steps must change all of them alike."""
        for skin in (True, False):
            with self.subTest(skin=skin):
                source = self.model(skin=skin)
                out, report = self.with_levels(source, "--steps", "lods", error="0")
                again = self.path("again.glb")
                self.succeeds("optimize", out, "-o", again, "--max-error", "1e-3")
                self.assertEqual(level_counts(again), [2])
                for number, level in enumerate(report["lods"]):
                    shown = show_level(again, number, self.path("shown.glb"))
                    self.assertLessEqual(distances(source, shown, most=1000, reach=0.2)[0], level["surfaceError"] + 1e-3)

    def test_with_fewer_triangles_and_compression(self):
        source = self.model()
        out, report = self.with_levels(source, "--triangles", "0.6", lods="0.3", error="2e-2")
        self.assertLessEqual(report["triangles"]["ratio"], 0.605)
        self.assertEqual(report["triangles"]["before"], 1024)
        self.assertLessEqual(report["lods"][0]["triangles"], 0.305 * 1024)
        self.judge(source, out, report)
        small, packed = self.with_levels(source, "--triangles", "0.6", "--compress", "meshopt", lods="0.3", error="2e-2", out="small.glb")
        self.assertEqual(level_counts(small), [1])
        self.assertEqual([level["triangles"] for level in packed["lods"]], [level["triangles"] for level in report["lods"]])
        self.assertLess(packed["bytes"], report["bytes"])

    def test_what_has_no_levels(self):
        source = self.model(skin=False)
        _, report = self.with_levels(self.model("parent.glb", skin=False, child=True), "--steps", "lods")
        self.assertNotIn("lods", report)
        self.assertIn("1 with children", json.dumps(report["steps"]))
        out, _ = self.with_levels(source)
        _, report = self.with_levels(out, "--steps", "lods", out="second.glb")
        self.assertIn("1 with an extension", json.dumps(report["steps"]))

    def test_what_it_refuses(self):
        source = self.model()
        for lods in ("0", "1", "0.2,0.5", "0.5,0.5", "x", "0.5;0.2", "nan"):
            with self.subTest(lods=lods):
                self.fails(USAGE, "optimize", source, "-o", self.path("x.glb"), "--max-error", "0.1", "--lods", lods)
        self.fails(USAGE, "optimize", source, "-o", self.path("x.glb"), "--max-error", "0.1", "--lods", "0.5", "--triangles", "0.4")
        self.fails(USAGE, "optimize", source, "-o", self.path("x.glb"), "--max-error", "0.1", "--lods", "0.5", "--steps", "prune")
        self.fails(USAGE, "optimize", source, "-o", self.path("x.glb"), "--max-error", "0.1", "--steps", "lods")
        g4mf = self.path("in.g4b")
        self.succeeds("convert", source, g4mf)
        done = self.fails(UNSUPPORTED, "optimize", g4mf, "-o", self.path("x.g4b"), "--max-error", "0.1", "--lods", "0.5")
        self.assertIn("--lods works on glTF only", done.err)
        out, _ = self.with_levels(source)
        done = self.fails(UNSUPPORTED, "optimize", out, "-o", self.path("x.glb"), "--max-error", "0.1", "--joint-budget", "1")
        self.assertIn("levels of detail", done.err)


if __name__ == "__main__":
    main()
