#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`sinew merge --fit --made-for`: a collar lies around a neck that is thicker than the figure's, and has no points that stick out of it."""
import os

import numpy as np

from program import ROOT, SETTINGS, ProgramTest, main

from gltf_oracle import Document

SHOW = os.path.join(ROOT, "samples", "show")


def faces_of(file):
    """The triangles of the first primitive, as numbers of vertices."""
    document = Document(file)
    indices = document.json["accessors"][document.json["meshes"][0]["primitives"][0]["indices"]]
    view = document.json["bufferViews"][indices["bufferView"]]
    start = view.get("byteOffset", 0) + indices.get("byteOffset", 0)
    return np.frombuffer(document.buffers[view["buffer"]], {5123: "<u2", 5125: "<u4"}[indices["componentType"]], indices["count"], start).reshape(-1, 3)


def neighbours(file, points):
    """The numbers of the places around each place, and the place of each vertex."""
    faces = faces_of(file)
    first, place = np.unique(points.round(5), axis=0, return_index=True, return_inverse=True)[1:]
    around = [set() for _ in first]
    for face in place.reshape(-1)[faces]:
        for a, b in zip(face, np.roll(face, 1)):
            if a != b:
                around[a].add(b)
                around[b].add(a)
    return first, [sorted(others) for others in around]


def belt_of(first, around, points):
    """The vertices of the connected piece with the most places, apart from the one with the largest box."""
    pieces, left = [], set(range(len(first)))
    while left:
        piece, open_places = set(), [left.pop()]
        while open_places:
            place = open_places.pop()
            piece.add(place)
            found = [other for other in around[place] if other in left]
            left.difference_update(found)
            open_places += found
        pieces.append(first[sorted(piece)])
    largest = max(pieces, key=lambda piece: np.ptp(points[piece], axis=0).prod())
    return max((piece for piece in pieces if piece is not largest), key=len)


def sharpness(points, around):
    """How far each point lies from the middle of its neighbours, relative to the mean length of its edges."""
    return np.array([np.linalg.norm(points[others].mean(0) - own) / np.linalg.norm(points[others] - own, axis=1).mean()
                     for own, others in zip(points, around)])


def bends(points, faces, places):
    """By edge with two triangles: the angle between them in degrees. `places`: points at one place are one."""
    number = np.unique(places.round(5), axis=0, return_inverse=True)[1].reshape(-1)
    edges = np.sort(np.stack([number[faces], number[np.roll(faces, -1, axis=1)]], axis=-1).reshape(-1, 2), axis=1)
    order = np.lexsort(edges.T)
    same = (edges[order[1:]] == edges[order[:-1]]).all(1)
    normals = np.cross(points[faces[:, 1]] - points[faces[:, 0]], points[faces[:, 2]] - points[faces[:, 0]])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    a, b = normals[order[1:][same] // 3], normals[order[:-1][same] // 3]
    return np.degrees(np.arccos(np.clip((a * b).sum(1), -1, 1)))


class Collars(ProgramTest):
    def merged(self, body, clothes, fit):
        made_for = ("--made-for", os.path.join(SHOW, "figure.gltf"))
        self.succeeds("merge", body, clothes, *made_for, "--names", "auto", "--fit", fit, "-o", self.path(f"{fit}.glb"))
        return self.deform(self.path(f"{fit}.glb")).astype(float)

    def test_a_thicker_neck(self):
        avatars = os.path.join(SETTINGS.shared or "", "real", "valid_avatars")
        if not os.path.isdir(avatars):
            self.skipTest("the shared folder is absent")
        jacket = os.path.join(SHOW, "jacket.gltf")
        stored = self.deform(jacket).astype(float)
        first, around = neighbours(jacket, stored)
        for avatar in ("Asian_M_1_Casual.glb", "AIAN_F_1_Busi.glb"):
            with self.subTest(avatar):
                before, after = (self.merged(os.path.join(avatars, avatar), jacket, fit)[-len(stored):]
                                 for fit in ("scale,turn,pose", "auto"))
                tips = sharpness(after[first], around) > sharpness(before[first], around) + 0.2
                self.assertLess(tips.sum(), 8, after[first][tips])

    def check_belt(self, clothes, merged):
        """A belt is as wide as on its figure, although the hips of this rig lie where the spine of the other one begins."""
        stored = self.deform(clothes).astype(float)
        first, around = neighbours(clothes, stored)
        belt = belt_of(first, around, stored)
        angle = np.arctan2(*(stored[belt] - stored[belt].mean(0))[:, [0, 2]].T)
        fitted = self.deform(merged).astype(float)[-len(stored):][belt]
        for side in range(8):
            there = np.abs((angle - side * np.pi / 4 + np.pi) % (2 * np.pi) - np.pi) < 0.2
            self.assertGreater(np.ptp(fitted[there, 1]), 0.75 * np.ptp(stored[belt][there, 1]), side)

    def test_rigs_that_part_chest_and_waist_elsewhere(self):
        """The chest of these bodies begins higher above their legs than that of the figure: half of the way to the neck, not two fifths."""
        real = os.path.join(SETTINGS.shared or "", "real")
        if not os.path.isdir(real):
            self.skipTest("the shared folder is absent")
        outfits = os.path.join(real, "quaternius_outfits")
        shirt = os.path.join(outfits, "Male_Peasant_Body.gltf")
        stored = self.deform(shirt).astype(float)
        before = bends(stored, faces_of(shirt), stored)
        for body in ("kenney_animated/human-kenney.glb", "market_draco/zombie-1.gltf"):
            with self.subTest(body):
                told = self.succeeds("merge", os.path.join(real, body), shirt, "--names", "auto", "--made-for",
                                     os.path.join(outfits, "Superhero_Male_FullBody.gltf"), "-o", self.path("o.glb")).err
                self.assertIn("(fitted to the surface)", told)  # the names of the chest are known
                after = bends(self.deform(self.path("o.glb")).astype(float)[-len(stored):], faces_of(shirt), stored)
                self.assertLess((after - before > 40).mean(), 0.018)

    def test_a_crumpled_rim_is_said(self):
        """A hood that closes below the chin: its rim lies inside a neck with a collar. Few edges, but all in one place."""
        real = os.path.join(SETTINGS.shared or "", "real")
        if not os.path.isdir(real):
            self.skipTest("the shared folder is absent")
        outfits = os.path.join(real, "quaternius_outfits")
        for clothes, crumpled in (("Male_Ranger_Head_Hood.gltf", True), ("Male_Peasant_Body.gltf", False)):
            with self.subTest(clothes):
                told = self.succeeds("merge", os.path.join(real, "valid_avatars", "Asian_M_1_Casual.glb"), os.path.join(outfits, clothes), "--names", "auto",
                                     "--made-for", os.path.join(outfits, "Superhero_Male_FullBody.gltf"), "-o", self.path("o.glb")).err
                self.assertEqual("of the edges of the clothes at" in told and "SINEW_MERGE_FAR_FIT" in told, crumpled, told)
                if not crumpled:
                    self.check_belt(os.path.join(outfits, clothes), self.path("o.glb"))


if __name__ == "__main__":
    main()
