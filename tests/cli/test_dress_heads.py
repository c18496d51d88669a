#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`sinew merge --fit`: what lies on a head of one figure lies on the head of another one, and parts that hang free keep their weights."""
import numpy as np

from program import ProgramTest, main
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

    def test_a_hat_sits_on_the_crown_below_which_long_hair_hangs(self):
        """Hair that follows the head makes its box three times as high; the hat belongs to the crown all the same."""
        brim = 1.88  # the hat's lowest ring, 0.06 below the top of the figure's head
        ring = np.array([[0.2 * np.cos(t), brim, 0.2 * np.sin(t)] for t in np.linspace(0, 2 * np.pi, 24, endpoint=False)])
        inner = ring * [0.55, 1, 0.55]
        points = np.concatenate([ring, inner, [[0, 2.2, 0]]])
        faces = np.array([[a, b, a + 24] for a in range(24) for b in [(a + 1) % 24]] + [[a + 24, (a + 1) % 24 + 24, 48] for a in range(24)])
        wearer = figure(head(*ROUND))
        place = wearer.accessor((points - [0, 1.6, 0]).astype("<f4"), bounds=True)
        wearer.add("meshes", {"name": "Hat", "primitives": [{"attributes": {"POSITION": place},
                                                              "indices": wearer.accessor(faces.astype("<u2").reshape(-1))}]})
        hat = len(wearer.json["nodes"])
        wearer.add("nodes", {"name": "Hat", "mesh": 1})
        wearer.json["nodes"][4]["children"] = [hat]
        wearer.save(self.path("wearer.glb"))
        hair = tube(0.13, 0.12, 1.2, 1.75, z=-0.03)
        figure(head(*ROUND), hair).save(self.path("body.glb"))
        self.succeeds("merge", self.path("body.glb"), self.path("wearer.glb"), "-o", self.path("o.glb"), "--mesh", "Hat", "--fit", "scale,surface")
        moved = self.deform(self.path("o.glb"))[len(self.deform(self.path("body.glb"))) :].astype(float)
        self.assertLess(np.abs(moved[:24, 1].mean() - brim), 0.03)
        self.assertLess(np.abs(np.ptp(moved[:24, 0]) / 0.4 - 1), 0.1)

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
