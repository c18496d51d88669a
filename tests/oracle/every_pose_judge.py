# SPDX-License-Identifier: MIT
"""Judges a claim that two glTF files are equal in every pose: poses both in extended precision and measures how far vertices part.

It shares no code with the program. A pose sets the translation, rotation or scale of nodes that both files have, alone or together, and
amounts of blend shapes. What it does not set stays as stored in each file.
"""
import numpy as np

import gltf_oracle as oracle

REAL = np.longdouble
HIDDEN = 0.01  # of the scene: parts that are smaller at rest count as if they were as large as the scene
NOTHING = 1e-4  # scales below it hide
TOLERANCE = 1e-5


def turns(q):
    """The matrices of unit quaternions (…, 4) as x, y, z, w."""
    x, y, z, w = np.moveaxis(np.asarray(q, REAL), -1, 0)
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    return np.moveaxis(np.array(rows, REAL), (0, 1), (-2, -1))


def product(a, b):
    return np.einsum("...ij,...jk->...ik", a, b)


class Posed:
    """One file. `keys`: the index of each node that has a key. `ids`: per (node, primitive) an identity of each vertex. `group`: per node of a mesh,
    the name under which poses set its amounts."""

    def __init__(self, path, keys, ids, group):
        self.document = oracle.Document(path)
        self.nodes = self.document.json["nodes"]
        self.keys, self.group = keys, group
        self.parent = {child: index for index, node in enumerate(self.nodes) for child in node.get("children", [])}
        self.order = []
        for index in range(len(self.nodes)):
            chain = []
            while index is not None and index not in self.order:
                chain.append(index)
                index = self.parent.get(index)
            self.order += reversed(chain)
        self.ids = np.concatenate([ids[at] for at in sorted(ids)])
        self.drawn = np.concatenate([np.isin(np.arange(len(ids[at])), self.corners(*at)) for at in sorted(ids)])
        self.blocks = [self.block(*at) for at in sorted(ids)]

    def corners(self, node, primitive):
        return self.document.raw(self.document.json["meshes"][self.nodes[node]["mesh"]]["primitives"][primitive]["indices"])

    def block(self, node, primitive):
        document, at = self.document, self.nodes[node]
        mesh = document.json["meshes"][at["mesh"]]
        surface = mesh["primitives"][primitive]
        attributes = surface["attributes"]
        points = document.values(attributes["POSITION"]).astype(REAL)
        names = mesh.get("extras", {}).get("targetNames", [])
        shapes = [(name, document.values(target["POSITION"]).astype(REAL)) for name, target in zip(names, surface.get("targets", []))]
        rest = at.get("weights", mesh.get("weights", [0] * len(shapes)))
        terms = []  # (node, weights, joint_from_mesh)
        if "skin" not in at:
            terms.append((node, np.ones(len(points), REAL), np.eye(4, dtype=REAL)))
        else:
            skin = document.json["skins"][at["skin"]]
            binds = document.values(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1).astype(REAL)
            weights = np.zeros((len(points), len(skin["joints"])), REAL)
            n = 0
            while f"JOINTS_{n}" in attributes:
                joints = document.raw(attributes[f"JOINTS_{n}"]).astype(int)
                stored = document.raw(attributes[f"WEIGHTS_{n}"])
                whole = 1 if stored.dtype.kind == "f" else np.iinfo(stored.dtype).max
                np.add.at(weights, (np.arange(len(points))[:, None], joints), (stored.astype(float) / whole).astype(np.float32))  # as readers do
                n += 1
            terms = [(joint, weights[:, slot], binds[slot]) for slot, joint in enumerate(skin["joints"]) if weights[:, slot].any()]
        return node, points, shapes, rest, terms

    def local(self, index, pose, count):
        node = self.nodes[index]
        at, own = np.asarray(node.get("translation", (0, 0, 0)), REAL), None
        turn, scale = turns(node.get("rotation", (0, 0, 0, 1))), np.asarray(node.get("scale", (1, 1, 1)), REAL)
        if "matrix" in node:
            own = np.array(node["matrix"], REAL).reshape(4, 4).T
            at = own[:3, 3]
            scale = np.sqrt((own[:3, :3] ** 2).sum(0))
            if np.linalg.det(own[:3, :3].astype(float)) < 0:
                scale[0] = -scale[0]
            turn = own[:3, :3] / np.where(scale == 0, 1, scale)
        matrix = np.zeros((count, 4, 4), REAL)
        matrix[:, 3, 3] = 1
        linear = np.broadcast_to(turn * scale if own is None else own[:3, :3], (count, 3, 3))
        matrix[:, :3, 3] = at
        if pose is not None:
            turned, scaled = np.where(pose.turned[:, None, None], turns(pose.turn), turn), np.where(pose.scaled[:, None], pose.scale, scale)
            linear = np.where((pose.turned | pose.scaled)[:, None, None], turned * scaled[:, None, :], linear)
            matrix[:, :3, 3] = np.where(pose.moved[:, None], pose.at, at)
        matrix[:, :3, :3] = linear
        return matrix

    def worlds(self, poses, count):
        by_index = {self.keys[key]: pose for key, pose in poses.items() if key in self.keys}
        world = {}
        for index in self.order:
            local = self.local(index, by_index.get(index), count)
            world[index] = product(world[self.parent[index]], local) if index in self.parent else local
        return world

    def places(self, world, amounts, count):
        """All vertices in all poses: (count, vertices, 3). `amounts`: per group and name the amounts, NaN where a pose leaves them."""
        out = []
        for node, points, shapes, rest, terms in self.blocks:
            shaped = np.broadcast_to(points, (count, *points.shape)).copy()
            for (name, offset), stored in zip(shapes, rest):
                given = amounts.get((self.group[node], name), np.full(count, np.nan))
                shaped += np.where(np.isnan(given), REAL(stored), given.astype(REAL))[:, None, None] * offset
            made = np.zeros_like(shaped)
            for joint, weights, bind in terms:
                maps = product(world[joint], bind)
                made += weights[None, :, None] * (np.einsum("pij,pvj->pvi", maps[:, :3, :3], shaped) + maps[:, None, :3, 3])
            out.append(made)
        return np.concatenate(out, 1)

    def size(self):
        return box(self.places(self.worlds({}, 1), {}, 1))[0]

    def length(self):
        """The size of the scene at rest; that of the scene with all scales and without blend amounts, where all of it is in one point."""
        places = self.places(self.worlds({}, 1), {}, 1)
        if box(places)[0] > 1e-6 * np.abs(places).max():
            return box(places)[0]
        poses = {key: NodePose(1) for key in self.keys}
        for key, pose in poses.items():
            scale = np.array(self.nodes[self.keys[key]].get("scale", (1, 1, 1)), float)
            pose.scaled[:] = (np.abs(scale) < NOTHING).any()
            pose.scale[:] = np.where(np.abs(scale) < NOTHING, 1, scale)
        amounts = {(self.group[node], name): np.zeros(1) for node, _, shapes, _, _ in self.blocks for name, _ in shapes}
        return max(box(places)[0], box(self.places(self.worlds(poses, 1), amounts, 1))[0])

    def reaches(self):
        """Per node the largest distance of its vertices from its origin, in its own space."""
        reach = {}
        for _, points, shapes, _, terms in self.blocks:
            for joint, weights, bind in terms:
                used = points[weights != 0]
                far = np.sqrt(((used @ bind[:3, :3].T + bind[:3, 3]) ** 2).sum(1))
                for _, offset in shapes:
                    far = far + np.sqrt(((offset[weights != 0] @ bind[:3, :3].T) ** 2).sum(1))
                reach[joint] = max(reach.get(joint, REAL(0)), far.max(initial=0))
        return reach


class NodePose:
    """What `count` poses set of one node."""

    def __init__(self, count):
        self.moved, self.turned, self.scaled = (np.zeros(count, bool) for _ in range(3))
        self.at, self.scale = np.zeros((count, 3)), np.ones((count, 3))
        self.turn = np.tile(np.array([0.0, 0, 0, 1]), (count, 1))


def unit(q):
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def hard_poses(rng, a, b, length, most=64):
    """Poses that turn, move and scale each node alone, all of them, and those that are hidden at rest. Together, nodes of a chain move by no more than
    the size of the scene: a pose that moves them further may part vertices further."""
    shared = sorted(set(a.keys) & set(b.keys))
    single = rng.permutation(len(shared))[: (most - 24) // 3]
    count = 24 + 3 * len(single)
    poses = {key: NodePose(count) for key in shared}
    for number, key in enumerate(shared):
        pose, stored = poses[key], a.nodes[a.keys[key]]
        other = b.nodes[b.keys[key]]
        small = any(0 <= min(np.abs(node.get("scale", (1, 1, 1)))) < HIDDEN for node in (stored, other))
        if small:  # shown in most poses
            pose.scaled[:] = rng.random(count) < 0.8
            pose.scaled[0] = True
        pose.turned[1:24] = rng.random(23) < 0.7
        pose.turn[1:24] = unit(rng.normal(size=(23, 4)))
        half = rng.random(23) < 0.4  # half turns about axes
        axis = np.zeros((23, 4))
        axis[np.arange(23), rng.integers(0, 3, 23)] = 1
        pose.turn[1:24][half] = axis[half]
        pose.moved[8:24] = rng.random(16) < 0.3
        pose.at[8:24] = rng.uniform(-1, 1, (16, 3)) * length
        pose.scaled[16:24] |= rng.random(8) < 0.3
        pose.scale[16:24] = np.where(rng.random((8, 1)) < 0.5, 1, rng.uniform(0.4, 1.5, (8, 3)) * rng.choice([1, 1, -1], (8, 3)))
        alone = np.flatnonzero(single == number)
        if len(alone):
            first = 24 + 3 * int(alone[0])
            pose.turned[first] = True
            pose.turn[first] = np.eye(4)[rng.integers(0, 3)]
            pose.moved[first + 1] = True
            pose.at[first + 1] = rng.uniform(-1, 1, 3) * length
            pose.scaled[first + 2] = True
            pose.scale[first + 2] = rng.choice([np.ones(3), rng.uniform(0.3, 2, 3), [-1, 1, 1], [1, -1, -1]])
    moved = {key: pose.moved.astype(int) for key, pose in poses.items()}
    share = np.ones(count)
    for file in (a, b):
        for key in shared:
            chain, node = np.zeros(count, int), file.keys[key]
            while node is not None:
                chain = chain + moved.get(next((k for k in shared if file.keys[k] == node), None), 0)
                node = file.parent.get(node)
            share = np.maximum(share, chain)
    rest = a.worlds({}, 1)
    for key, pose in poses.items():
        above = a.parent.get(a.keys[key])
        larger = 1.0 if above is None else max(1.0, float(norms(rest[above])[0]))
        pose.at /= np.sqrt(3) * share[:, None] * larger
    amounts = {}
    for file in (a, b):
        for node, _, shapes, _, _ in file.blocks:
            for name, _ in shapes:
                drawn = np.where(rng.random(count) < 0.5, rng.integers(0, 2, count), rng.random(count)).astype(float)
                drawn[rng.random(count) < 0.4] = np.nan
                amounts.setdefault((file.group[node], name), drawn)
    return poses, amounts, count


def norms(maps):
    return np.linalg.norm(maps[..., :3, :3].astype(float), 2, axis=(-2, -1))


def box(places):
    return np.sqrt(((places.max(1) - places.min(1)) ** 2).sum(1))


def apart(a, b, ids_a, ids_b):
    """The largest distance of vertices with one identity, per pose. A vertex without a counterpart has the nearest one."""
    at = {}
    for row, number in enumerate(ids_b):
        at.setdefault(number, []).append(row)
    most = np.zeros(len(a), REAL)
    for row, number in enumerate(ids_a):
        others = b[:, at[number]] if number in at else b
        gaps = np.sqrt(((others - a[:, row : row + 1]) ** 2).sum(2))
        most = np.maximum(most, gaps.max(1) if number in at else gaps.min(1))
    missing = np.flatnonzero(~np.isin(ids_b, ids_a))
    for row in missing:
        most = np.maximum(most, np.sqrt(((a - b[:, row : row + 1]) ** 2).sum(2)).min(1))
    return most


def worst(rng, a, b, most=64):
    """How many tolerances the files are apart in the worst of some hard poses: above 1 refutes "equal in every pose"."""
    rest_world = a.worlds({}, 1)
    length = a.length()
    poses, amounts, count = hard_poses(rng, a, b, float(length) or 1.0, most)
    worlds = a.worlds(poses, count)
    in_a, in_b = a.places(worlds, amounts, count), b.places(b.worlds(poses, count), amounts, count)
    gaps = apart(in_a[:, a.drawn], in_b[:, b.drawn], a.ids[a.drawn], b.ids[b.drawn])
    size = np.maximum(box(in_a), length)
    if length > 0:  # a pose that enlarges what a node moves enlarges distances as much
        for node, reach in a.reaches().items():
            least = HIDDEN * length / reach if reach > 0 else REAL(0)
            small = max(norms(rest_world[node])[0], least)
            if small > 0:
                size = np.maximum(size, length * norms(worlds[node]) / small)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(gaps == 0, 0, gaps / (TOLERANCE * size))
    return float(ratio.max())
