# SPDX-License-Identifier: MIT
"""Rigs with one planted defect of deformation each, and their clean twins: a tube along y with three joints, and parts next to it."""
import itertools

import numpy as np

from g4mf_builder import Builder as G4mfBuilder
from gltf_builder import Builder

HEIGHTS = (0.0, 0.7, 1.4)  # of the joints "a", "b", "c"
NAMES = ("a", "b", "c")


def ramp(y, middle, half):
    return np.clip((y - middle + half) / (2 * half), 0, 1)


def weights_along(y, half=0.25):
    """Smooth weights of the three joints."""
    b, c = ramp(y, HEIGHTS[1], half), ramp(y, HEIGHTS[2], half)
    return np.stack([1 - b, b - c, c], 1)


class Part:
    """Vertices, weights and triangles of a piece of surface."""

    def __init__(self, vertices, weights, triangles):
        self.vertices, self.weights, self.triangles = np.array(vertices, float), np.array(weights, float), np.array(triangles, int)

    def nearest(self, place):
        return int(np.argmin(np.linalg.norm(self.vertices - place, axis=1)))


def tube(low=0.0, high=2.0, radius=0.15, rings=41, sides=16, closed=True, inward=False):
    """A tube along y, with a vertex in the middle of each end if it is closed."""
    angle = 2 * np.pi * np.arange(sides) / sides
    y = np.linspace(low, high, rings)
    vertices = np.stack(
        [np.tile(radius * np.cos(angle), rings), np.repeat(y, sides), np.tile(radius * np.sin(angle), rings)], 1
    )
    triangles = []
    for r in range(rings - 1):
        for s in range(sides):
            a, b = r * sides + s, r * sides + (s + 1) % sides
            triangles += [[a, a + sides, b], [b, a + sides, b + sides]]
    if closed:
        first = len(vertices)
        vertices = np.vstack([vertices, [[0, low, 0], [0, high, 0]]])
        for s in range(sides):
            t = (s + 1) % sides
            triangles += [[first, s, t], [first + 1, (rings - 1) * sides + t, (rings - 1) * sides + s]]
    triangles = np.array(triangles)
    if inward:
        triangles = triangles[:, ::-1]
    return Part(vertices, weights_along(vertices[:, 1]), triangles)


class Rig:
    """One skinned mesh of parts, with the joints a, b and c. `clips`: name → list of (time, joint, axis, degrees)."""

    def __init__(self, parts, clips=None, shapes=None):
        self.parts, self.clips, self.shapes = parts, clips or {}, shapes or {}

    def save(self, path, scale=1.0, mirrored=False, integers=False, split=False):
        sign = np.array([-1, 1, 1]) if mirrored else np.array([1, 1, 1])
        vertices = np.vstack([part.vertices for part in self.parts]) * scale * sign
        weights = np.vstack([part.weights for part in self.parts])
        triangles, first = [], 0
        for part in self.parts:
            triangles.append(part.triangles + first)
            first += len(part.vertices)
        triangles = np.vstack(triangles)
        if mirrored:
            triangles = triangles[:, ::-1]
        builder = Builder()
        halves = [triangles[::2], triangles[1::2]] if split else [triangles]
        primitives = []
        for half in halves:
            used, numbers = np.unique(half, return_inverse=True)
            primitives.append(self._primitive(builder, vertices[used], weights[used], numbers.reshape(-1, 3), used, scale, sign, integers))
        mesh = {"primitives": primitives}
        if self.shapes:
            mesh["extras"] = {"targetNames": list(self.shapes)}
        builder.json["meshes"] = [mesh]
        binds = np.tile(np.eye(4, dtype="f4"), (3, 1, 1))
        for i, height in enumerate(HEIGHTS):
            binds[i, 3, 1] = -height * scale  # stored by columns
        builder.json["nodes"] = [
            {"name": "a", "children": [1]},
            {"name": "b", "children": [2], "translation": [0, HEIGHTS[1] * scale, 0]},
            {"name": "c", "translation": [0, (HEIGHTS[2] - HEIGHTS[1]) * scale, 0]},
            {"name": "body", "mesh": 0, "skin": 0},
        ]
        builder.json["skins"] = [{"joints": [0, 1, 2], "inverseBindMatrices": builder.accessor(binds.reshape(3, 16).astype("f4"))}]
        builder.json["scenes"], builder.json["scene"] = [{"nodes": [0, 3]}], 0
        for name, keys in self.clips.items():
            self._clip(builder, name, keys, mirrored)
        return builder.save(path)

    def _primitive(self, builder, vertices, weights, triangles, used, scale, sign, integers):
        joints = np.zeros((len(vertices), 4), "u1")
        joints[:, :3] = [0, 1, 2]
        four = np.zeros((len(vertices), 4))
        four[:, :3] = weights
        if integers:
            whole = np.floor(four * 255).astype(int)
            for row, exact in zip(whole, four):
                missing = int(round(exact.sum() * 255)) - row.sum()
                for i in np.argsort(-(exact * 255 - row))[:missing]:
                    row[i] += 1
            stored, normalized = whole.astype("u1"), True
        else:
            stored, normalized = four.astype("f4"), False
        joints[np.array(stored) == 0] = 0
        primitive = {
            "attributes": {
                "POSITION": builder.accessor(vertices.astype("f4"), bounds=True, target=34962),
                "JOINTS_0": builder.accessor(joints, target=34962),
                "WEIGHTS_0": builder.accessor(stored, normalized, target=34962),
            },
            "indices": builder.accessor(triangles.reshape(-1).astype("u2"), target=34963),
        }
        if self.shapes:
            primitive["targets"] = [
                {"POSITION": builder.accessor((offsets[used] * scale * sign).astype("f4"), bounds=True, target=34962)} for offsets in self.shapes.values()
            ]
        return primitive

    @staticmethod
    def _clip(builder, name, keys, mirrored):
        times = sorted({key[0] for key in keys})
        samplers, channels = [], []
        for joint in sorted({key[1] for key in keys}):
            rows = []
            for time in times:
                _, _, axis, degrees = next(key for key in keys if key[0] == time and key[1] == joint)
                half = np.radians(degrees) / 2
                turn = np.zeros(4)
                turn["xyz".index(axis)], turn[3] = np.sin(half) * (-1 if mirrored and axis != "x" else 1), np.cos(half)
                rows.append(turn)
            samplers.append(
                {"input": builder.accessor(np.array(times, "f4"), bounds=True), "output": builder.accessor(np.array(rows, "f4"))}
            )
            channels.append({"sampler": len(samplers) - 1, "target": {"node": NAMES.index(joint), "path": "rotation"}})
        builder.add("animations", {"name": name, "samplers": samplers, "channels": channels})


def moving():
    """A clip that bends a little, so that no rig is inert."""
    return {"Nod": [(0, "b", "x", 0), (1, "b", "x", 20)]}


def torn(defect):
    """Two open tubes that share a ring; with the defect, the upper one has other weights there."""
    lower, upper = tube(0, 1.0, rings=21, closed=False), tube(1.0, 2.0, rings=21, closed=False)
    if defect:
        ring = upper.vertices[:, 1] == 1.0
        upper.weights[ring] = [0, 0.7, 0.3]
        lower.weights[lower.vertices[:, 1] == 1.0] = [0, 1, 0]
    return Rig([lower, upper], moving())


def spiked(defect):
    body = tube()
    if defect:
        body.weights[body.nearest([0.15, 0.1, 0])] = [0, 0, 1]
    return Rig([body], moving())


def stray(defect):
    body = tube()
    if defect:
        body.weights[body.nearest([0.15, 0.1, 0])] = [0.85, 0, 0.15]
    return Rig([body], moving())


def folded(defect):
    """One ring at the joint c follows it, and its neighbours do not: it tilts through them."""
    body = tube(rings=101)
    if defect:
        at = body.vertices[:, 1]
        body.weights[(at > 1.1) & (at < 1.5)] = [0, 1, 0]
        body.weights[np.abs(at - 1.4) < 1e-6] = [0, 0, 1]
    return Rig([body], moving())


def unbound(defect):
    body = tube()
    if defect:
        body.weights[[5, 6, 7]] = 0
    return Rig([body], moving())


def button(defect):
    """A small closed part on the upper end of the tube."""
    body, small = tube(), tube(1.7, 1.75, 0.02, rings=3, sides=6)
    small.vertices[:, 0] += 0.18
    if defect:
        small.weights[:] = [1, 0, 0]
    return Rig([body, small], moving())


def sleeve(defect):
    """A wider tube around the joint c."""
    body, cover = tube(), tube(1.1, 1.9, 0.18, rings=17, closed=False)
    if defect:
        cover.weights[:] = [0, 1, 0]
    return Rig([body, cover], moving())


def inert(defect):
    keys = [(0, "b", "x", 0), (1, "b", "x", 0 if defect else 20)]
    return Rig([tube()], {"Still": keys})


def twisted(degrees):
    return Rig([tube()], {"Twist": [(0, "c", "y", 0), (1, "c", "y", degrees)]})


def crossing(defect):
    """A band of the tube far below the joint c follows it in part, so that its rings pass through each other."""
    body = tube(rings=81)
    if defect:
        band = np.abs(body.vertices[:, 1] - 0.3) < 0.06
        body.weights[band] = [0.2, 0, 0.8]
    return Rig([body], moving())


def crossing_beside_a_child(defect):
    """The same below the joint b, beside the joint c that moves nothing there: it folds no surface."""
    body = tube(rings=81)
    body.weights = weights_along(body.vertices[:, 1] - np.where(body.vertices[:, 1] > 1.1, 0.4, 0))
    if defect:
        band = np.abs(body.vertices[:, 1] - HEIGHTS[2]) < 0.06
        body.weights[band] = [0.8, 0.2, 0]
    return Rig([body], moving())


def shape_torn(defect):
    """A blend shape that moves the two sides of a seam with equal weights; with the defect, only one side."""
    lower, upper = tube(0, 1.0, rings=21, closed=False), tube(1.0, 2.0, rings=21, closed=False)
    count = len(lower.vertices)
    offsets = np.zeros((count + len(upper.vertices), 3))
    everything = np.vstack([lower.vertices, upper.vertices])
    offsets[np.abs(everything[:, 1] - 1.0) < 1e-9] = [0, 0, 0.06]
    if defect:
        offsets[:count] = 0
    return Rig([lower, upper], moving(), {"bulge": offsets})


#: name → (rig of defect, code, severity, joint, options)
PLANTED = {
    "torn": (torn, "FLEX_TEAR", "error", "c", []),
    "spiked": (spiked, "FLEX_SPIKE", "error", "c", []),
    "stray": (stray, "FLEX_ISLAND", "warning", "c", []),
    "folded": (folded, "FLEX_FLIP", "warning", "c", []),
    "unbound": (unbound, "FLEX_UNBOUND", "error", "", []),
    "button": (button, "FLEX_UNBOUND", "warning", "a", []),
    "sleeve": (sleeve, "FLEX_PENETRATION", "error", "c", []),
    "inert": (inert, "FLEX_INERT", "error", "", []),
    "crossing": (crossing, "FLEX_SELF", "warning", "c", []),
    "crossing_beside_a_child": (crossing_beside_a_child, "FLEX_SELF", "warning", "b", []),
    "shape_torn": (shape_torn, "FLEX_TEAR", "error", "", []),
}


def lattice(dimension, first, last, cells=20, across=3):
    """A flat bar of simplexes along x from `first` to `last`: it fills the plane in 2D, and spans all axes but the last one above."""
    axes = 2 if dimension == 2 else dimension - 1
    counts = [cells + 1] + [across + 1] * (axes - 1)
    places = np.array(list(itertools.product(*[range(n) for n in counts])), float)
    vertices = np.zeros((len(places), dimension))
    vertices[:, 0] = first + (last - first) * places[:, 0] / cells
    vertices[:, 1:axes] = 0.1 * places[:, 1:] / across
    number = {tuple(place.astype(int)): i for i, place in enumerate(places)}
    simplexes = []
    for cell in itertools.product(*[range(n - 1) for n in counts]):
        for order in itertools.permutations(range(axes)):  # Kuhn's simplexes of a cube
            corner, row = list(cell), [number[cell]]
            for axis in order:
                corner[axis] += 1
                row.append(number[tuple(corner)])
            simplexes.append(row)
    simplexes = np.array(simplexes)
    if dimension == 2:  # counter-clockwise
        a, b, c = (vertices[simplexes[:, i]] for i in range(3))
        wrong = np.cross(b - a, c - a) < 0
        simplexes[wrong] = simplexes[wrong][:, [0, 2, 1]]
    return Part(vertices, weights_along(vertices[:, 0]), simplexes)


def bars(dimension, defect):
    """A G4MF model of one bar, or of two that share a side. `defect`: "tear", "spike", "island", "unbound" or nothing."""
    parts = [lattice(dimension, 0, 1, 10), lattice(dimension, 1, 2, 10)]
    if defect == "tear":
        parts[1].weights[parts[1].vertices[:, 0] == 1] = [0, 0.7, 0.3]
        parts[0].weights[parts[0].vertices[:, 0] == 1] = [0, 1, 0]
    inner = parts[0].nearest(np.array([0.2, 0.033, 0.033, 0, 0, 0][:dimension]))
    if defect in ("spike", "island"):
        share = 1.0 if defect == "spike" else 0.15
        parts[0].weights[inner] = [1 - share, 0, share]
    vertices = np.vstack([part.vertices for part in parts])
    weights = np.vstack([part.weights for part in parts])
    if defect == "unbound":
        weights[inner] = 0
    simplexes = np.vstack([parts[0].triangles, parts[1].triangles + len(parts[0].vertices)])
    return in_g4mf(dimension, vertices, weights, simplexes)


def in_g4mf(dimension, vertices, weights, simplexes, scale=1.0):
    """A G4MF model of one mesh with the joints a, b and c along x."""
    builder = G4mfBuilder(dimension)
    influences = [[(j, float(w)) for j, w in enumerate(row) if w > 0] for row in weights]
    mesh = builder.mesh(
        builder.accessor("float32", (scale * vertices).tolist()),
        [{"simplexes": builder.accessor("uint16", simplexes.tolist())}],
        skin=builder.skin(influences),
    )
    zeros = [0.0] * (dimension - 1)
    builder.node(name="Root")
    builder.node(0, name="Rig", skeleton={"joints": [2, 3, 4]})
    builder.node(1, name="a", bone={}, position=[0.0, *zeros])
    builder.node(2, name="b", bone={}, position=[scale * HEIGHTS[1], *zeros])
    builder.node(3, name="c", bone={}, position=[scale * (HEIGHTS[2] - HEIGHTS[1]), *zeros])
    builder.node(1, name="Body", mesh=mesh)
    return builder


def plate(cells, size=0.05):
    """Squares of a grid as triangles, with their corners shared: {(column, row), …}."""
    corners = sorted({(i + di, j + dj) for i, j in cells for di in (0, 1) for dj in (0, 1)})
    number = {corner: n for n, corner in enumerate(corners)}
    triangles = []
    for i, j in sorted(cells):
        a, b, c, d = (number[i + di, j + dj] for di, dj in ((0, 0), (1, 0), (1, 1), (0, 1)))
        triangles += [[a, b, c], [a, c, d]]
    vertices = size * np.array(corners, float)
    return Part(vertices, weights_along(vertices[:, 0]), triangles)


def arm():
    return {(i, j) for i in range(40) for j in range(2)}


def planar(kind, defect, scale=1.0, mirrored=False):
    """Defects of the plane beside an arm of two cells: a "sleeve" over the joint c, a hook that bends back ("crossing"), a part far from
    the vertices of the arm that is left behind ("button"), and the same on a corner of the arm ("pin")."""
    parts = [plate(arm())]
    if kind == "sleeve":
        cover = plate({(i, j) for i in range(24, 38) for j in range(1)})
        cover.vertices = cover.vertices * [1, 0.4] + [0, 0.105]
        if defect:
            cover.weights[:] = [0, 1, 0]
        parts.append(cover)
    if kind == "crossing":
        hook = plate(arm() | {(39, 2)} | {(i, 3) for i in range(32, 40)})
        if defect:
            back = (hook.vertices[:, 1] > 0.149) & (hook.vertices[:, 0] < 1.91)
            hook.weights[back] = [0, 1, 0]
        parts = [hook]
    if kind in ("button", "pin"):
        if kind == "button":  # two large triangles are the end of the arm: its middle is far from every vertex
            body = plate({(i, j) for i in range(0, 24) for j in range(2)})
            last = [v for v, at in enumerate(body.vertices) if abs(at[0] - 1.2) < 1e-9]
            low, high = min(last, key=lambda v: body.vertices[v, 1]), max(last, key=lambda v: body.vertices[v, 1])
            vertices = np.vstack([body.vertices, [[2, 0], [2, 0.1]]])
            end = len(body.vertices)
            body = Part(vertices, weights_along(vertices[:, 0], 0.15), np.vstack([body.triangles, [[low, end, end + 1], [low, end + 1, high]]]))
            parts, at = [body], [1.6, 0.05]
        else:
            at = [1.8, 0.05]  # a vertex of the arm
        small = plate({(i, j) for i in range(-1, 1) for j in range(-1, 1)}, 0.015)
        small.vertices = small.vertices + at
        nearest = parts[0].nearest(at)
        small.weights[:] = [1, 0, 0] if defect else [0, 0, 1] if kind == "button" else parts[0].weights[nearest]
        parts.append(small)
    vertices, weights = np.vstack([p.vertices for p in parts]), np.vstack([p.weights for p in parts])
    first = np.cumsum([0] + [len(p.vertices) for p in parts])
    triangles = np.vstack([p.triangles + f for p, f in zip(parts, first)])
    if mirrored:
        vertices, triangles = vertices * [1, -1], triangles[:, ::-1]
    return in_g4mf(2, vertices, weights, triangles, scale)


#: kind of `planar` → (code, severity, joint)
PLANAR = {
    "sleeve": ("FLEX_PENETRATION", "warning", "c"),
    "crossing": ("FLEX_SELF", "warning", "c"),
    "button": ("FLEX_UNBOUND", "warning", "a"),
    "pin": ("FLEX_UNBOUND", "warning", "a"),
}
