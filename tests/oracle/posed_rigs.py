# SPDX-License-Identifier: MIT
"""Small rigs as arrays, in any dimension: evaluated here at any pose, and written as glTF or G4MF. Knows nothing of the library.

A vertex is Σ weight · world_from_joint · joint_from_mesh · v. `turns` multiplies the linear part of each joint's local transform from the
left: that turns the joint about its own origin, in the axes of its parent.
"""
import copy

import numpy as np

from g4mf_builder import Builder as G4mfBuilder
from gltf_builder import Builder as GltfBuilder


def rotation(rng, n, angle=None):
    """A random rotation; with `angle` (radians) about as far as that from none."""
    if angle is None:
        q, r = np.linalg.qr(rng.normal(size=(n, n)))
        q *= np.sign(np.diag(r))
        if np.linalg.det(q) < 0:
            q[:, 0] *= -1
        return q
    skew = rng.normal(size=(n, n))
    skew = (skew - skew.T) * angle / n
    small = np.linalg.inv(np.eye(n) + skew / 2) @ (np.eye(n) - skew / 2)
    return small


class Rig:
    """Joints in topological order, each with a parent (-1: none), a translation, a rotation and a scale per axis."""

    def __init__(self, rng, n, even_scale):
        joints, vertices = int(rng.integers(2, 6)), 14
        self.n = n
        self.parents = [-1] + [int(rng.integers(-1 if rng.random() < 0.2 else 0, j)) for j in range(1, joints)]
        self.names = [f"joint {j}" for j in range(joints)]
        self.at = rng.uniform(-1, 1, (joints, n)).astype("f4").astype(float)
        self.turn = np.array([rotation(rng, n) for _ in range(joints)])
        scale = np.ones((joints, n)) if rng.random() < 0.4 else rng.uniform(0.6, 1.5, (joints, 1 if even_scale else n)) * np.ones((1, n))
        self.scale = scale.astype("f4").astype(float)
        self.points = rng.uniform(-1, 1, (vertices, n)).astype("f4").astype(float)
        weights = rng.random((vertices, joints)) * (rng.random((vertices, joints)) < 0.6)
        weights[np.arange(vertices), rng.integers(joints, size=vertices)] += 0.1
        for row in weights:  # four at most, for glTF
            row[np.argsort(row)[:-4]] = 0
        self.weights = weights / weights.sum(1, keepdims=True)

    def copy(self):
        return copy.deepcopy(self)

    def locals(self, turns=None):
        out = np.tile(np.eye(self.n + 1), (len(self.parents), 1, 1))
        out[:, :-1, :-1] = self.turn * self.scale[:, None, :]
        if turns is not None:
            out[:, :-1, :-1] = turns @ out[:, :-1, :-1]
        out[:, :-1, -1] = self.at
        return out

    def world(self, turns=None, moves=None):
        local, world = self.locals(turns), []
        if moves is not None:
            local[:, :-1, -1] += moves
        for joint, parent in enumerate(self.parents):
            world.append(local[joint] if parent < 0 else world[parent] @ local[joint])
        return np.array(world)

    def bind(self):
        """joint_from_mesh: the mesh stands in the world, at rest."""
        return np.linalg.inv(self.world())

    def evaluate(self, turns=None, moves=None, bind=None):
        maps = self.world(turns, moves) @ (self.bind() if bind is None else bind)
        points = np.concatenate([self.points, np.ones((len(self.points), 1))], 1)
        return np.einsum("vj,jab,vb->va", self.weights, maps, points)[:, :-1]

    def save_g4mf(self, path):
        b = G4mfBuilder(self.n)
        b.node(name="Root")
        skeleton = b.node(0, name="Rig", skeleton={})
        nodes = []
        for joint, parent in enumerate(self.parents):
            basis = (self.turn[joint] * self.scale[joint]).T.reshape(-1).tolist()
            nodes.append(b.node(skeleton if parent < 0 else nodes[parent], name=self.names[joint], bone={}, position=self.at[joint].tolist(),
                                basis=basis))
        b.json["nodes"][skeleton]["skeleton"]["joints"] = nodes
        influences = [sorted(((j, w) for j, w in enumerate(row) if w), key=lambda entry: -entry[1]) for row in self.weights]
        b.mesh(b.accessor("float32", self.points.tolist()), [{}], skin=b.skin(influences))
        b.node(skeleton, name="Body", mesh=0)
        return b.save(path)

    def save_gltf(self, path):
        b = GltfBuilder()
        count = len(self.points)
        joints, weights = np.zeros((count, 4), "<u2"), np.zeros((count, 4), "<f4")
        for vertex, row in enumerate(self.weights):
            used = np.flatnonzero(row)
            joints[vertex, : len(used)], weights[vertex, : len(used)] = used, row[used]
        attributes = {"POSITION": b.accessor(self.points.astype("<f4"), bounds=True, target=34962),
                      "JOINTS_0": b.accessor(joints, target=34962), "WEIGHTS_0": b.accessor(weights, target=34962)}
        b.add("meshes", {"primitives": [{"attributes": attributes, "mode": 0}]})
        b.add("nodes", {"name": "Body", "mesh": 0, "skin": 0})
        local = self.locals()
        for joint in range(len(self.parents)):
            node = {"name": self.names[joint], "matrix": local[joint].T.reshape(-1).tolist()}
            children = [other + 1 for other, parent in enumerate(self.parents) if parent == joint]
            b.add("nodes", {**node, **({"children": children} if children else {})})
        bind = b.accessor(self.bind().transpose(0, 2, 1).reshape(-1, 16).astype("<f4"))
        b.add("skins", {"joints": list(range(1, len(self.parents) + 1)), "inverseBindMatrices": bind})
        b.add("scenes", {"nodes": [0] + [joint + 1 for joint, parent in enumerate(self.parents) if parent < 0]})
        b.json["scene"] = 0
        return b.save(path)
