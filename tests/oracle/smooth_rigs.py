# SPDX-License-Identifier: MIT
"""Random rigs in any dimension whose weights fall off smoothly with the distance from a bone, as painted ones do: eight influences a vertex."""
import numpy as np

from posed_rigs import Rig


class SmoothRig(Rig):
    """A tree of 9 to 16 bones of length 1, and 120 vertices around them."""

    def __init__(self, seed, n):
        rng = np.random.default_rng(seed)
        joints, vertices = int(rng.integers(9, 17)), 120
        self.n = n
        self.parents = [-1] + [int(rng.integers(max(0, j - 3), j)) for j in range(1, joints)]
        self.names = [f"joint {j}" for j in range(joints)]
        steps = rng.normal(size=(joints, n))
        self.at = (steps / np.linalg.norm(steps, axis=1, keepdims=True)).astype("f4").astype(float)
        self.turn = np.tile(np.eye(n), (joints, 1, 1))
        self.scale = np.ones((joints, n))
        ends = self.world()[:, :-1, -1]
        bone = rng.integers(1, joints, vertices)
        part = rng.random((vertices, 1))
        starts = ends[[self.parents[j] for j in bone]]
        self.points = (starts + part * (ends[bone] - starts) + rng.normal(size=(vertices, n)) * 0.2).astype("f4").astype(float)
        width = rng.uniform(0.6, 1.2)
        self.weights = np.exp(-((np.linalg.norm(self.points[:, None] - ends, axis=2) / width) ** 2) / 2)
        self.weights[np.argsort(np.argsort(-self.weights, 1), 1) >= 8] = 0
        self.weights /= self.weights.sum(1, keepdims=True)
