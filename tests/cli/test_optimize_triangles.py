# SPDX-License-Identifier: MIT
"""sinew optimize --triangles: fewer triangles, the same shape. Surfaces stay closed, seams and borders of materials stay together, every
vertex keeps its row, and the surfaces stay within the allowed distance."""
import json
import os
from collections import Counter

import numpy as np

from program import ROOT, UNSUPPORTED, USAGE, ProgramTest, main

import gltf_oracle
from gltf_builder import Builder
from surface_judge import distances, surfaces


def grid(across, along, place):
    """(positions, texture coordinates, triangles) of a sheet: place(u, v) for u and v from 0 to 1."""
    u, v = np.meshgrid(np.linspace(0, 1, across + 1), np.linspace(0, 1, along + 1))
    texture = np.stack([u.ravel(), v.ravel()], 1).astype("<f4")
    first = (np.arange(along)[:, None] * (across + 1) + np.arange(across)).ravel()
    corners = [[first, first + 1, first + across + 1], [first + 1, first + across + 2, first + across + 1]]
    return np.array([place(*at) for at in texture], "<f4"), texture, np.concatenate([np.stack(c, 1) for c in corners]).astype("<u4")


def torus(u, v):
    """Closed in both directions; numbers at the seam are equal bit by bit."""
    a, b = 2 * np.pi * (u % 1), 2 * np.pi * (v % 1)
    return (2 + np.cos(b)) * np.cos(a), np.sin(b), (2 + np.cos(b)) * np.sin(a)


def edges(triangles):
    return Counter(tuple(sorted(edge)) for t in triangles for edge in ((t[0], t[1]), (t[1], t[2]), (t[2], t[0])))


class Triangles(ProgramTest):
    def model(self, parts):
        """A mesh with a primitive of each part."""
        b = Builder()
        primitives = []
        for number, (positions, texture, triangles) in enumerate(parts):
            attributes = {"POSITION": b.accessor(positions, bounds=True), "TEXCOORD_0": b.accessor(texture)}
            primitives.append({"attributes": attributes, "indices": b.accessor(triangles.ravel()), "material": number})
        b.json["materials"] = [{"name": f"M{i}"} for i in range(len(parts))]
        b.json["meshes"], b.json["nodes"] = [{"primitives": primitives}], [{"mesh": 0, "name": "Thing"}]
        b.json["scenes"], b.json["scene"] = [{"nodes": [0]}], 0
        return b.save(self.path("in.glb"))

    def reduced(self, source, ratio, error, *more):
        out = self.path("out.glb")
        done = self.succeeds("optimize", source, "-o", out, "--triangles", ratio, "--max-error", error, "--steps", "triangles", "--json", *more)
        return out, json.loads(done.out)

    def shape(self, path):
        """Corners of all triangles as places, equal places as one."""
        evaluator = gltf_oracle.Evaluator(gltf_oracle.Document(path))
        rows, triangles, first = [], [], 0
        for places, corners in surfaces(evaluator, (None, 0.0)):
            rows.append(places)
            triangles.append(corners + first)
            first += len(places)
        _, place = np.unique(np.concatenate(rows), axis=0, return_inverse=True)
        return place.ravel()[np.concatenate(triangles)]

    def test_a_closed_surface_stays_closed(self):
        source = self.model([grid(48, 24, torus)])
        out, report = self.reduced(source, 0.4, 0.01)
        self.assertEqual(report["triangles"]["before"], 2304)
        self.assertLessEqual(report["triangles"]["after"], 922)
        triangles = self.shape(out)
        counts = edges(triangles)
        self.assertEqual(set(counts.values()), {2})
        # The Euler characteristic of a torus: no hole opened or closed.
        self.assertEqual(len(set(triangles.ravel())) - len(counts) + len(triangles), 0)
        worst, before, after = distances(source, out, most=4000)
        self.assertLessEqual(worst, report["surfaceError"] + 1e-6)
        self.assertLessEqual(report["surfaceError"], 0.01)
        self.assertEqual((before, after), (2304, report["triangles"]["after"]))
        self.assertEqual(self.succeeds("validate", out).error_lines(), [])

    def test_every_vertex_keeps_its_row(self):
        source = self.model([grid(48, 24, torus)])
        out, _ = self.reduced(source, 0.4, 0.01)
        one, two = gltf_oracle.Document(source), gltf_oracle.Document(out)
        rows = [np.hstack([d.values(d.json["meshes"][0]["primitives"][0]["attributes"][name]) for name in ("POSITION", "TEXCOORD_0")])
                for d in (one, two)]
        self.assertLess(len(rows[1]), len(rows[0]))
        self.assertLessEqual({tuple(row) for row in rows[1]}, {tuple(row) for row in rows[0]})

    def test_a_flat_sheet_keeps_its_outline_and_the_border_of_its_materials(self):
        left, right = grid(16, 16, lambda u, v: (u, v, 0)), grid(16, 16, lambda u, v: (1 + u, v, 0))
        source = self.model([left, right])
        out, report = self.reduced(source, 0.05, 1e-3)
        self.assertLess(report["triangles"]["ratio"], 0.1)
        evaluator = gltf_oracle.Evaluator(gltf_oracle.Document(out))
        borders = []
        for (rows, triangles), low in zip(surfaces(evaluator, (None, 0.0)), (0, 1)):
            a, b, c = (rows[triangles[:, i]] for i in range(3))
            self.assertAlmostEqual(np.cross(b - a, c - a)[:, 2].sum() / 2, 1, places=5)
            self.assertEqual((rows[:, 0].min(), rows[:, 0].max()), (low, low + 1))
            borders.append({tuple(row) for row in rows[np.unique(triangles)] if row[0] == 1})
        self.assertEqual(*borders)  # no crack

    def test_r_limits_what_goes(self):
        source = self.model([grid(48, 24, torus)])
        counts = [self.reduced(source, 0.01, error)[1] for error in (0.02, 0.005, 0.001)]
        self.assertLess(counts[0]["triangles"]["after"], counts[1]["triangles"]["after"])
        for error, report in zip((0.02, 0.005), counts):
            self.assertLessEqual(report["surfaceError"], error)
            self.assertIn("stay", json.dumps(report["steps"]))

    def test_all_steps_together_keep_r(self):
        model = os.path.join(ROOT, "samples", "show", "figure.gltf")
        out = self.path("figure.glb")
        report = json.loads(self.succeeds("optimize", model, "-o", out, "--triangles", "0.5", "--max-error", "0.005", "--json").out)
        self.assertLess(report["triangles"]["ratio"], 0.8)
        self.assertLessEqual(report["surfaceError"], 0.005)
        self.assertEqual(report["error"], report["surfaceError"])
        self.assertLessEqual(distances(model, out, most=2000, times=(0.3,))[0], report["surfaceError"] + 2e-6)

    def test_one_moment_of_many_keeps_r(self):
        """A clip of 400 keys is measured in some moments first; in one key, everything is three times as large."""
        b = Builder()
        positions, texture, triangles = grid(48, 24, torus)
        b.json["meshes"] = [{"primitives": [{"attributes": {"POSITION": b.accessor(positions, bounds=True)},
                                             "indices": b.accessor(triangles.ravel())}]}]
        sizes = np.ones((400, 3), "<f4")
        sizes[202] = 3
        times = np.arange(400, dtype="<f4")
        b.json["animations"] = [{"samplers": [{"input": b.accessor(times, bounds=True), "output": b.accessor(sizes)}],
                                 "channels": [{"sampler": 0, "target": {"node": 0, "path": "scale"}}]}]
        b.json["nodes"], b.json["scenes"], b.json["scene"] = [{"mesh": 0, "name": "Thing"}], [{"nodes": [0]}], 0
        source = b.save(self.path("in.glb"))
        out, report = self.reduced(source, 0.3, 0.015)
        self.assertLess(report["triangles"]["after"], 2304)
        self.assertLessEqual(report["surfaceError"], 0.015)
        self.assertLessEqual(distances(source, out, most=1000, reach=0.1, times=(202 / 399,))[0], report["surfaceError"] + 1e-6)

    def test_without_an_error_all_triangles_stay(self):
        out, report = self.reduced(self.model([grid(8, 8, torus)]), 0.5, 0)
        self.assertNotIn("triangles", report)
        self.assertIn("no error is left", json.dumps(report["steps"]))

    def test_what_it_refuses(self):
        source = self.model([grid(4, 4, torus)])
        for ratio in ("0", "-1", "1.5", "nan"):
            self.fails(USAGE, "optimize", source, "-o", self.path("x.glb"), "--max-error", "0.1", "--triangles", ratio)
        self.fails(USAGE, "optimize", source, "-o", self.path("x.glb"), "--max-error", "0.1", "--steps", "triangles")
        self.fails(USAGE, "optimize", source, "-o", self.path("x.glb"), "--max-error", "0.1", "--steps", "prune", "--triangles", "0.5")
        g4mf = self.path("in.g4b")
        self.succeeds("convert", source, g4mf)
        done = self.fails(UNSUPPORTED, "optimize", g4mf, "-o", self.path("x.g4b"), "--max-error", "0.1", "--triangles", "0.5")
        self.assertIn("--triangles works on glTF only", done.err)


if __name__ == "__main__":
    main()
