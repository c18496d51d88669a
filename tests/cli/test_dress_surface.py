#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`sinew merge --fit surface`: clothes come to lie outside the body, in their layers, and clothes that fit stay."""
import json
import os
from pathlib import Path

import numpy as np

from program import INPUT, ROOT, UNSUPPORTED, ProgramTest, main

from gltf_builder import Builder

HEIGHTS = [0.0, 0.5, 1.0, 1.5]  # of the bones
NAMES = ["hips", "spine", "chest", "neck"]


def tube(rx, rz, low, high, z=0.0, rings=25, around=24, belly=0.0):
    """Points, outward faces, and the heights of an elliptic tube along y; `belly` makes it rounder in front in the middle."""
    y = np.linspace(low, high, rings)
    turn = 2 * np.pi * np.arange(around) / around
    front = np.maximum(0, np.sin(turn))
    points = np.array([[rx * np.cos(t), h, z + (rz + belly * f * np.exp(-((h - 0.75) / 0.2) ** 2)) * np.sin(t)]
                       for h in y for t, f in zip(turn, front)])
    faces = []
    for ring in range(rings - 1):
        for k in range(around):
            a, b = ring * around + k, ring * around + (k + 1) % around
            faces += [[a, a + around, b], [b, a + around, b + around]]
    return points, np.array(faces)


def skinned(tubes, bones, influences, name):
    """A mesh of tubes on bones (name, parent, place in the world); influences(points): four joints and four weights of each point."""
    b = Builder()
    points = np.concatenate([p for p, _ in tubes])
    first = np.cumsum([0] + [len(p) for p, _ in tubes])
    faces = np.concatenate([f + start for (_, f), start in zip(tubes, first)])
    normals = np.concatenate([(p - p.mean(0)) * [1, 0, 1] / np.linalg.norm((p - p.mean(0)) * [1, 0, 1], axis=1, keepdims=True) for p, _ in tubes])
    joints, weights = influences(points)
    attributes = {"POSITION": b.accessor(points.astype("<f4"), bounds=True), "NORMAL": b.accessor(normals.astype("<f4")),
                  "JOINTS_0": b.accessor(joints.astype("u1")), "WEIGHTS_0": b.accessor(weights.astype("<f4"))}
    b.add("meshes", {"name": name, "primitives": [{"attributes": attributes, "indices": b.accessor(faces.astype("<u2").reshape(-1))}]})
    bind = np.tile(np.eye(4), (len(bones), 1, 1))
    for n, (bone, parent, place) in enumerate(bones):
        below = [k for k, other in enumerate(bones) if other[1] == n]
        local = np.subtract(place, bones[parent][2] if parent is not None else 0)
        b.add("nodes", {"name": bone, "translation": local.tolist(), **({"children": below} if below else {})})
        bind[n, 3, :3] = -np.asarray(place)
    b.add("nodes", {"name": name, "mesh": 0, "skin": 0})
    b.add("skins", {"joints": list(range(len(bones))), "inverseBindMatrices": b.accessor(bind.astype("<f4").reshape(-1, 16))})
    b.add("scenes", {"nodes": [0, len(bones)]})
    b.json["scene"] = 0
    return b


def rig(*tubes, offset=(0, 0, 0), name="Body"):
    """Tubes that follow four bones; weights blend linearly along y. `offset`: of the bones against those of the body."""
    def influences(points):
        place = np.clip((points[:, 1] - 0.25) / 0.5, 0, 3)
        lower = np.minimum(place.astype(int), 2)
        weights, joints = np.zeros((len(points), 4)), np.zeros((len(points), 4))
        weights[:, 0], weights[:, 1] = 1 - (place - lower), place - lower
        joints[:, 0], joints[:, 1] = lower, lower + 1
        return joints, weights
    bones = [(bone, n - 1 if n else None, np.add([0, h, 0], offset)) for n, (bone, h) in enumerate(zip(NAMES, HEIGHTS))]
    return skinned(tubes, bones, influences, name)


LEGS = [("hips", None, [0, 1, 0]), ("leftLeg", 0, [0.09, 0.9, 0]), ("leftShin", 1, [0.09, 0.5, 0]), ("rightLeg", 0, [-0.09, 0.9, 0]),
        ("rightShin", 3, [-0.09, 0.5, 0])]


def legs(radius, name="Body"):
    """Two straight legs beside each other; the weights of a leg are on its two bones."""
    pair = []
    for x in (0.09, -0.09):
        points, faces = tube(radius, radius, 0.1, 0.9, rings=33)
        pair.append((points + [x, 0, 0], faces))
    half = len(pair[0][0])

    def influences(points):
        share = np.clip((points[:, 1] - 0.4) / 0.2, 0, 1)
        left = np.arange(len(points)) < half
        zero = np.zeros(len(points))
        return np.stack([np.where(left, 1, 3), np.where(left, 2, 4), zero, zero], 1), np.stack([share, 1 - share, zero, zero], 1)
    return skinned(pair, LEGS, influences, name)


def outside(points, rx, rz):
    """Larger than 1: outside of the elliptic tube."""
    return (points[:, 0] / rx) ** 2 + (points[:, 2] / rz) ** 2


class Surface(ProgramTest):
    def dressed(self, body, clothes, fit, *options):
        body.save(self.path("body.glb"))
        clothes.save(self.path("shirt.glb"))
        self.err = self.succeeds("merge", self.path("body.glb"), self.path("shirt.glb"), "-o", self.path("o.glb"), "--fit", fit, "--tolerance", "0.2",
                                 *options).err
        count = len(self.deform(self.path("body.glb")))
        return self.deform(self.path("o.glb"))[count:].astype(float)

    def test_clothes_for_a_body_whose_bones_run_elsewhere(self):
        """A shirt whose bones run at its front: after the pose it lies 0.1 behind the body's middle."""
        body = rig(tube(0.2, 0.15, 0, 1.5))
        before = outside(tube(0.19, 0.14, 0.3, 1.1, z=-0.1)[0], 0.2, 0.15)
        self.assertLess(before.min(), 0.2)
        moved = self.dressed(body, rig(tube(0.19, 0.14, 0.3, 1.1, z=-0.1), name="Shirt"), "surface")
        self.assertGreater(outside(moved, 0.2, 0.15).min(), 1.0)
        np.testing.assert_allclose(moved[:, 2].min() + moved[:, 2].max(), 0, atol=0.02)  # in the middle again
        self.assertLess(np.abs(moved[:, [0, 2]]).max(), 0.24)  # and no wider than it must be
        self.assertIn("still do", self.err)

    def test_one_side_inside(self):
        """A wide shirt with its front inside the body: the front comes out, the back stays near."""
        stored = tube(0.3, 0.22, 0.3, 1.1, z=-0.02)[0]
        moved = self.dressed(rig(tube(0.2, 0.15, 0, 1.5, belly=0.12, rings=61)), rig(tube(0.3, 0.22, 0.3, 1.1, z=-0.02), name="Shirt"), "surface")
        self.assertGreater(outside(moved, 0.2, 0.15).min(), 1.0)
        self.assertGreater(moved[:, 2].max(), 0.27)
        back = stored[:, 2] < -0.1
        np.testing.assert_allclose(moved[back], stored[back], atol=0.08)

    def test_layers_stay_in_their_order(self):
        shirt, coat = tube(0.18, 0.13, 0.3, 1.1), tube(0.185, 0.135, 0.3, 1.1)
        moved = self.dressed(rig(tube(0.2, 0.15, 0, 1.5)), rig(shirt, coat, name="Shirt"), "surface")
        inner, outer = moved[: len(shirt[0])], moved[len(shirt[0]) :]
        self.assertGreater(outside(inner, 0.2, 0.15).min(), 1.0)
        radius = lambda p: np.hypot(p[:, 0] / 0.2, p[:, 2] / 0.15)
        self.assertGreater((radius(outer) - radius(inner)).min(), 0.005)

    def test_clothes_that_fit_stay(self):
        stored = tube(0.22, 0.17, 0.3, 1.1)
        for fit in ("surface", "auto"):
            moved = self.dressed(rig(tube(0.2, 0.15, 0, 1.5)), rig(stored, name="Shirt"), fit)
            np.testing.assert_allclose(moved, stored[0], atol=1e-6)
        # made for this body, although it lies inside (the body's skin below it is not drawn): auto finds nothing to do
        inside = tube(0.19, 0.14, 0.3, 1.1)
        moved = self.dressed(rig(tube(0.2, 0.15, 0, 1.5)), rig(inside, name="Shirt"), "auto")
        np.testing.assert_allclose(moved, inside[0], atol=1e-6)

    def test_made_for(self):
        """Cloth keeps its distance from the figure that it was made for, tight or loose, on a body that is wider, and rounder in front."""
        wearer = rig(tube(0.1, 0.1, 0, 1.5, rings=61)).save(self.path("wearer.glb"))
        body = lambda: rig(tube(0.15, 0.12, 0, 1.5, belly=0.05, rings=61))
        for gap in (0.015, 0.08):
            shirt = rig(tube(0.1 + gap, 0.1 + gap, 0.3, 1.1, rings=41), name="Shirt")
            moved = self.dressed(body(), shirt, "surface", "--made-for", wearer)
            self.assertIn("follow the shape of the figure", self.err)
            side, front, back = (np.abs(moved[:, 2]) < 0.02), (np.abs(moved[:, 0]) < 0.02) & (moved[:, 2] > 0), (np.abs(moved[:, 0]) < 0.02) & (moved[:, 2] < 0)
            middle = np.abs(moved[:, 1] - 0.75) < 0.03
            np.testing.assert_allclose(np.abs(moved[side, 0]), 0.15 + gap, atol=0.03)
            np.testing.assert_allclose(moved[front & middle, 2], 0.17 + gap, atol=0.03)
            np.testing.assert_allclose(moved[back, 2], -0.12 - gap, atol=0.03)
        loose = self.dressed(body(), rig(tube(0.18, 0.18, 0.3, 1.1, rings=41), name="Shirt"), "surface")
        self.assertLess(loose[:, 2].max(), 0.21)  # without the figure it is not known how loose it is
        # the other meshes of the same file are the figure, too
        both = rig(tube(0.1, 0.1, 0, 1.5, rings=61), name="Figure")
        both.save(self.path("figure.glb"))
        self.succeeds("merge", self.path("figure.glb"), self.path("shirt.glb"), "-o", self.path("both.glb"))
        body().save(self.path("body.glb"))
        ran = self.succeeds("merge", self.path("body.glb"), self.path("both.glb"), "-o", self.path("o.glb"), "--mesh", "Shirt", "--fit", "surface", "--tolerance", "0.2")
        self.assertIn("follow the shape of the figure", ran.err)

    def test_the_figure_shows_where_last_bones_point(self):
        """Trousers have no feet, so only the figure that they were made for knows where a shin points. Here the body's is bent by 20 degrees."""
        show = os.path.join(ROOT, "samples", "show")
        figure = json.loads(Path(show, "figure.gltf").read_text())
        shin = next(node for node in figure["nodes"] if node["name"] == "Shin.L")
        shin["rotation"] = [float(np.sin(np.radians(10))), 0, 0, float(np.cos(np.radians(10)))]
        body = self.write("body.gltf", figure)
        ran = self.succeeds("merge", body, os.path.join(show, "trousers.gltf"), "-o", self.path("o.glb"), "--made-for", os.path.join(show, "figure.gltf"))
        self.assertRegex(ran.err, r"pose \d bones? by up to (19\.\d+|20(\.\d+)?) degrees")

    def test_made_for_another_skeleton(self):
        wearer = rig(tube(0.1, 0.1, 0, 1.5), offset=(0, 0.2, 0)).save(self.path("wearer.glb"))
        body, shirt = rig(tube(0.15, 0.12, 0, 1.5)).save(self.path("body.glb")), rig(tube(0.11, 0.11, 0.3, 1.1), name="Shirt").save(self.path("shirt.glb"))
        self.fails(UNSUPPORTED, "merge", body, shirt, "-o", self.path("x.glb"), "--fit", "surface", "--made-for", wearer, says=["must have one rest pose"])
        self.fails(INPUT, "merge", body, shirt, "-o", self.path("x.glb"), "--fit", "surface", "--made-for", self.path("none.glb"), says=["none.glb"])

    def test_weights_of_the_body(self):
        """Fitted cloth bends as the body below it, although its own weights are others; --weights keep leaves them."""
        stiff = rig(tube(0.12, 0.11, 0.3, 1.1), name="Shirt")
        primitive = stiff.json["meshes"][0]["primitives"][0]["attributes"]
        view = stiff.json["bufferViews"][stiff.json["accessors"][primitive["JOINTS_0"]]["bufferView"]]
        count = stiff.json["accessors"][primitive["JOINTS_0"]]["count"]
        stiff.blob[view["byteOffset"] : view["byteOffset"] + view["byteLength"]] = np.tile(np.array([1, 2, 0, 0], "u1"), (count, 1)).tobytes()
        turn = [float(np.sin(0.4)), 0, 0, float(np.cos(0.4))]
        pose = self.write("pose.json", {"nodes": {"2": {"rotation": turn}}})
        body = rig(tube(0.15, 0.14, 0, 1.5))
        inside = {}
        for mode in ("auto", "keep"):
            self.dressed(body, stiff, "surface", "--weights", mode)
            at_rest, bent = (self.deform(self.path("o.glb"), *options).astype(float) for options in ((), ("--pose", pose)))
            count = len(self.deform(self.path("body.glb")))
            nearest = np.argmin(np.linalg.norm(at_rest[count:, None] - at_rest[None, :count], axis=2), axis=1)
            away = lambda p: np.linalg.norm(p[count:] - p[nearest], axis=1)
            inside[mode] = np.abs(away(bent) - away(at_rest)).max()
        self.assertLess(inside["auto"], 0.02)
        self.assertGreater(inside["keep"], 0.1)

    def test_each_leg_of_trousers_follows_its_leg(self):
        """Legs of trousers that are so wide that each reaches into the other leg of the body."""
        self.dressed(legs(0.07), legs(0.12, "Trousers"), "surface")
        count = len(self.deform(self.path("body.glb")))
        turn = [float(np.sin(0.4)), 0, 0, float(np.cos(0.4))]
        at_rest, bent = (self.deform(self.path("o.glb"), *options).astype(float)[count:]
                         for options in ((), ("--pose", self.write("pose.json", {"nodes": {"1": {"rotation": turn}}}))))
        half = len(at_rest) // 2
        moved = np.linalg.norm(bent - at_rest, axis=1)
        self.assertEqual(moved[half:].max(), 0)
        below = at_rest[:half, 1] < 0.85
        self.assertGreater(moved[:half][below].min(), 0.02)

    def test_a_part_without_a_skin_comes_out(self):
        """A collar on one bone, half of it in the body; its node is turned and scaled."""
        points, faces = tube(0.17, 0.17, 0.9, 1.1, rings=9, z=-0.04)
        b = rig(tube(0.2, 0.15, 0, 1.5, rings=61))
        turn = [0, float(np.sin(0.6)), 0, float(np.cos(0.6))]
        matrix = np.array([[np.cos(1.2), 0, np.sin(1.2)], [0, 1, 0], [-np.sin(1.2), 0, np.cos(1.2)]])
        local = ((points - [0, 1.0, 0]) @ matrix / 2).astype("<f4")  # turned back by 1.2, half as large
        b.add("meshes", {"name": "Collar", "primitives": [{"attributes": {"POSITION": b.accessor(local, bounds=True)}, "indices": b.accessor(faces.astype("<u2").reshape(-1))}]})
        b.add("nodes", {"name": "Collar", "mesh": 1, "rotation": turn, "scale": [2, 2, 2]})
        b.json["nodes"][2]["children"].append(len(b.json["nodes"]) - 1)
        moved = self.dressed(rig(tube(0.2, 0.15, 0, 1.5, rings=61)), b, "surface", "--mesh", "Collar")
        self.assertLess(outside(points, 0.2, 0.15).min(), 0.8)
        self.assertGreater(outside(moved, 0.2, 0.15).min(), 1.0)
        before, after = points - points.mean(0), moved - moved.mean(0)
        factor = (before * after).sum() / (before**2).sum()  # it keeps its form
        np.testing.assert_allclose(after, factor * before, atol=1e-4)
        self.assertLess(factor, 1.3)

    def test_skin_stays_below_in_bends(self):
        """Cloth of many rings on a body of few: in a bend the body's edges are straight, and the cloth's are not."""
        body, shirt = rig(tube(0.15, 0.15, 0, 1.5, rings=7)), rig(tube(0.155, 0.155, 0.2, 1.3, rings=89), name="Shirt")
        self.dressed(body, shirt, "surface")
        half = np.radians(50) / 2
        pose = self.write("pose.json", {"nodes": {"2": {"rotation": [float(np.sin(half)), 0, 0, float(np.cos(half))]}}})
        bent = self.deform(self.path("o.glb"), "--pose", pose).astype(float)
        faces = tube(0.15, 0.15, 0, 1.5, rings=7)[1]
        count = len(self.deform(self.path("body.glb")))
        skin, cloth = bent[:count], bent[count:]
        middle = cloth[np.abs(cloth[:, 0]) < 0.01]
        self.assertGreater(len(middle), 170)
        inside = 0
        for point in middle:  # the number of the body's triangles above it, along x: odd inside
            hits = 0
            for a, b, c in skin[faces]:
                m = np.array([b - a, c - a, [-1, -1e-3, -1e-3]]).T
                if abs(np.linalg.det(m)) > 1e-12:
                    u, v, t = np.linalg.solve(m, point - a)
                    hits += u >= 0 and v >= 0 and u + v <= 1 and t > 0
            inside += hits % 2
        self.assertLess(inside, 10)  # 36 if only the rest pose counts; a few in the depth of the fold

    def test_shapes_that_differ_much(self):
        self.dressed(rig(tube(0.6, 0.5, 0, 1.5)), rig(tube(0.2, 0.2, 0.3, 1.1), name="Shirt"), "surface")
        self.assertIn("SINEW_MERGE_FAR_FIT", self.err)
        self.dressed(rig(tube(0.2, 0.2, 0, 1.5)), rig(tube(0.19, 0.19, 0.3, 1.1), name="Shirt"), "surface")
        self.assertNotIn("SINEW_MERGE_FAR_FIT", self.err)

    def test_cloth_that_stands_off(self):
        """A body with a wide ring of its own: the shirt goes around it like a tent."""
        rig(tube(0.2, 0.2, 0, 1.5)).save(self.path("figure.glb"))
        shirt = rig(tube(0.21, 0.21, 0.3, 1.1, rings=41), name="Shirt")
        for ring, stands_off in (((), False), ((tube(0.34, 0.34, 0.66, 0.74, rings=5),), True)):
            with self.subTest(stands_off):
                self.dressed(rig(tube(0.2, 0.2, 0, 1.5, rings=61), *ring), shirt, "surface", "--made-for", self.path("figure.glb"))
                (self.assertIn if stands_off else self.assertNotIn)("are far off the body", self.err)

    def test_hems_do_not_gape_for_bends(self):
        """In a bend the body comes out of a hem; lifting the hem for that would make a funnel."""
        body, shirt = rig(tube(0.3, 0.3, 0, 1.5, rings=31)), rig(tube(0.302, 0.302, 0.2, 0.7, rings=17), name="Shirt")
        moved = self.dressed(body, shirt, "surface")
        radius = np.hypot(moved[:, 0], moved[:, 2])
        self.assertLess(radius[:24].max(), 0.306)  # 0.308 if bends lift it
        self.assertGreater(radius.max(), 0.306)  # they lift what is farther up

    def test_normals_turn_with_the_cloth(self):
        body = rig(tube(0.2, 0.15, 0, 1.5, belly=0.2, rings=61))
        self.dressed(body, rig(tube(0.22, 0.17, 0.3, 1.1, rings=41), name="Shirt"), "surface")
        points, normals = self.deform(self.path("o.glb")).astype(float), self.deform(self.path("o.glb"), "--attribute", "normal").astype(float)
        count = len(self.deform(self.path("body.glb")))
        points, normals = points[count:], normals[count:]
        np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1, atol=1e-4)
        slope = np.abs(normals[:, 1])
        self.assertGreater(slope.max(), 0.3)  # above and below the belly they look up and down
        self.assertLess(slope[points[:, 2] < -0.1].max(), 0.1)


if __name__ == "__main__":
    main()
