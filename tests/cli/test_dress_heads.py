#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`sinew merge --fit`: what lies on a head of one figure lies on the head of another one, and parts that hang free keep their weights."""
import os

import numpy as np

from program import SETTINGS, ProgramTest, main
from test_dress_surface import HEIGHTS, NAMES, skinned, tube

BONES = [(name, n - 1 if n else None, [0, h, 0]) for n, (name, h) in enumerate(zip(NAMES + ["head"], HEIGHTS + [1.6]))]
CENTRE = np.array([0, 1.8, 0])


def head(radii, nose, height=0.0, rings=41, around=48, part=None):
    """An ellipsoid with a nose, at a height above its surface. `part`(directions): which of them to keep."""
    polar = np.pi * (np.arange(rings) + 0.5) / rings
    turn = 2 * np.pi * np.arange(around) / around
    way = np.array([[np.sin(p) * np.cos(t), np.cos(p), np.sin(p) * np.sin(t)] for p in polar for t in turn])
    points = on_head(way, radii, nose) + height * way
    faces = []
    for ring in range(rings - 1):
        for k in range(around):
            a, b = ring * around + k, ring * around + (k + 1) % around
            faces += [[a, b, a + around], [b, b + around, a + around]]
    faces = np.array(faces)
    if part is None:
        return points, faces
    keep = part(way)
    faces = faces[keep[faces].all(1)]
    used = np.unique(faces)
    number = np.full(len(points), -1)
    number[used] = np.arange(len(used))
    return points[used], number[faces]


def on_head(way, radii, nose):
    bump = 0.03 * np.exp(-((way[:, 1] - nose) ** 2 + way[:, 0] ** 2) / 0.03) * (way[:, 2] > 0)
    return CENTRE + way * radii + bump[:, None] * way


def height_over(points, radii, nose):
    """Distances from the nearest points of a dense head, negative inside."""
    surface, faces = head(radii, nose, rings=161, around=192)
    out = []
    for point in points:
        near = np.linalg.norm(surface - point, axis=1)
        best = surface[near.argmin()]
        out.append(near.min() * np.sign(np.linalg.norm((point - CENTRE) / radii) - np.linalg.norm((best - CENTRE) / radii)))
    return np.array(out)


def figure(*heads, name="Body", trunk=True, on_head=True, bones=BONES):
    pieces = ([tube(0.15, 0.1, 0, 1.5)] if trunk else []) + list(heads)
    split = len(pieces[0][0]) if trunk else 0

    def influences(points):
        place = np.clip((points[:, 1] - 0.25) / 0.5, 0, 3)
        lower = np.minimum(place.astype(int), 2)
        joints, weights = np.zeros((len(points), 4)), np.zeros((len(points), 4))
        joints[:, 0], joints[:, 1] = lower, lower + 1
        weights[:, 0], weights[:, 1] = 1 - (place - lower), place - lower
        if on_head:
            joints[split:] = [len(bones) - 1, 0, 0, 0]
            weights[split:] = [1, 0, 0, 0]
        return joints, weights
    return skinned(pieces, bones, influences, name)


ROUND, LONG = (np.array([0.12, 0.14, 0.12]), 0.0), (np.array([0.1, 0.165, 0.125]), -0.15)


BRIM = 1.88  # the hat's lowest ring, 0.06 below the top of a round head


def hang(wearer, bone, points, faces):
    """Adds a mesh without a skin below a bone."""
    place = wearer.accessor((points - np.array(place_of(wearer, bone))).astype("<f4"), bounds=True)
    wearer.add("meshes", {"name": "Hat", "primitives": [{"attributes": {"POSITION": place},
                                                          "indices": wearer.accessor(np.array(faces).astype("<u2").reshape(-1))}]})
    wearer.add("nodes", {"name": "Hat", "mesh": 1})
    wearer.json["nodes"][bone].setdefault("children", []).append(len(wearer.json["nodes"]) - 1)


def place_of(wearer, bone):
    """The place of a bone in the world; all are moved, and nothing else."""
    own = np.array(wearer.json["nodes"][bone].get("translation", [0, 0, 0]), float)
    above = [n for n, node in enumerate(wearer.json["nodes"]) if bone in node.get("children", [])]
    return own + (place_of(wearer, above[0]) if above else 0)


class Heads(ProgramTest):
    def test_a_collar_stays_below_a_large_chin(self):
        """The head reaches down to the shoulders and is wider than the neck hole: the cloth does not follow it."""
        large = np.array([0.35, 0.5, 0.35]), 0.0
        bones = [*BONES, ("jaw", 4, [0, 1.7, 0.1])]  # six bones with names of a humanoid; the last one moves the head
        figure(head(*large), bones=bones).save(self.path("body.glb"))
        figure(tube(0.155, 0.105, 0.6, 1.45, rings=41), name="Shirt", trunk=False, on_head=False, bones=bones).save(self.path("shirt.glb"))
        self.succeeds("merge", self.path("body.glb"), self.path("shirt.glb"), "-o", self.path("o.glb"), "--fit", "surface")
        shirt = self.deform(self.path("o.glb"))[len(self.deform(self.path("body.glb"))):]
        self.assertLess(np.abs(shirt[:, 0]).max(), 0.2)

    def test_a_beard_keeps_its_roots_and_its_height(self):
        """Roots lie 6 mm below the skin of the figure, the outside 12 mm above it, around the lower half of the face."""
        chin = lambda way: (way[:, 2] > 0.1) & (way[:, 1] < -0.2)
        roots, outside = head(*ROUND, height=-0.006, part=chin), head(*ROUND, height=0.012, part=chin)
        figure(head(*ROUND)).save(self.path("wearer.glb"))
        figure(head(*LONG)).save(self.path("body.glb"))
        figure(roots, outside, name="Beard", trunk=False).save(self.path("beard.glb"))
        told = self.succeeds("merge", self.path("body.glb"), self.path("beard.glb"), "-o", self.path("o.glb"), "--made-for",
                             self.path("wearer.glb"), "--fit", "surface").err
        self.assertIn("follow the shape", told)
        moved = self.deform(self.path("o.glb"))[len(self.deform(self.path("body.glb"))) :].astype(float)
        heights = height_over(moved, *LONG)
        below, above = heights[: len(roots[0])], heights[len(roots[0]) :]
        self.assertLess(np.abs(np.median(below) + 0.006), 0.003)
        self.assertLess(np.abs(np.median(above) - 0.012), 0.003)
        self.assertLess(np.percentile(above, 95), 0.02)  # nothing floats before the face
        self.assertGreater(np.percentile(above, 5), 0.003)

    def test_hair_on_a_head_of_another_shape_is_said(self):
        """Long hair of a person: on another person it lies as it did, on a figure with a large, square head its strands part."""
        real = os.path.join(SETTINGS.shared or "", "real")
        if not os.path.isdir(real):
            self.skipTest("the shared folder is absent")
        outfits = os.path.join(real, "quaternius_outfits")
        for body, said in (("valid_avatars/Asian_M_1_Casual.glb", False), ("market_draco/zombie-1.gltf", True)):
            with self.subTest(body):
                told = self.succeeds("merge", os.path.join(real, body), os.path.join(outfits, "Hair_Long.gltf"), "--names", "auto", "--made-for",
                                     os.path.join(outfits, "Superhero_Female_FullBody.gltf"), "-o", self.path("o.glb")).err
                self.assertEqual("so that strands of hair part" in told and "SINEW_MERGE_FAR_FIT" in told, said, told)

    def test_a_moustache_lies_below_the_nose(self):
        """Eyes are known by the names of their meshes; the nose is the foremost point below them. On the figure the moustache begins 0.013 below the
        tip of the nose."""
        real = os.path.join(SETTINGS.shared or "", "real")
        if not os.path.isdir(real):
            self.skipTest("the shared folder is absent")
        outfits = os.path.join(real, "quaternius_outfits")
        for body in ("Asian_M_1_Casual.glb", "AIAN_F_1_Busi.glb"):
            with self.subTest(body):
                avatar = os.path.join(real, "valid_avatars", body)
                self.succeeds("merge", avatar, os.path.join(outfits, "Hair_Beard.gltf"), "--names", "auto", "--made-for",
                              os.path.join(outfits, "Superhero_Male_FullBody.gltf"), "-o", self.path("o.glb"))
                points, beard = self.deform(avatar).astype(float), self.deform(os.path.join(outfits, "Hair_Beard.gltf"))
                moved = self.deform(self.path("o.glb"))[-len(beard):].astype(float)
                face = points[(np.abs(points[:, 0]) < 0.02) & (points[:, 1] > points[:, 1].max() - 0.22)]
                nose = face[face[:, 2].argmax(), 1]
                moustache = moved[np.abs(moved[:, 0]) < 0.01, 1].max()
                self.assertLess(abs(nose - moustache - 0.013), 0.006)

    def hat_on(self, body, fit):
        """Puts the hat of a figure with a round head on a body. Returns its points before and after: 24 of the rim, 24 of the opening, the tip, and
        the middle of a closed underside."""
        rim = np.array([[0.2 * np.cos(t), BRIM, 0.2 * np.sin(t)] for t in np.linspace(0, 2 * np.pi, 24, endpoint=False)])
        points = np.concatenate([rim, rim * [0.55, 1, 0.55], [[0, 2.2, 0], [0, BRIM, 0]]])
        following = [(a, (a + 1) % 24) for a in range(24)]
        faces = [[a, a + 24, b] for a, b in following] + [[b, a + 24, b + 24] for a, b in following] + [[a + 24, 48, b + 24] for a, b in following]
        faces += [[a, b, 49] for a, b in following]
        wearer = figure(head(*ROUND))
        hang(wearer, 4, points, faces)
        wearer.save(self.path("wearer.glb"))
        body.save(self.path("body.glb"))
        self.succeeds("merge", self.path("body.glb"), self.path("wearer.glb"), "-o", self.path("o.glb"), "--mesh", "Hat", "--fit", fit)
        return points, self.deform(self.path("o.glb"))[len(self.deform(self.path("body.glb"))) :].astype(float)

    def test_a_hat_sits_on_the_crown_below_which_long_hair_hangs(self):
        """Hair that follows the head makes its box three times as high; the hat belongs to the crown all the same."""
        _, moved = self.hat_on(figure(head(*ROUND), tube(0.13, 0.12, 1.2, 1.75, z=-0.03)), "scale,surface")
        self.assertLess(np.abs(moved[:24, 1].mean() - BRIM), 0.03)
        self.assertLess(np.abs(np.ptp(moved[:24, 0]) / 0.4 - 1), 0.1)

    def test_a_face_of_many_small_triangles_is_a_part_of_its_head(self):
        """The head of a body that was made for films: nine tenths of its vertices are in the face."""
        small = 0.7 * ROUND[0], 0.0
        face = lambda way: (way[:, 2] > 0.6) & (way[:, 1] < 0.5)
        skull, mask = head(*small, part=lambda way: ~face(way)), head(*small, rings=241, around=288, part=face)
        _, moved = self.hat_on(figure(skull, mask), "scale,surface")
        self.assertLess(np.abs(np.ptp(moved[:24, 0]) / (0.7 * 0.4) - 1), 0.1)
        self.assertLess(np.abs(moved[:24].mean(0) - CENTRE - [0, 0.7 * (BRIM - CENTRE[1]), 0]).max(), 0.012)

    def test_a_hat_keeps_its_form(self):
        """On a head that is longer than wide, a hat grows and moves as a whole until the head is in it."""
        radii = np.array([0.12, 0.14, 0.15])
        points, moved = self.hat_on(figure(head(radii, 0.0)), "surface")
        centred, now = points - points.mean(0), moved - moved.mean(0)
        factor = (centred * now).sum() / (centred**2).sum()
        self.assertLess(np.abs(now - factor * centred).max(), 1e-4)
        self.assertGreater(factor, 1)
        crown = head(radii, 0.0)[0]
        crown = crown[crown[:, 1] > moved[:24, 1].mean() + 0.01]
        height = (moved[48, 1] - crown[:, 1]) / (moved[48, 1] - moved[24:48, 1].mean())  # of the cone between the opening and the tip
        out = np.hypot(crown[:, 0] - moved[48, 0], crown[:, 2] - moved[48, 2]) - height * np.ptp(moved[24:48, 0]) / 2
        self.assertLess(out.max(initial=0), 0.004)
        self.assertLess(moved[:24, 1].mean(), 1.96)  # it does not float

    def test_a_cape_hangs_from_the_shoulders(self):
        """On its figure it is as high as the joint of the head, which has no neck, and ends 0.08 of that height below the ankles. It is 2.3 times as
        wide as the joints of the shoulders are apart. `neck`, `arms` (half of that way) and `ankles` are the places of joints. One body has
        no chest with a known name."""
        real = os.path.join(SETTINGS.shared or "", "real")
        if not os.path.isdir(real):
            self.skipTest("the shared folder is absent")
        for body, neck, arms, ankles in (("valid_avatars/Asian_M_1_Casual.glb", 1.533, 0.175, 0.102), ("vrm0_polygonal_mind/crimsom.vrm", 1.179, 0.171, 0.082),
                                         ("kenney_animated/human-kenney.glb", 2.424, 0.336, 0.193)):
            with self.subTest(body):
                told = self.succeeds("merge", os.path.join(real, body), os.path.join(real, "kaykit_adventurers", "Mage.glb"), "-o",
                                     self.path("o.glb"), "--mesh", "Mage_Cape", "--names", "auto", "--fit", "auto").err
                self.assertNotIn("SINEW_MERGE_FAR_FIT", told)
                self.assertIn("hang it from the shoulders", told)
                self.assertNotIn('no bone above "root"', told)  # it moves nothing
                cape = self.deform(self.path("o.glb"))[-56:].astype(float)
                height = neck - ankles
                self.assertLess(abs(cape[:, 1].max() - neck), 0.03 * height)
                self.assertLess(abs(cape[:, 1].min() - ankles + 0.08 * height), 0.03 * height)
                self.assertLess(abs(np.ptp(cape[:, 0]) / (4.6 * arms) - 1), 0.1)
                self.assertLess(abs(cape[:, 0].max() + cape[:, 0].min()), 0.1 * arms)

    def test_a_part_that_hangs_free_keeps_its_weights(self):
        """A bell far from the body, on two bones: the surface of the body says little about it."""
        far = tube(0.5, 0.5, 1.45, 2.0, rings=24)
        near = tube(0.155, 0.105, 1.4, 1.45, rings=2)
        bell = figure(near, far, name="Bell", trunk=False)
        figure(head(*ROUND)).save(self.path("body.glb"))
        weights = np.zeros((len(near[0]) + len(far[0]), 4))
        joints = np.tile([3, 4, 0, 0], (len(weights), 1))
        weights[:, 0] = np.linspace(1, 0, len(weights))
        weights[:, 1] = 1 - weights[:, 0]
        primitive = bell.json["meshes"][0]["primitives"][0]["attributes"]
        primitive["JOINTS_0"] = bell.accessor(joints.astype("u1"))
        primitive["WEIGHTS_0"] = bell.accessor(weights.astype("<f4"))
        bell.save(self.path("bell.glb"))
        told = self.succeeds("merge", self.path("body.glb"), self.path("bell.glb"), "-o", self.path("o.glb"), "--fit", "surface").err
        self.assertIn('"Bell" keeps its weights, because', told)
        self.assertNotIn("weights transferred", told)


if __name__ == "__main__":
    main()
