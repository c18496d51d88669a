#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the models of samples/show, things to look at, always the same bytes. Needs numpy.

usage: make_show_samples.py [FOLDER]      default: samples/show beside this script's folder
"""
import base64
import itertools
import json
import math
import random
import struct
import sys
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "oracle"))
from g4mf_builder import Builder
from g4mf_oracle import perpendicular
from gltf_builder import glb_bytes
from make_samples import ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER, Gltf, translation_matrix


def minus(a, b):
    return tuple(x - y for x, y in zip(a, b))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def unit(a):
    size = math.sqrt(dot(a, a)) or 1
    return tuple(x / size for x in a)


def to_cone(point, a, b, thick_a, thick_b):
    """How far a point is outside a limb from a to b, whose thickness goes from one to the other."""
    along = minus(b, a)
    t = min(1.0, max(0.0, dot(minus(point, a), along) / (dot(along, along) or 1)))
    near = tuple(p + t * q for p, q in zip(a, along))
    return math.dist(point, near) - (thick_a + t * (thick_b - thick_a))


def blend(distances, softness):
    """A smooth minimum: limbs grow together."""
    return -softness * math.log(sum(math.exp(-d / softness) for d in distances))


def gradient(field, point, step=1e-3):
    return unit(tuple(field(tuple(p + step * (k == axis) for k, p in enumerate(point))) -
                      field(tuple(p - step * (k == axis) for k, p in enumerate(point))) for axis in range(3)))


def surface(field, low, high, cell):
    """Positions and triangles where the field is zero: surface nets (Gibson 1998), one vertex in every cell that the surface crosses."""
    count = [math.ceil((h - l) / cell) + 1 for l, h in zip(low, high)]
    at = lambda i, j, k: (low[0] + i * cell, low[1] + j * cell, low[2] + k * cell)
    values = {(i, j, k): field(at(i, j, k)) for i in range(count[0]) for j in range(count[1]) for k in range(count[2])}
    corners = [(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    positions, number = [], {}

    def vertex(place):
        if place in number:
            return number[place]
        crossings = []
        for a in corners:
            for axis in range(3):
                if a[axis]:
                    continue
                p = tuple(x + y for x, y in zip(place, a))
                q = tuple(x + (k == axis) for k, x in enumerate(p))
                if (values[p] < 0) != (values[q] < 0):
                    t = values[p] / (values[p] - values[q])
                    crossings.append(tuple(x + t * (k == axis) for k, x in enumerate(p)))
        number[place] = len(positions)
        positions.append(at(*(sum(column) / len(crossings) for column in zip(*crossings))))
        return number[place]

    triangles = []
    for place, value in values.items():
        for axis in range(3):
            after = tuple(x + (k == axis) for k, x in enumerate(place))
            if after not in values or (value < 0) == (values[after] < 0) or 0 in (place[(axis + 1) % 3], place[(axis + 2) % 3]):
                continue
            around = []
            for du, dv in ((-1, -1), (0, -1), (0, 0), (-1, 0)):
                shift = [0, 0, 0]
                shift[(axis + 1) % 3], shift[(axis + 2) % 3] = du, dv
                around.append(vertex(tuple(x + y for x, y in zip(place, shift))))
            if value > 0:
                around.reverse()
            triangles += [around[n] for n in (0, 1, 2, 0, 2, 3)]
    return positions, triangles


def about(axis, degrees):
    half = math.radians(degrees) / 2
    return tuple(math.sin(half) * (k == axis) for k in range(3)) + (math.cos(half),)


def times(a, b):
    """The rotation b, then a."""
    (ax, ay, az, aw), (bx, by, bz, bw) = a, b
    return (aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz)


# Joint, parent, where it is, where its limb ends, how thick that is at both ends.
FIGURE = [
    ("Hips", None, (0, 0.96, 0), (0, 1.06, 0), 0.125, 0.11),
    ("Spine", "Hips", (0, 1.08, 0), (0, 1.2, 0), 0.105, 0.115),
    ("Chest", "Spine", (0, 1.23, 0), (0, 1.36, 0), 0.13, 0.115),
    ("Neck", "Chest", (0, 1.45, 0), (0, 1.53, 0.01), 0.055, 0.05),
    ("Head", "Neck", (0, 1.56, 0.01), (0, 1.68, 0.02), 0.085, 0.105),
    *[entry for side, s in ((".L", 1), (".R", -1)) for entry in (
        ("Arm" + side, "Chest", (s * 0.17, 1.4, 0), (s * 0.42, 1.4, 0), 0.06, 0.043),
        ("Forearm" + side, "Arm" + side, (s * 0.44, 1.4, 0), (s * 0.65, 1.4, 0), 0.043, 0.031),
        ("Hand" + side, "Forearm" + side, (s * 0.68, 1.4, 0), (s * 0.78, 1.4, 0), 0.034, 0.03),
        ("Thigh" + side, "Hips", (s * 0.095, 0.9, 0), (s * 0.105, 0.53, 0), 0.09, 0.06),
        ("Shin" + side, "Thigh" + side, (s * 0.105, 0.49, 0), (s * 0.105, 0.12, -0.01), 0.058, 0.04),
        ("Foot" + side, "Shin" + side, (s * 0.105, 0.07, 0), (s * 0.11, 0.045, 0.13), 0.045, 0.038))],
]


def walking(name, phase):
    """The rotation of a joint at a phase of the step, 0 to 1."""
    swing = math.sin(2 * math.pi * phase)
    side = 1 if name.endswith(".L") else -1
    joint = name.split(".")[0]
    if joint == "Thigh":
        return about(0, -32 * swing * side - 6)
    if joint == "Shin":
        return about(0, 12 + 40 * max(0.0, math.sin(2 * math.pi * phase + (1.1 if side > 0 else 1.1 + math.pi))))
    if joint == "Foot":
        return about(0, -6 + 10 * swing * side)
    if joint == "Arm":
        return times(about(0, 34 * swing * side), about(2, -side * 74))
    if joint == "Forearm":
        return about(1, -side * (38 + 14 * swing * side))
    if joint == "Spine":
        return about(1, -7 * swing)
    if joint == "Chest":
        return times(about(1, 11 * swing), about(0, 4))
    if joint == "Head":
        return about(1, -4 * swing)
    return (0.0, 0.0, 0.0, 1.0)


def rounded(rows, digits=6):
    return [tuple(round(n, digits) + 0.0 for n in row) for row in rows]


def skeleton(name, limbs):
    """Nodes: the one that carries the mesh, then the joints."""
    number = {joint: j for j, (joint, *_) in enumerate(limbs)}
    nodes = [{"name": name, "mesh": 0, "skin": 0}]
    for joint, parent, head, *_ in limbs:
        above = limbs[number[parent]][2] if parent else (0, 0, 0)
        node = {"name": joint, "translation": list(rounded([minus(head, above)])[0]), "rotation": [0, 0, 0, 1]}
        below = [number[other] + 1 for other, up, *_ in limbs if up == joint]
        if below:
            node["children"] = below
        nodes.append(node)
    return nodes


def skinned(file, positions, normals, limbs, stored=tuple):
    """Attributes of vertices that follow the nearest limbs. `stored`: what becomes of a position or normal in the file."""
    joints, weights = [], []
    for p in positions:
        pulls = sorted(((math.exp(-(max(to_cone(p, a, b, ta, tb), -0.01) + 0.01) / 0.018), j) for j, (_, _, a, b, ta, tb) in enumerate(limbs)),
                       reverse=True)[:4]
        share = [round(255 * pull / sum(q for q, _ in pulls)) for pull, _ in pulls]
        share[0] += 255 - sum(share)
        joints.append(tuple(j if w else 0 for (_, j), w in zip(pulls, share)))
        weights.append(tuple(share))
    attributes = {"POSITION": file.accessor("VEC3", "f32", rounded(map(stored, positions)), ARRAY_BUFFER, bounds=True),
                  "NORMAL": file.accessor("VEC3", "f32", list(map(stored, normals)), ARRAY_BUFFER),
                  "JOINTS_0": file.accessor("VEC4", "u8", joints, ARRAY_BUFFER),
                  "WEIGHTS_0": file.accessor("VEC4", "u8", weights, ARRAY_BUFFER)}
    file.accessors[attributes["WEIGHTS_0"]]["normalized"] = True
    return attributes


def figure():
    """A figure of one skin over seventeen joints, who walks."""
    field = lambda p: blend([to_cone(p, a, b, ta, tb) for _, _, a, b, ta, tb in FIGURE], 0.016)
    positions, triangles = surface(field, (-0.9, -0.06, -0.28), (0.9, 1.86, 0.28), 0.034)
    normals = [gradient(field, p) for p in positions]
    number = {name: j for j, (name, *_) in enumerate(FIGURE)}
    nodes = skeleton("Figure", FIGURE)
    file = Gltf()
    attributes = skinned(file, positions, normals, FIGURE)
    keys = 9
    moments = file.accessor("SCALAR", "f32", [1.2 * k / (keys - 1) for k in range(keys)], bounds=True)
    channels, samplers = [], []

    def animate(joint, path, rows, shape):
        channels.append({"sampler": len(samplers), "target": {"node": joint + 1, "path": path}})
        samplers.append({"input": moments, "output": file.accessor(shape, "f32", rows), "interpolation": "LINEAR"})

    phases = [k / (keys - 1) for k in range(keys)]
    for name, *_ in FIGURE:
        if walking(name, 0.2) != (0, 0, 0, 1):
            animate(number[name], "rotation", [walking(name, phase) for phase in phases], "VEC4")
    animate(0, "translation", [(0, 0.945 - 0.018 * math.cos(4 * math.pi * phase), 0) for phase in phases], "VEC3")
    file.json.update({
        "scenes": [{"nodes": [0, 1]}], "nodes": nodes,
        "materials": [{"name": "Clay", "pbrMetallicRoughness": {"baseColorFactor": [0.8, 0.42, 0.26, 1], "metallicFactor": 0}}],
        "meshes": [{"name": "Figure", "primitives": [{"attributes": attributes, "material": 0,
                    "indices": file.accessor("SCALAR", "u16", triangles, ELEMENT_ARRAY_BUFFER)}]}],
        "skins": [{"joints": list(range(1, len(FIGURE) + 1)), "skeleton": 1, "inverseBindMatrices": file.accessor(
            "MAT4", "f32", [translation_matrix(*(-x for x in head)) for _, _, head, *_ in FIGURE])}],
        "animations": [{"name": "Walk", "channels": channels, "samplers": samplers}]})
    return file


def garment(name, joints, thick, color, columns, rows):
    """Clothes for the figure, with the joints that they need: a surface `thick` above their limbs, cut along columns and rows of its cells."""
    limbs = [limb for limb in FIGURE if limb[0].split(".")[0] in joints]
    low, high, cell = (-0.9, -0.06, -0.28), (0.9, 1.86, 0.28), 0.034
    field = lambda p: blend([to_cone(p, a, b, ta, tb) for _, _, a, b, ta, tb in limbs], 0.016) - thick
    positions, triangles = surface(field, low, high, cell)
    places = [tuple(int((x - l) / cell) for x, l in zip(p, low)) for p in positions]
    inside = [column in columns and row in rows for column, row, _ in places]
    hem = lambda p, place: (low[0] + (place[0] + 0.5) * cell if place[0] in (columns[0], columns[-1]) else p[0],
                            low[1] + (place[1] + 0.5) * cell if place[1] in (rows[0], rows[-1]) else p[1], p[2])
    positions = [hem(p, place) for p, place in zip(positions, places)]
    faces = [face for face in zip(*[iter(triangles)] * 3) if all(inside[v] for v in face)]
    used = {v: new for new, v in enumerate(sorted({v for face in faces for v in face}))}
    positions = [positions[v] for v in used]
    file = Gltf()
    attributes = skinned(file, positions, [gradient(field, p) for p in positions], limbs)
    file.json.update({
        "scenes": [{"nodes": [0, 1]}], "nodes": skeleton(name, limbs),
        "materials": [{"name": f"{name} cloth", "doubleSided": True, "pbrMetallicRoughness": {"baseColorFactor": [*color, 1], "metallicFactor": 0}}],
        "meshes": [{"name": name, "primitives": [{"attributes": attributes, "material": 0, "indices": file.accessor(
            "SCALAR", "u16", [used[v] for face in faces for v in face], ELEMENT_ARRAY_BUFFER)}]}],
        "skins": [{"joints": list(range(1, len(limbs) + 1)), "skeleton": 1, "inverseBindMatrices": file.accessor(
            "MAT4", "f32", [translation_matrix(*(-x for x in head)) for _, _, head, *_ in limbs])}]})
    return file


def jacket():
    return garment("Jacket", ("Hips", "Spine", "Chest", "Arm", "Forearm"), 0.024, (0.09, 0.25, 0.45), range(7, 46), range(29, 50))


def trousers():
    return garment("Trousers", ("Hips", "Spine", "Thigh", "Shin"), 0.014, (0.16, 0.17, 0.19), range(16, 37), range(5, 33))


def hill(p, middle, size):
    return math.exp(-sum(((a - b) / s) ** 2 for a, b, s in zip(p, middle, size)))


def ball(middle, radius, rings, around, pole=1):
    """Positions, normals, texture coordinates and triangles of a sphere with its poles on the axis `pole`, y or z."""
    normals, texcoords, triangles = [], [], []
    for i in range(rings + 1):
        for j in range(around + 1):
            theta, phi = math.pi * i / rings, 2 * math.pi * j / around
            round_y = (math.sin(theta) * math.sin(phi), math.cos(theta), math.sin(theta) * math.cos(phi))
            normals.append(round_y if pole == 1 else (round_y[2], round_y[0], round_y[1]))
            texcoords.append((j / around, i / rings))
    for i in range(rings):
        for j in range(around):
            a, b = i * (around + 1) + j, (i + 1) * (around + 1) + j
            triangles += ([a, b, a + 1] if i else []) + ([a + 1, b, b + 1] if i + 1 < rings else [])
    return [tuple(m + radius * n for m, n in zip(middle, normal)) for normal in normals], normals, texcoords, triangles


def face():
    """A head with five blend shapes, and a clip that goes through them."""
    def field(p):
        x, y, z = abs(p[0]), p[1], p[2]
        skull = math.sqrt((x / 0.78) ** 2 + (y / 1.0) ** 2 + (z / 0.86) ** 2) * 0.86 - 0.86
        parts = [skull, to_cone((x, y, z), (0, 0.12, 0.8), (0, -0.16, 0.99), 0.05, 0.1), to_cone((x, y, z), (0, -0.66, 0.42), (0, -0.7, 0.52), 0.2, 0.16),
                 to_cone((x, y, z), (0.12, 0.3, 0.74), (0.46, 0.26, 0.6), 0.09, 0.08), to_cone((x, y, z), (0.74, 0.08, 0), (0.8, -0.12, 0.02), 0.13, 0.09)]
        socket = 0.16 * hill((x, y, z), (0.3, 0.13, 0.8), (0.17, 0.12, 0.4))
        mouth = 0.07 * hill((x, y, z), (0, -0.4, 0.85), (0.28, 0.035, 0.4))
        lips = 0.05 * hill((x, y, z), (0, -0.4, 0.85), (0.26, 0.1, 0.4))
        return blend(parts, 0.035) + socket + mouth - lips

    positions, triangles = surface(field, (-1.0, -1.2, -1.1), (1.0, 1.2, 1.25), 0.078)
    normals = [gradient(field, p) for p in positions]
    lip = lambda p: hill((abs(p[0]), p[1], p[2]), (0, -0.4, 0.85), (0.27, 0.085, 0.3))
    skin, red = (0.80, 0.48, 0.34), (0.55, 0.12, 0.11)
    colors = [tuple(a + (b - a) * min(1, 1.3 * lip(p)) for a, b in zip(skin, red)) for p in positions]
    corner = lambda p: hill((abs(p[0]), p[1], p[2]), (0.3, -0.4, 0.7), (0.17, 0.16, 0.35))
    below = lambda p: 1 / (1 + math.exp((p[1] + 0.41) / 0.02)) * hill((p[0], max(p[1], -0.41), p[2]), (0, -0.41, 0.8), (0.62, 1, 0.75))
    brow = lambda p: hill((abs(p[0]), p[1], p[2]), (0.3, 0.34, 0.7), (0.26, 0.16, 0.3))
    cheek = lambda p: hill((abs(p[0]), p[1], p[2]), (0.42, -0.16, 0.62), (0.2, 0.2, 0.3))
    shapes = {
        "Smile": [(math.copysign(0.13, p[0]) * corner(p), 0.15 * corner(p) + 0.03 * cheek(p), -0.03 * corner(p) + 0.05 * cheek(p)) for p in positions],
        "Open": [(0, -0.24 * below(p), -0.05 * below(p)) for p in positions],
        "Sad": [(math.copysign(0.02, p[0]) * corner(p), -0.14 * corner(p) + math.copysign(0.06, 0.3 - abs(p[0])) * brow(p), 0) for p in positions],
        "Brows": [(0, 0.13 * brow(p), 0.02 * brow(p)) for p in positions],
        "Puff": [(math.copysign(0.16, p[0]) * cheek(p), 0, 0.1 * cheek(p)) for p in positions]}
    file = Gltf()
    targets = []
    for rows in shapes.values():
        moved = {i: row for i, row in enumerate(rounded(rows, 4)) if any(row)}
        targets.append({"POSITION": file.sparse_accessor("VEC3", len(positions), moved)})
    eyes = [ball((side * 0.29, 0.13, 0.63), 0.15, 18, 20, pole=2) for side in (-1, 1)]
    primitives = [{"attributes": {"POSITION": file.accessor("VEC3", "f32", rounded(positions), ARRAY_BUFFER, bounds=True),
                                  "NORMAL": file.accessor("VEC3", "f32", normals, ARRAY_BUFFER),
                                  "COLOR_0": file.accessor("VEC3", "f32", rounded(colors, 4), ARRAY_BUFFER)},
                   "indices": file.accessor("SCALAR", "u16", triangles, ELEMENT_ARRAY_BUFFER), "material": 0, "targets": targets}]
    meshes = [{"name": "Head", "weights": [0] * len(shapes), "extras": {"targetNames": list(shapes)}, "primitives": primitives}]
    nodes = [{"name": "Head", "mesh": 0, "children": [1, 2]}]
    for side, (eye_positions, eye_normals, _, eye_triangles) in zip(("Right", "Left"), eyes):
        shade = [(0.02, 0.02, 0.03) if n[2] > 0.955 else (0.12, 0.3, 0.42) if n[2] > 0.83 else (0.9, 0.9, 0.88) for n in eye_normals]
        nodes.append({"name": f"{side} eye", "mesh": len(meshes)})
        meshes.append({"name": f"{side} eye", "primitives": [{
            "attributes": {"POSITION": file.accessor("VEC3", "f32", rounded(eye_positions), ARRAY_BUFFER, bounds=True),
                           "NORMAL": file.accessor("VEC3", "f32", eye_normals, ARRAY_BUFFER),
                           "COLOR_0": file.accessor("VEC3", "f32", shade, ARRAY_BUFFER)},
            "indices": file.accessor("SCALAR", "u16", eye_triangles, ELEMENT_ARRAY_BUFFER), "material": 0}]})
    keys = [(0, 0, 0, 0, 0), (1, 0, 0, 0.3, 0), (1, 0.6, 0, 0.8, 0), (0, 0, 0, 0, 1), (0, 0, 1, 0, 0), (0, 0, 0, 0, 0)]
    file.json.update({
        "scenes": [{"nodes": [0]}], "nodes": nodes, "meshes": meshes,
        "materials": [{"name": "Painted", "pbrMetallicRoughness": {"baseColorFactor": [1, 1, 1, 1], "metallicFactor": 0}}],
        "animations": [{"name": "Moods", "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}], "samplers": [{
            "input": file.accessor("SCALAR", "f32", range(len(keys)), bounds=True),
            "output": file.accessor("SCALAR", "f32", [n for key in keys for n in key]), "interpolation": "LINEAR"}]}]})
    return file


def png(width, height, pixel):
    """A PNG file of 8-bit RGB."""
    rows = b"".join(b"\0" + bytes(c for x in range(width) for c in pixel(x, y)) for y in range(height))
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def globe():
    """A beach ball with a texture, in a frame of lines."""
    stripes = [(214, 60, 48), (250, 250, 246), (33, 113, 181), (250, 250, 246), (246, 190, 40), (250, 250, 246)]
    image = png(96, 48, lambda x, y: (250, 250, 246) if y < 4 or y >= 44 else stripes[x * 6 // 96])
    positions, normals, texcoords, triangles = ball((0, 0, 0), 1, 24, 48)
    file = Gltf()
    ring = [(1.25 * math.cos(2 * math.pi * k / 48), 0, 1.25 * math.sin(2 * math.pi * k / 48)) for k in range(48)]
    file.json.update({
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "Ball", "mesh": 0, "rotation": about(2, -20)}],
        "images": [{"name": "Stripes", "uri": "data:image/png;base64," + base64.b64encode(image).decode("ascii")}],
        "samplers": [{"magFilter": 9729, "minFilter": 9987, "wrapS": 10497, "wrapT": 33071}],
        "textures": [{"sampler": 0, "source": 0}],
        "materials": [{"name": "Rubber", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicFactor": 0}},
                      {"name": "Ring", "pbrMetallicRoughness": {"baseColorFactor": [0.15, 0.16, 0.2, 1], "metallicFactor": 0}}],
        "meshes": [{"name": "Ball", "primitives": [
            {"attributes": {"POSITION": file.accessor("VEC3", "f32", rounded(positions), ARRAY_BUFFER, bounds=True),
                            "NORMAL": file.accessor("VEC3", "f32", rounded(normals, 5), ARRAY_BUFFER),
                            "TEXCOORD_0": file.accessor("VEC2", "f32", texcoords, ARRAY_BUFFER)},
             "indices": file.accessor("SCALAR", "u16", triangles, ELEMENT_ARRAY_BUFFER), "material": 0},
            {"attributes": {"POSITION": file.accessor("VEC3", "f32", ring, ARRAY_BUFFER, bounds=True)}, "mode": 2, "material": 1}]}]})
    return file


def galaxy():
    """A cloud of points with colours."""
    chance = random.Random(7)
    positions, colors = [], []
    for i in range(6000):
        radius = 0.05 + 1.0 * math.sqrt(chance.random())
        arm = chance.randrange(2) * math.pi
        spread = chance.gauss(0, 0.22)
        angle = arm + 3.6 * math.log(radius + 0.35) + spread / (0.3 + radius)
        positions.append((radius * math.cos(angle), chance.gauss(0, 0.05 / (0.4 + radius)), radius * math.sin(angle)))
        warm = math.exp(-3 * radius)
        colors.append((0.20 + 0.75 * warm, 0.35 + 0.3 * warm, 0.9 - 0.55 * warm))
    file = Gltf()
    file.json.update({
        "scenes": [{"nodes": [0]}], "nodes": [{"name": "Galaxy", "mesh": 0}],
        "meshes": [{"name": "Galaxy", "primitives": [{"mode": 0, "attributes": {
            "POSITION": file.accessor("VEC3", "f32", rounded(positions, 4), ARRAY_BUFFER, bounds=True),
            "COLOR_0": file.accessor("VEC3", "f32", rounded(colors, 3), ARRAY_BUFFER)}}]}]})
    return file


def sphere(dimension):
    """Points of a sphere and the simplexes of its boundary: in four dimensions the 16-cell's, in three a finer one."""
    points = [tuple(side * (k == axis) for k in range(dimension)) for axis in range(dimension) for side in (1, -1)]
    simplexes = [tuple(2 * axis + side for axis, side in enumerate(sides)) for sides in itertools.product((0, 1), repeat=dimension)]
    if dimension != 3:
        return points, simplexes
    for _ in range(2):
        middle, finer = {}, []

        def between(a, b):
            key = tuple(sorted((a, b)))
            if key not in middle:
                middle[key] = len(points)
                points.append(unit(tuple(x + y for x, y in zip(points[a], points[b]))))
            return middle[key]

        for a, b, c in simplexes:
            ab, bc, ca = between(a, b), between(b, c), between(c, a)
            finer += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        simplexes = finer
    return points, simplexes


# The hair of the avatar: strands of four joints around the back of the head.
HAIR = []
for strand, angle in enumerate((-80, -40, 0, 40, 80)):
    sine, cosine = math.sin(math.radians(angle)), math.cos(math.radians(angle))
    places = [(sine * (0.095 + out), 1.7 - 0.085 * k - 0.02 * (k == 0), 0.01 - cosine * (0.09 + out)) for k, out in enumerate((0, 0.03, 0.045, 0.045, 0.03))]
    for k in range(4):
        HAIR.append((f"Hair {strand + 1}.{k + 1}", f"Hair {strand + 1}.{k}" if k else "Head", places[k], places[k + 1], 0.042 - 0.006 * k, 0.036 - 0.006 * k))
HUMAN = {"hips": "Hips", "spine": "Spine", "chest": "Chest", "neck": "Neck", "head": "Head",
         **{side + bone: name + end for side, end in (("left", ".L"), ("right", ".R")) for bone, name in (
             ("UpperArm", "Arm"), ("LowerArm", "Forearm"), ("Hand", "Hand"), ("UpperLeg", "Thigh"), ("LowerLeg", "Shin"), ("Foot", "Foot"))}}


def back(p):
    """VRM 0.x looks along -Z."""
    return (0.0 - p[0], p[1], 0.0 - p[2])


def avatar_face(file, joints):
    """Eyes and a mouth, with the shapes Blink, Smile and Open. Returns the primitives."""
    primitives = []
    parts = [((side * 0.042, 1.665, 0.107), (0.016, 0.021, 0.012), 1, "eye") for side in (1, -1)] + [((0, 1.6, 0.1), (0.032, 0.007, 0.012), 2, "mouth")]
    for middle, size, material, part in parts:
        normals, triangles = ball((0, 0, 0), 1, 8, 12)[1], ball((0, 0, 0), 1, 8, 12)[3]
        place = lambda n, sizes=size: tuple(m + s * x for m, s, x in zip(middle, sizes, n))
        rest = [place(n) for n in normals]
        shapes = [[(0, 0, 0)] * len(rest) for _ in range(3)]
        if part == "eye":
            shapes[0] = [(0, place(n, (size[0], 0.003, size[2]))[1] - p[1], 0) for n, p in zip(normals, rest)]
        else:
            shapes[1] = [(0.35 * (p[0] - middle[0]), 0.3 * abs(p[0] - middle[0]), 0) for p in rest]
            shapes[2] = [(-0.3 * (p[0] - middle[0]), 2.2 * (p[1] - middle[1]), 0) for p in rest]
        count = len(rest)
        vec = lambda rows, **more: file.accessor("VEC3", "f32", rounded(map(back, rows)), ARRAY_BUFFER, **more)
        primitives.append({"attributes": {"POSITION": vec(rest, bounds=True), "NORMAL": vec(normals),
                                          "JOINTS_0": file.accessor("VEC4", "u8", [(joints.index("Head"), 0, 0, 0)] * count, ARRAY_BUFFER),
                                          "WEIGHTS_0": file.accessor("VEC4", "f32", [(1, 0, 0, 0)] * count, ARRAY_BUFFER)},
                           "indices": file.accessor("SCALAR", "u16", triangles, ELEMENT_ARRAY_BUFFER), "material": material,
                           "targets": [{"POSITION": vec(shape, bounds=True)} for shape in shapes], "extras": {"targetNames": ["Blink", "Smile", "Open"]}})
    return primitives


def srgb(color):
    return [round(12.92 * x if x <= 0.0031308 else 1.055 * x ** (1 / 2.4) - 0.055, 4) for x in color]


def toon(name, color, shade):
    """VRM 0.x stores colours as sRGB."""
    vectors = {"_Color": [*srgb(color), 1], "_ShadeColor": [*srgb(shade), 1], "_EmissionColor": [0, 0, 0, 1], "_OutlineColor": [0.1, 0.05, 0.02, 1], "_MainTex": [0, 0, 1, 1]}
    floats = {"_BlendMode": 0, "_CullMode": 2, "_ShadeShift": 0, "_ShadeToony": 0.8, "_OutlineWidthMode": 1, "_OutlineWidth": 0.08}
    return {"name": name, "shader": "VRM/MToon", "renderQueue": 2000, "floatProperties": floats, "vectorProperties": vectors, "textureProperties": {},
            "keywordMap": {}, "tagMap": {"RenderType": "Opaque"}}


def avatar():
    """The figure as an avatar of VRM 0.x: it looks along -Z, has a face with expressions, and hair that swings."""
    body_field = lambda p: blend([to_cone(p, a, b, ta, tb) for _, _, a, b, ta, tb in FIGURE], 0.016)
    cap = ("Head", None, (0, 1.705, -0.015), (0, 1.66, -0.03), 0.115, 0.105)
    hair_limbs = [cap, *HAIR]
    hair_field = lambda p: max(blend([to_cone(p, a, b, ta, tb) for _, _, a, b, ta, tb in hair_limbs], 0.01), p[2] - 0.06 - 0.8 * max(0.0, p[1] - 1.72))
    file = Gltf()
    joints = [name for name, *_ in FIGURE + HAIR]
    places = {name: head for name, _, head, *_ in FIGURE + HAIR}
    nodes = [{"name": "Body", "mesh": 0, "skin": 0}, {"name": "Face", "mesh": 1, "skin": 0}, {"name": "Hair", "mesh": 2, "skin": 1}]
    for name, parent, head, *_ in FIGURE + HAIR:
        node = {"name": name, "translation": list(rounded([back(minus(head, places.get(parent, (0, 0, 0))))])[0])}
        below = [3 + j for j, (_, up, *_) in enumerate(FIGURE + HAIR) if up == name]
        nodes.append({**node, "children": below} if below else node)

    def primitive(field, low, high, cell, limbs, material):
        positions, triangles = surface(field, low, high, cell)
        normals = [gradient(field, p) for p in positions]
        attributes = skinned(file, positions, normals, limbs, back)
        return {"attributes": attributes, "material": material, "indices": file.accessor("SCALAR", "u16", triangles, ELEMENT_ARRAY_BUFFER)}

    body = primitive(body_field, (-0.9, -0.06, -0.28), (0.9, 1.86, 0.28), 0.034, FIGURE, 0)
    hair = primitive(hair_field, (-0.24, 1.26, -0.24), (0.24, 1.9, 0.16), 0.024, hair_limbs, 3)
    skin = lambda names: {"joints": [3 + joints.index(name) for name in names],
                          "inverseBindMatrices": file.accessor("MAT4", "f32", [translation_matrix(*back(minus((0, 0, 0), places[name]))) for name in names])}
    colors = [("Clay", (0.8, 0.42, 0.26), (0.6, 0.25, 0.2)), ("Eyes", (0.05, 0.05, 0.07), (0.02, 0.02, 0.03)), ("Mouth", (0.5, 0.1, 0.1), (0.3, 0.05, 0.05)),
              ("Hair", (0.28, 0.13, 0.06), (0.15, 0.06, 0.04))]
    sphere = lambda x, y, z, radius: {"offset": {"x": x, "y": y, "z": z}, "radius": radius}
    shape = lambda name, preset, index: {"name": name, "presetName": preset, "isBinary": False, "binds": [{"mesh": 1, "index": index, "weight": 100}], "materialValues": []}
    look = {"xRange": 90, "yRange": 10}
    node = lambda name: 3 + joints.index(name)
    file.json.update({
        "extensionsUsed": ["VRM", "KHR_materials_unlit"], "scenes": [{"nodes": [0, 1, 2, 3]}], "nodes": nodes,
        "materials": [{"name": name, "pbrMetallicRoughness": {"baseColorFactor": [*color, 1], "metallicFactor": 0}} for name, color, _ in colors],
        "meshes": [{"name": "Body", "primitives": [body]}, {"name": "Face", "primitives": avatar_face(file, joints)}, {"name": "Hair", "primitives": [hair]}],
        "skins": [skin([name for name, *_ in FIGURE]), skin(["Head", *(name for name, *_ in HAIR)])],
        "extensions": {"VRM": {
            "specVersion": "0.0",
            "meta": {"title": "Clay", "version": "1", "author": "Sinew", "allowedUserName": "Everyone", "violentUssageName": "Disallow", "sexualUssageName": "Disallow",
                     "commercialUssageName": "Allow", "licenseName": "Other", "otherLicenseUrl": "https://opensource.org/license/mit"},
            "humanoid": {"humanBones": [{"bone": bone, "node": node(name), "useDefaultValues": True} for bone, name in HUMAN.items()]},
            "firstPerson": {"firstPersonBone": node("Head"), "firstPersonBoneOffset": {"x": 0, "y": 0.1, "z": 0.1}, "lookAtTypeName": "Bone",
                            "lookAtHorizontalInner": look, "lookAtHorizontalOuter": look, "lookAtVerticalDown": look, "lookAtVerticalUp": look,
                            "meshAnnotations": [{"mesh": 0, "firstPersonFlag": "Auto"}, {"mesh": 1, "firstPersonFlag": "ThirdPersonOnly"},
                                                {"mesh": 2, "firstPersonFlag": "ThirdPersonOnly"}]},
            "blendShapeMaster": {"blendShapeGroups": [shape("Joy", "joy", 1), shape("A", "a", 2), shape("Blink", "blink", 0)]},
            "secondaryAnimation": {
                "boneGroups": [{"comment": "hair", "stiffiness": 0.8, "gravityPower": 0.2, "gravityDir": {"x": 0, "y": -1, "z": 0}, "dragForce": 0.4, "center": -1,
                                "hitRadius": 0.03, "bones": [node(f"Hair {strand + 1}.1") for strand in range(5)], "colliderGroups": [0, 1]}],
                "colliderGroups": [{"node": node("Head"), "colliders": [sphere(0, 0.1, 0, 0.1)]}, {"node": node("Chest"), "colliders": [sphere(0, 0.08, 0, 0.12)]}]},
            "materialProperties": [toon(*color) for color in colors]}}})
    return file


def glb(file):
    """The bytes of a binary glTF file."""
    file.json.update(accessors=file.accessors, bufferViews=file.views, buffers=[{"byteLength": len(file.data)}])
    return glb_bytes(file.json, bytes(file.data))


def arm(dimension):
    """A closed arm along x, round in all other directions, with four bones, and a pose that curls it towards y and w at once."""
    bones, stations, length = 4, 13, 3.0
    ring, simplexes = sphere(dimension - 1)
    vertices, weights, cells = [], [], []
    for s in range(stations):
        x = length * s / (stations - 1)
        radius = 0.42 - 0.06 * x
        vertices += [(x, *(radius * p for p in point)) for point in ring]
        at = min(max(x / length * bones - 0.5, 0), bones - 1)
        below = min(int(at), bones - 2)
        part = round(at - below, 4)
        weights += [[(below, 1 - part), (below + 1, part)]] * len(ring)
    ends = [(len(vertices), 0), (len(vertices) + 1, stations - 1)]
    vertices += [(0.0,) * dimension, (length,) + (0.0,) * (dimension - 1)]
    weights += [[(0, 1.0)], [(bones - 1, 1.0)]]
    for s in range(stations - 1):
        for simplex in map(sorted, simplexes):
            near, far = ([k * len(ring) + p for p in simplex] for k in (s, s + 1))
            cells += [near[:j + 1] + far[j:] for j in range(dimension - 1)]
    cells += [[middle, *(s * len(ring) + p for p in simplex)] for middle, s in ends for simplex in simplexes]
    for cell in cells:  # face out
        corners = [vertices[i] for i in cell]
        center = [sum(column) / dimension for column in zip(*corners)]
        inside = (min(max(center[0], 0.2), length - 0.2),) + (0.0,) * (dimension - 1)
        if dot(perpendicular([minus(c, corners[0]) for c in corners[1:]]), minus(center, inside)) < 0:
            cell[0], cell[1] = cell[1], cell[0]
    model = Builder(dimension, "2026-01", generator="sinew make_show_samples.py")
    model.node(name="Root")
    rig = model.node(0, name="Arm", skeleton={"joints": list(range(2, 2 + bones))})
    above = rig
    for bone in range(bones):
        step = {"position": [length / bones] + [0] * (dimension - 1)} if bone else {}
        above = model.node(above, name=f"Bone {bone + 1}", bone={}, **step)
    skin = model.skin(weights, groupNames=[f"Bone {bone + 1}" for bone in range(bones)])
    mesh = model.mesh(model.accessor("float32", rounded(vertices)), [{"simplexes": model.accessor("uint16", cells)}], skin=skin)
    model.node(rig, name="Body", mesh=mesh)
    half = math.radians(33) / 2
    rotor = [0.0] * (2 ** (dimension - 1))
    rotor[0], rotor[1], rotor[4] = math.cos(half), 0.8 * math.sin(half), 0.6 * math.sin(half)
    pose = {"nodes": {f"Bone {bone + 1}": {"rotor": rounded([rotor], 9)[0]} for bone in range(1, bones)}}
    return {f"arm_{dimension}d.g4tf": model.text(), f"arm_{dimension}d.pose.json": (json.dumps(pose, indent=2) + "\n").encode()}


SAMPLES = {"figure": figure, "jacket": jacket, "trousers": trousers, "face": face, "globe": globe, "galaxy": galaxy}


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent / "samples" / "show"
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in SAMPLES.items():
        make().write(folder / f"{name}.gltf")
    for name, data in {**arm(4), **arm(5), "avatar.vrm": glb(avatar())}.items():
        (folder / name).write_bytes(data)


if __name__ == "__main__":
    main()
