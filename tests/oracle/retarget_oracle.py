# SPDX-License-Identifier: MIT
"""What `sinew retarget` must make of a motion, computed from the published formula alone (docs/retarget.md): world rotations of the
mapped bones of the target and the place of its hips at any time. Three dimensions; no --align."""
import functools

import numpy as np

import gltf_oracle


def turn_of(matrix):
    """The rotation in a matrix: the orthogonal part of its polar decomposition."""
    u, _, v = np.linalg.svd(matrix[:3, :3])
    return u @ v


def angle(a, b):
    """The angle between two rotations, in radians; exact for small ones."""
    return 2 * np.arcsin(min(1.0, np.linalg.norm(a - b) / np.sqrt(8)))


class Skeleton:
    def __init__(self, path):
        self.document = gltf_oracle.KeptDocument(path)
        self.evaluator = gltf_oracle.Evaluator(self.document)
        self.names = [node.get("name", f"node {i}") for i, node in enumerate(self.document.json["nodes"])]
        extensions = self.document.json.get("extensions", {})
        self.facing = None
        if "VRMC_vrm" in extensions or "VRMC_vrm_animation" in extensions:
            self.facing = np.array([0, 0, 1.0])
        elif "VRM" in extensions:
            self.facing = np.array([0, 0, -1.0])
        self.rest = self.worlds()

    def worlds(self, animation=None, time=0.0):
        return self.evaluator.globals(self.evaluator.pose(animation, time))


class Expected:
    """`pairs`: [(bone or None, node of the motion, node of the target)]."""

    def __init__(self, motion, target, pairs, root_motion="scale"):
        self.a, self.b, self.pairs = motion, target, pairs
        self.of = {bone: (a, b) for bone, a, b in pairs if bone}
        self.c = self.between_facings()
        self.factor = {"scale": self.scale(), "keep": 1.0, "none": 0.0}[root_motion]

    def place(self, side, bone):
        skeleton, index = ((self.a, 0), (self.b, 1))[side]
        return skeleton.rest[self.of[bone][index]][:3, 3]

    def up(self, side):
        if (self.a, self.b)[side].facing is not None or "hips" not in self.of or "head" not in self.of:
            return np.array([0, 1.0, 0])
        way = self.place(side, "head") - self.place(side, "hips")
        axis = np.argmax(np.abs(way))
        return np.array([0, 1.0, 0]) if axis == 0 else np.eye(3)[axis] * np.sign(way[axis])

    def facing(self, side):
        skeleton = (self.a, self.b)[side]
        if skeleton.facing is not None:
            return skeleton.facing
        left = np.zeros(3)
        for limb in ("UpperLeg", "UpperArm"):
            if "left" + limb in self.of and "right" + limb in self.of:
                left += self.place(side, "left" + limb) - self.place(side, "right" + limb)
        return np.cross(left, self.up(side)) if left.any() else None

    def between_facings(self):
        fa, fb = self.facing(0), self.facing(1)
        if fa is None or fb is None:
            return np.eye(3)
        ua, ub = self.up(0), self.up(1)
        upright = np.eye(3)
        if not np.allclose(ua, ub):
            k = np.outer(ub, ua) - np.outer(ua, ub)
            upright = np.eye(3) + k + k @ k / (1 + ua @ ub)
        best = max(range(4), key=lambda q: float(self.about(ub, q) @ upright @ fa @ fb))
        return self.about(ub, best) @ upright

    @staticmethod
    def about(axis, quarters):
        k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
        return np.eye(3) + np.sin(quarters * np.pi / 2) * k + (1 - np.cos(quarters * np.pi / 2)) * k @ k

    def height(self, side):
        if "hips" not in self.of:
            return 0
        up = self.up(side)
        above = float(self.place(side, "hips") @ up)
        if above > 0.001:
            return above
        feet = [float(self.place(side, b) @ up) for b in ("leftFoot", "rightFoot", "leftToes", "rightToes") if b in self.of]
        return above - min(feet) if feet and above - min(feet) > 0.001 else 0

    def scale(self):
        ha, hb = self.height(0), self.height(1)
        if ha and hb:
            return hb / ha
        legs = [0.0, 0.0]
        for side in (0, 1):
            for s in ("left", "right"):
                chain = [s + "UpperLeg", s + "LowerLeg", s + "Foot"]
                if not all(b in self.of for b in chain):
                    return 1.0
                places = [self.place(side, b) for b in chain]
                legs[side] += np.linalg.norm(places[0] - places[1]) + np.linalg.norm(places[1] - places[2])
        return legs[1] / legs[0]

    @functools.cached_property
    def rest_turns(self):
        """By node of the target: what follows the world rotation of the motion's node."""
        return {b: turn_of(self.a.rest[a]).T @ self.c.T @ turn_of(self.b.rest[b]) for _, a, b in self.pairs}

    def turns(self, now):
        """{node of the target: world rotation}, where the motion's nodes are in `now`."""
        return {b: self.c @ turn_of(now[a]) @ self.rest_turns[b] for _, a, b in self.pairs}

    def hips(self, now):
        a, b = self.of["hips"]
        way = now[a][:3, 3] - self.a.rest[a][:3, 3]
        return self.b.rest[b][:3, 3] + self.factor * self.c @ way
