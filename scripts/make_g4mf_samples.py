#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the small G4MF models of samples/g4mf, a page of text for each, and the pose files they use; always the same bytes.

usage: make_g4mf_samples.py [FOLDER]      default: samples/g4mf beside this script's folder; needs numpy
"""
import itertools
import json
import math
import sys
import textwrap
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "oracle"))
from g4mf_builder import Builder
from g4mf_oracle import perpendicular

C = math.sqrt(0.5)  # of half a quarter turn, cosine and sine alike
GENERATOR = {"generator": "sinew make_g4mf_samples.py"}


class Sample:
    """A model, what its page says, and what to expect: rows of (options, pose's name or None, vertex, coordinates, by hand)."""

    def __init__(self, name, title, text, model, expected, poses=None, files=(".g4tf",), zstd=False):
        self.name, self.title, self.text, self.model, self.expected = name, title, text, model, expected
        self.poses, self.files, self.zstd = poses or {}, files, zstd

    def contents(self):
        """{file name: bytes}"""
        out = {self.name + ext: self.model.binary(self.zstd) if ext == ".g4b" else self.model.text(self.zstd) for ext in self.files}
        for pose, content in self.poses.items():
            out[f"{pose}.pose.json"] = (json.dumps(content, indent=2) + "\n").encode()
        out[self.name + ".md"] = self.page().encode()
        return out

    def page(self):
        files = ", ".join(f"[{self.name}{ext}]({self.name}{ext})" for ext in self.files)
        lines = [f"# {self.title}", "", files + f"; {self.model.dimension} dimensions, names of {self.model.revision}.", "",
                 textwrap.fill(self.text, 118, break_long_words=False, break_on_hyphens=False), ""]
        lines += ["| `sinew deform` options | vertex | coordinates | by hand |", "|---|---|---|---|"]
        for options, pose, vertex, numbers, hand in self.expected:
            shown = " ".join([*options, *(["--pose", f"{pose}.pose.json"] if pose else [])])
            lines.append(f"| {f'`{shown}`' if shown else ''} | {vertex} | {', '.join(f'{x:.6g}' for x in numbers)} | {hand} |")
        return "\n".join(lines) + "\n"


def start(dimension, revision="2026-01"):
    model = Builder(dimension, revision, **GENERATOR)
    model.node(name="Root")
    return model


def prisms():
    """Tetrahedra of a tube through stations of three vertices each: every prism in three."""
    return [(s + a, s + b, s + c, s + d) for s in (0, 3, 6, 9) for a, b, c, d in ((0, 1, 2, 3), (1, 2, 3, 4), (2, 3, 4, 5))]


def tube(dimension):
    return [[x, y, z] + [0.0] * (dimension - 3) for x in (0, 0.5, 1, 1.5, 2) for y, z in ((0, 0.25), (-0.25, -0.25), (0.25, -0.25))]


ARM_WEIGHTS = [[(0, 1.0)]] * 3 + [[(0, 0.75), (1, 0.25)]] * 3 + [[(0, 0.5), (1, 0.5)]] * 3 + [[(1, 1.0)]] * 6


def arm(revision="2026-01", dimension=4):
    model = start(dimension, revision)
    rig = model.node(0, name="Arm", skeleton={"joints": [2, 3]})
    # A bone lies along its own Y: turned by 90°, from Y to X, it lies in the tube.
    turned = [C, -C] + [0] * (dimension * (dimension - 1) // 2 - 1)
    upper = model.node(rig, name="Upper", bone={"length": 1}, rotor=turned)
    model.node(upper, name="Lower", bone={"length": 1}, position=[0, 1] + [0] * (dimension - 2))
    vertices = model.accessor("float32", tube(dimension))
    simplexes = model.accessor("uint8", prisms() if dimension == 4 else [(0, 3, 6, 9, 12)])
    skin = model.skin(ARM_WEIGHTS, groupNames=["Upper", "Lower"])
    model.node(rig, name="Body", mesh=model.mesh(vertices, [{"simplexes": simplexes}], skin=skin))
    return model


ARM_EXPECTED = [
    ([], None, 12, (2, 0, 0.25, 0), "the stored pose shows the mesh as stored"),
    ([], "arm_4d", 12, (1, 0, 0.25, 1), "a quarter turn about (1, 0, 0, 0): (x, y, z, w) ↦ (1 − w, y, z, x − 1)"),
    ([], "arm_4d", 3, (0.625, 0, 0.25, -0.125), "¾·(0.5, 0, ¼, 0) + ¼·(1, 0, ¼, −0.5)"),
    ([], "arm_4d", 6, (1, 0, 0.25, 0), "on the axis of the turn"),
]
ARM_POSE = {"arm_4d": {"nodes": {"Lower": {"rotor": [C, 0, 0, 0, 0, C, 0]}}}}


def arm_4d():
    text = "A tube of tetrahedra along X with two bones. A bone lies along its own Y axis, so the upper bone's Y is the model's X. The pose bends the lower bone by 90° in its own yw plane, the model's xw plane. X turns to W, and Y and Z stay the same. No bend in three dimensions can do that."
    return Sample("arm_4d", "An arm that bends into the fourth dimension", text, arm(), ARM_EXPECTED, ARM_POSE, (".g4tf", ".g4b"))


def arm_zstd():
    text = "The arm of [arm_4d](arm_4d.md) with its buffer as a Zstandard frame. The text file has the frame in its data URI, the binary file in its chunk."
    return Sample("arm_4d_zstd", "Zstandard", text, arm(), ARM_EXPECTED, None, (".g4tf", ".g4b"), zstd=True)


def arm_2025_08():
    text = "The arm of [arm_4d](arm_4d.md) with the names of August 2025: `boneLength`, `mesh`, `primitiveType`, `cells`. Every buffer view names its buffer."
    return Sample("arm_4d_2025_08", "The names of August 2025", text, arm("2025-08"), ARM_EXPECTED, None)


def arm_2026_07():
    text = "The arm of [arm_4d](arm_4d.md) with the names of July 2026. The binary file's buffer names its chunk, and `encoding` replaces `compression`."
    return Sample("arm_4d_2026_07", "The names of July 2026", text, arm("2026-07"), ARM_EXPECTED, None, (".g4tf", ".g4b"), zstd=True)


def double_rotation():
    model = start(4)
    vertices = model.accessor("float32", [(0, 0, 0, 0), *np.eye(4)])
    mesh = model.mesh(vertices, [{"edges": model.accessor("uint8", [(0, i) for i in range(1, 5)])}])
    a, b = math.radians(15), math.radians(30)
    ca, sa, cb, sb = math.cos(a), math.sin(a), math.cos(b), math.sin(b)
    model.node(0, name="Axes", mesh=mesh, rotor=[ca * cb, sa * cb, 0, 0, 0, 0, ca * sb, sa * sb])
    text = "Four unit vectors that turn by 30° in the xy plane and by 60° in the zw plane at once. The rotor has all eight numbers, `s, xy, xz, yz, xw, yw, zw, xyzw`."
    h = math.sqrt(0.75)
    rows = [(h, 0.5, 0, 0), (-0.5, h, 0, 0), (0, 0, 0.5, h), (0, 0, -h, 0.5)]
    hands = ["cos 30°, sin 30°", "−sin 30°, cos 30°", "cos 60°, sin 60°", "−sin 60°, cos 60°"]
    return Sample("double_rotation", "Two rotations at once", text, model, [([], None, i + 1, row, hands[i]) for i, row in enumerate(rows)])


def tesseract():
    vertices = list(itertools.product((-1, 1), repeat=4))
    number = {vertex: i for i, vertex in enumerate(vertices)}

    def moved(vertex, axis):
        return tuple(1 if i == axis else x for i, x in enumerate(vertex))

    edges = [(number[v], number[moved(v, axis)]) for axis in range(4) for v in vertices if v[axis] == -1]
    faces = []
    for a, b in itertools.combinations(range(4), 2):
        for v in vertices:
            if v[a] == v[b] == -1:
                around = [number[v], number[moved(v, a)], number[moved(moved(v, a), b)], number[moved(v, b)]]
                faces.append([edges.index(tuple(sorted((around[i], around[(i + 1) % 4])))) for i in range(4)])
    cells = [outward(cell, vertices, edges, faces) for cell in cells_of(vertices, edges, faces)]

    model = start(4)
    flat = lambda items: [x for item in items for x in (len(item), *item)]
    topology = {"geometry": [model.accessor("uint8", flat(faces)), model.accessor("uint8", flat(cells))], "seams": model.accessor("uint8", [0, 1, 23])}
    surface = {"edges": model.accessor("uint8", edges), "topology": topology}
    model.node(0, name="Tesseract", mesh=model.mesh(model.accessor("float32", vertices), [surface]), position=[0, 2, 0, 0])
    text = ("16 vertices, 32 edges, and a topology of 24 faces and 8 cells. The first two faces of each cell share an edge. Its order makes the cell face outward. "
            "The faces 0, 1 and 23 are seams. The surface has no simplexes: readers make them from the cells.")
    expected = [([], None, 0, (-1, 1, -1, -1), "the first corner, moved up by 2"), ([], None, 15, (1, 3, 1, 1), "the last one")]
    return Sample("tesseract", "A tesseract with topology and seams", text, model, expected)


def cells_of(vertices, edges, faces):
    """(axis, side, faces) of the eight cubes."""
    for axis in range(4):
        for side in (-1, 1):
            yield axis, side, [f for f, face in enumerate(faces) if all(vertices[v][axis] == side for e in face for v in edges[e])]


def outward(cell, vertices, edges, faces):
    """The cell's faces in an order whose first two share an edge and give a normal that points away from the centre."""
    axis, side, members = cell
    second = next(f for f in members[1:] if set(faces[f]) & set(faces[members[0]]))
    order = [members[0], second] + [f for f in members[1:] if f != second]
    if cell_normal(order, vertices, edges, faces)[axis] * side < 0:
        order[:2] = order[1::-1]
    return order


def cell_normal(order, vertices, edges, faces):
    """Of the end of the edge after the shared one in the first face, the shared edge as stored, and that end in the second face."""
    first, second = faces[order[0]], faces[order[1]]
    shared = next(e for e in first if e in second)

    def end_after(face):
        following = face[(face.index(shared) + 1) % len(face)]
        return next(v for v in edges[following] if v not in edges[shared])

    corners = np.array([vertices[v] for v in (end_after(first), *edges[shared], end_after(second))], float)
    return perpendicular(corners[1:] - corners[0])


def cube_chain():
    model = start(4)
    grid = list(itertools.product(range(4), range(2), range(2)))
    number = {p: i for i, p in enumerate(grid)}
    simplexes = []
    for x in range(3):
        for order in itertools.permutations(range(3)):
            point, corners = [x, 0, 0], [(x, 0, 0)]
            for axis in order:
                point[axis] += 1
                corners.append(tuple(point))
            rows = np.array(corners, float)
            if np.linalg.det(rows[1:] - rows[0]) < 0:
                corners[2:] = corners[:1:-1]
            simplexes.append([number[c] for c in corners])
    vertices = model.accessor("float32", [(*p, 0) for p in grid])
    surface = {"simplexes": model.accessor("uint8", simplexes), "polytopeSimplexes": True}
    model.node(0, name="Chain", mesh=model.mesh(vertices, [surface]))
    text = "Three cubes in a row, each of six tetrahedra from one corner. With `polytopeSimplexes`, consecutive simplexes with the same first vertex are one polytope. The cubes are separate because their first vertices differ (0, 4, 8). All tetrahedra face +W."
    return Sample("cube_chain", "A chain of polytope cubes", text, model, [([], None, 15, (3, 1, 1, 0), "the last corner of the third cube")])


def cell_24():
    vertices = sorted({p for s in itertools.product((1, -1), repeat=2) for p in itertools.permutations((*s, 0, 0))})
    axes = [tuple(s if i == axis else 0 for i in range(4)) for axis in range(4) for s in (-1, 1)]
    halves = list(itertools.product((-0.5, 0.5), repeat=4))
    model = start(4)
    surfaces = []
    for directions in (axes, halves):
        simplexes, normals = [], []
        for direction in directions:
            members = [v for v in vertices if np.dot(v, direction) == 1]
            for tetrahedron in octahedron(members, direction):
                simplexes.append([vertices.index(v) for v in tetrahedron])
                normals += [direction] * 4
        surfaces.append({"simplexes": model.accessor("uint8", simplexes), "normals": model.accessor("float32", normals)})
    swell = {"name": "Swell", "position": model.target(range(24), [[x / 2 for x in v] for v in vertices], "uint8")}
    tilt = {"name": "Tilt", "normal": model.target([0, 128], [(0, 1, 0, 0), (0, 0, 0, 1)], "uint8")}
    mesh = model.mesh(model.accessor("float32", vertices), surfaces, blend={"shapes": [swell, tilt]})
    model.node(0, name="Cell24", mesh=mesh)
    text = ("24 vertices and 24 octahedra of four tetrahedra each. One surface has the 8 cells towards the axes, the other has the remaining 16. `Swell` moves all vertices outward by half. "
            "`Tilt` moves two normals. Its indices count the vertex instances of both surfaces. The first surface has 8·4·4 = 128, so index 128 is the first instance of the second.")
    expected = [([], None, 0, vertices[0], "as stored"), (["--blend", "Swell=1"], None, 0, [1.5 * x for x in vertices[0]], "1 + ½ times as far out"),
                (["--blend", "Swell=-2"], None, 23, [0.0] * 4, "1 − 2·½ = 0: any amount is allowed")]
    return Sample("cell_24", "A 24-cell with blend shapes over two surfaces", text, model, expected)


def octahedron(members, direction):
    """Four tetrahedra around a diagonal, all facing along `direction`."""
    top = members[0]
    bottom = tuple(2 * c - x for c, x in zip(np.mean(members, axis=0), top))
    belt = [v for v in members if v not in (top, bottom)]
    ring = [belt[0], *[v for v in belt[1:] if np.dot(np.subtract(v, belt[0]), np.subtract(v, belt[0])) < 3]]
    ring = [ring[0], ring[1], next(v for v in belt if v not in ring), ring[2]]
    for i in range(4):
        corners = [top, tuple(int(x) for x in bottom), ring[i], ring[(i + 1) % 4]]
        rows = np.array(corners, float)
        if np.dot(perpendicular(rows[1:] - rows[0]), direction) < 0:
            corners[2:] = corners[:1:-1]
        yield corners


def rig_5d():
    text = "The arm's tube in five dimensions. The pose bends the lower bone by 90° in its own yv plane, the model's xv plane (axis 4 is V). A rotor of one plane has eleven numbers: the scalar, then `xy, xz, yz, xw, yw, zw, xv, yv, zv, wv`."
    expected = [([], None, 12, (2, 0, 0.25, 0, 0), "as stored"), ([], "rig_5d", 12, (1, 0, 0.25, 0, 1), "(x, y, z, w, v) ↦ (1 − v, y, z, w, x − 1)")]
    return Sample("rig_5d", "A rig in five dimensions", text, arm(dimension=5), expected, {"rig_5d": {"nodes": {"Lower": {"rotor": [C, 0, 0, 0, 0, 0, 0, 0, C, 0, 0]}}}})


def rig_2d():
    model = start(2)
    rig = model.node(0, name="Rig", skeleton={"joints": [2, 3]})
    lower = model.node(rig, name="Lower", bone={"length": 1})
    model.node(lower, name="Upper", bone={"length": 1}, position=[0, 1])
    vertices = model.accessor("float32", [(x, y) for y in (0, 1, 2) for x in (-0.5, 0.5)])
    simplexes = model.accessor("uint8", [(0, 1, 3), (0, 3, 2), (2, 3, 5), (2, 5, 4)])
    skin = model.skin([[(0, 1.0)]] * 2 + [[(0, 0.5), (1, 0.5)]] * 2 + [[(1, 1.0)]] * 2)
    model.node(rig, name="Body", mesh=model.mesh(vertices, [{"simplexes": simplexes}], skin=skin))
    text = "Triangles in two dimensions; a rotor there is `s, xy`. The pose turns the upper bone by 90°, counter-clockwise."
    expected = [([], "rig_2d", 5, (-1, 1.5), "(x, y) ↦ (1 − y, 1 + x)"), ([], "rig_2d", 3, (0.25, 1.25), "½·(0.5, 1) + ½·(0, 1.5)")]
    return Sample("rig_2d", "A rig in two dimensions", text, model, expected, {"rig_2d": {"nodes": {"Upper": {"rotor": [C, C]}}}})


def point_cloud():
    model = start(3)
    vertices = model.accessor("float32", [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)])
    model.node(0, name="Cloud", mesh=model.mesh(vertices, [{}]), scale=[2, 1, 1], rotor=[C, C, 0, 0], position=[0, 0, 3])
    text = "A surface with neither simplexes nor edges shows the mesh's vertices as points. Its node scales first, then turns X to Y, then translates."
    return Sample("point_cloud", "A cloud of points", text, model, [([], None, 4, (-1, 2, 4), "(1, 1, 1) ↦ (2, 1, 1) ↦ (−1, 2, 1) ↦ (−1, 2, 4)")])


def stiff_tail():
    model = start(3)
    rig = model.node(0, name="Rig", skeleton={"joints": [2, 2, -1]})
    model.node(rig, name="Tail", bone={"length": 3})
    vertices = model.accessor("float32", [(0, y, 0) for y in range(5)])
    skin = model.skin([[(2, 1.0)], [(0, 0.5), (2, 0.5)], [(0, 1.0)], [(0, 0.25), (1, 0.75)], [(3, 1.0)]], groupNames=["TailBase", "TailTip", "Pin"])
    surface = {"edges": model.accessor("uint8", [(i, i + 1) for i in range(3)])}
    model.node(rig, name="Body", mesh=model.mesh(vertices, [surface], skin=skin))
    text = "Two groups share one bone, which makes the tail stiff. The joint −1 pins the vertices of the third group: its weight counts and keeps the vertex in place. Vertex 4 follows a group that the skeleton does not have, so it stays in place."
    expected = [([], "stiff_tail", 0, (0, 0, 0), "pinned"), ([], "stiff_tail", 1, (-0.5, 0.5, 0), "½·(−1, 0, 0) + ½·(0, 1, 0)"),
                ([], "stiff_tail", 3, (-3, 0, 0), "both groups turn it alike"), ([], "stiff_tail", 4, (0, 4, 0), "its only group has no joint")]
    return Sample("stiff_tail", "A stiff tail", text, model, expected, {"stiff_tail": {"nodes": {"Tail": {"rotor": [C, C, 0, 0]}}}})


def shared_mesh():
    model = start(3)
    vertices = model.accessor("float32", [(0, 0, 0), (0, 1, 0), (1, 1, 0)])
    skin = model.skin([[(0, 1.0)], [(1, 1.0)], [(1, 1.0)]], groupNames=["Base", "Tip"])
    mesh = model.mesh(vertices, [{"simplexes": model.accessor("uint8", [(0, 1, 2)])}], skin=skin)
    for side, x in (("Left", -2), ("Right", 2)):
        rig = model.node(0, name=side, position=[x, 0, 0], skeleton={})
        base = model.node(rig, name=side + "Base", bone={})
        tip = model.node(base, name=side + "Tip", bone={}, position=[0, 1, 0])
        model.json["nodes"][rig]["skeleton"]["joints"] = [base, tip]
        model.node(rig, name=side + "Body", mesh=mesh)
    text = "Two nodes show one mesh, each as the child of its own skeleton. The pose turns only the right tip."
    expected = [([], "shared_mesh", 2, (-1, 1, 0), "the left one as stored"), ([], "shared_mesh", 5, (2, 2, 0), "(x, y) ↦ (1 − y, 1 + x) below the skeleton: (0, 2); then moved by 2")]
    return Sample("shared_mesh", "One mesh under two skeletons", text, model, expected, {"shared_mesh": {"nodes": {"RightTip": {"rotor": [C, C, 0, 0]}}}})


def scaled_bone():
    model = start(3)
    rig = model.node(0, name="Rig", scale=[2], skeleton={"joints": [2]})
    model.node(rig, name="Bone", bone={"length": 0.5}, scale=[1, 3, 1])
    vertices = model.accessor("float32", [(0, 0, 0), (0, 1.5, 0)])
    mesh = model.mesh(vertices, [{"edges": model.accessor("uint8", [(0, 1)])}], skin=model.skin([[(0, 1.0)], [(0, 1.0)]]))
    model.node(rig, name="Body", mesh=mesh)
    text = "A bone of length 0.5 along its own +Y, with scale 3 along Y, below a skeleton of scale 2. Its effective length is 0.5·3·2 = 3, as `sinew info` prints. The pose halves the bone's scale along Y."
    expected = [([], None, 1, (0, 3, 0), "1.5·2"), ([], "scaled_bone", 1, (0, 1.5, 0), "half of it")]
    return Sample("scaled_bone", "A scaled bone", text, model, expected, {"scaled_bone": {"nodes": {"Bone": {"scale": [1, 1.5, 1]}}}})


def component_types():
    model = start(3)
    kinds = [f"float{bits}" for bits in (8, 16, 32, 64, 128)]
    for i, kind in enumerate(kinds):
        surfaces = [{"simplexes": model.accessor(integer, [(0, 1, 2)])} for integer in (f"int{2**(3 + i)}", f"uint{2**(3 + i)}")]
        mesh = model.mesh(model.accessor(kind, [(0, 0, 0), (1.5, 0, 0), (0, -0.001953125, 240)]), surfaces)
        model.node(0, name=kind.capitalize(), mesh=mesh, position=[10 * i, 0, 0])
    text = "A triangle for each floating-point type, with indices of each signed and unsigned integer type. Even the smallest floating-point type holds the corners exactly (240 is its largest number, 2⁻⁹ its smallest)."
    return Sample("component_types", "All component types", text, model, [([], None, 3 * i + 2, (10 * i, -0.001953125, 240), kind) for i, kind in enumerate(kinds)])


def bindings():
    model = start(4, "2026-07")
    rows = [(0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (1, 1, 1, 0)]
    simplexes = model.accessor("uint8", [(0, 1, 2, 3), (4, 1, 3, 2)])
    normals = {"values": model.accessor("float32", [(0, 0, 0, 1)]), "simplexes": model.accessor("uint8", np.zeros((2, 4), int))}
    lean = {"name": "Lean", "position": model.target([4], [(0, 0, 0, 2)], "uint8"),
            "surfaces": [{"surface": 0, "normal": model.target([0], [(0.5, 0, 0, 0)], "uint8")}]}
    mesh = model.mesh(model.accessor("float32", rows), [{"simplexes": simplexes, "normals": normals}], blend={"shapes": [lean]})
    model.node(0, name="Pair", mesh=mesh)
    text = "Two tetrahedra that face +W, with the names of July 2026. All eight corners share one normal. The blend shape names the surface whose values it moves."
    expected = [(["--blend", "Lean=0.5"], None, 4, (1, 1, 1, 1), "(1, 1, 1, 0) + ½·(0, 0, 0, 2)")]
    return Sample("bindings_2026_07", "Values shared by corners", text, model, expected)


SAMPLES = (arm_4d, arm_zstd, arm_2025_08, arm_2026_07, double_rotation, tesseract, cube_chain, cell_24, rig_5d, rig_2d, point_cloud,
           stiff_tail, shared_mesh, scaled_bone, component_types, bindings)


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for make in SAMPLES:
        for name, content in make().contents().items():
            (folder / name).write_bytes(content)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "samples" / "g4mf")
