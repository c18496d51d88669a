# SPDX-License-Identifier: MIT
"""Judges whether the surfaces of two glTF files lie near each other, with numpy only: points of each surface, at rest and at times of every
animation, have a point of the other surface within the allowed distance. Both files must have the same nodes with meshes and the same
primitives, in the same order, and no compression."""
import json

import numpy as np

import gltf_oracle as oracle

TIMES = (0.0, 0.19, 0.5, 0.77, 1.0)
CHUNK, PAIRS = 256, 1 << 15  # points; points times triangles, which may be more points
FIRST = 2  # triangles that a point is compared with first


def triangles_of(document, primitive):
    """Vertex numbers, one row per triangle; None for another kind of primitive."""
    if primitive.get("mode", 4) != 4:
        return None
    if "indices" in primitive:
        corners = document.raw(primitive["indices"])[:, 0].astype(np.int64)
    else:
        corners = np.arange(document.json["accessors"][primitive["attributes"]["POSITION"]]["count"])
    return corners[: len(corners) // 3 * 3].reshape(-1, 3)


def surfaces(evaluator, pose):
    """[(rows, triangles)] of each drawn primitive in a pose."""
    nodes, meshes = evaluator.json["nodes"], evaluator.json["meshes"]
    return [(rows, triangles_of(evaluator.document, meshes[nodes[node]["mesh"]]["primitives"][number]))
            for node, number, rows in evaluator.instances(None, *pose)]


def dot(x, y):
    return np.einsum("...k,...k->...", x, y)


def cross(x, y):
    """The same as np.cross in three dimensions, in a third of the time for a few rows."""
    out = np.empty(np.broadcast_shapes(x.shape, y.shape))
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        out[..., k] = x[..., i] * y[..., j] - x[..., j] * y[..., i]
    return out


class Triangles:
    """Triangles, and what the distance from each needs of it alone."""

    def __init__(self, a, b, c):
        self.corners, self.sides = np.stack([a, b, c]), np.stack([b - a, c - b, a - c])
        self.normal = cross(b - a, c - a)
        self.square = dot(self.normal, self.normal)
        self.inward = cross(self.normal, self.sides)  # of each side
        self.lengths = np.maximum(dot(self.sides, self.sides), 1e-300)

    def distances(self, points, which):
        """Distances of points to the triangles with numbers `which`, of shapes that numpy's rules bring together. A point over the inside is
        as far as the plane; any other as far as the nearest side."""
        square = self.square[which]
        inside, least = square > 0, np.inf
        for k in range(3):
            off, side = points - self.corners[k][which], self.sides[k][which]
            if k == 0:
                flat = dot(off, self.normal[which]) ** 2 / np.maximum(square, 1e-300)
            inside = inside & (dot(off, self.inward[k][which]) >= 0)
            along = np.minimum(np.maximum(dot(off, side) / self.lengths[k][which], 0), 1)
            off = off - along[..., None] * side
            least = np.minimum(least, dot(off, off))
        return np.sqrt(np.where(inside, flat, least))


def furthest(points, rows, triangles, reach, known=0.0):
    """The largest distance of the points from the triangles, or `known` if that is larger; infinite if a point has no triangle within
    `reach` of its chunk."""
    a, b, c = rows[triangles[:, 0]], rows[triangles[:, 1]], rows[triangles[:, 2]]
    low, high, middle = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c), (a + b + c) / 3
    all_triangles = Triangles(a, b, c)
    # Chunks of points near to each other, with the triangles near to each: halve along the longest side again and again.
    todo, worst = [(points, np.arange(len(triangles)))], known
    while todo:
        chunk, near = todo.pop()
        apart = np.maximum(np.maximum(low[near] - chunk.max(0), chunk.min(0) - high[near]), 0)  # of the two boxes, by axis
        within = (apart <= reach).all(1)
        near, apart = near[within], apart[within]
        if not len(near):
            return np.inf
        if len(chunk) > CHUNK and len(chunk) * len(near) > PAIRS:
            axis = int(np.argmax(np.ptp(chunk, axis=0)))
            order = np.argsort(chunk[:, axis], kind="stable")
            todo += [(chunk[order[: len(order) // 2]], near), (chunk[order[len(order) // 2 :]], near)]
            continue
        # No point is farther than the triangles with the nearest centres. Most are so shown not to be the furthest.
        place = middle[near] - chunk[0]
        order = dot(place, place) - (chunk - chunk[0]) @ (2 * place.T)  # of the squares of distances, which have one more term in each row
        first = near[np.argpartition(order, min(FIRST, len(near)) - 1, axis=1)[:, :FIRST]]
        most = all_triangles.distances(chunk[:, None], first).min(1)
        if most.max() <= worst:
            continue
        chunk, bound = chunk[most > worst], most.max() * (1 + 1e-9)
        # Triangles that are farther from all points do not count.
        near = near[dot(apart, apart) <= bound * bound]
        worst = max(worst, float(all_triangles.distances(chunk[:, None], near).min(1).max()))
    return worst


def samples_of(triangles, rng, most):
    """(triangle, shares) of points: corners, centres, and random ones up to a number."""
    count = len(triangles)
    which = np.concatenate([np.arange(count)] * 2 + [rng.integers(0, count, max(0, most - 2 * count))])[:most]
    shares = rng.dirichlet((0.6, 0.6, 0.6), len(which))
    shares[:count] = 1 / 3
    return which, shares


def distances(before, after, most=20_000, reach=0.02, times=TIMES, seed=1):
    """(the largest distance as a part of the diagonal of `before` at rest, triangles before, triangles after), over points of both surfaces
    in all poses. `most`: points of a file, more only where each triangle has two. `reach`: the same part, beyond which a distance counts as
    infinite."""
    one, two = oracle.Evaluator(oracle.Document(before)), oracle.Evaluator(oracle.Document(after))
    if len(one.json.get("animations", [])) != len(two.json.get("animations", [])):
        raise ValueError("different numbers of animations")
    poses = [(None, 0.0)] + [(i, part * one.duration(i)) for i in range(len(one.json.get("animations", []))) for part in times]
    rng = np.random.default_rng(seed)
    worst, counts, diagonal = 0.0, [0, 0], None
    for pose in poses:
        a, b = surfaces(one, pose), surfaces(two, pose)
        if len(a) != len(b):
            raise ValueError("different numbers of primitives")
        if diagonal is None:
            everything = np.concatenate([rows for rows, _ in a])
            diagonal = float(np.linalg.norm(everything.max(0) - everything.min(0)))
            counts = [sum(len(t) for _, t in side if t is not None) for side in (a, b)]
        for i in range(len(a)):
            for (rows, triangles), (others, facing), count in ((a[i], b[i], counts[0]), (b[i], a[i], counts[1])):
                if (triangles is None) != (facing is None):
                    raise ValueError("different kinds of primitives")
                if triangles is None or not len(triangles):
                    continue
                which, shares = samples_of(triangles, rng, max(most * len(triangles) // count, min(2 * len(triangles), most)))
                points = np.einsum("pk,pkx->px", shares, rows[triangles[which]])
                points = np.concatenate([points, rows[np.unique(triangles)]])
                worst = furthest(points, others, facing, reach * diagonal, worst)
                if not np.isfinite(worst):
                    return worst, *counts
    return worst / diagonal, *counts


def triangle_count(path):
    """The number of triangles that are drawn."""
    return sum(len(triangles) for _, triangles in surfaces(oracle.Evaluator(oracle.Document(path)), (None, 0.0)) if triangles is not None)


def level_counts(path):
    """The numbers of levels of the nodes with MSFT_lod."""
    return [len(node["extensions"]["MSFT_lod"]["ids"]) for node in oracle.Document(path).json["nodes"]
            if "MSFT_lod" in node.get("extensions", {})]


def show_level(path, level, out):
    """Writes a copy of a .glb in which each node with MSFT_lod shows the mesh of one of its coarser levels."""
    with open(path, "rb") as file:
        data = file.read()
    size = int.from_bytes(data[12:16], "little")
    document = json.loads(data[20 : 20 + size])
    for node in document["nodes"]:
        if "MSFT_lod" in node.get("extensions", {}):
            coarse = document["nodes"][node["extensions"].pop("MSFT_lod")["ids"][level]]
            if any(node.get(key) != coarse.get(key) for key in ("skin", "weights", "translation", "rotation", "scale", "matrix")):
                raise ValueError("a level stands elsewhere")
            node["mesh"] = coarse["mesh"]
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    rest = data[20 + size :]
    with open(out, "wb") as file:
        file.write(data[:8] + (20 + len(text) + len(rest)).to_bytes(4, "little") + len(text).to_bytes(4, "little") + data[16:20] + text + rest)
    return out
