#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the small models of samples/gltf, always the same bytes. Needs nothing beyond Python's standard library.

usage: make_samples.py [FOLDER]      default: samples/gltf beside this script's folder
"""
import base64
import json
import math
import struct
import sys
from pathlib import Path

COMPONENTS = {"u8": (5121, "B"), "u16": (5123, "H"), "f32": (5126, "f")}
ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER = 34962, 34963


class Gltf:
    """A glTF file with one embedded buffer, grown array by array."""

    def __init__(self):
        self.data = bytearray()
        self.json = {"asset": {"version": "2.0", "generator": "sinew make_samples.py"}, "scene": 0}
        self.views = []
        self.accessors = []

    def view(self, kind, numbers, target=None):
        self.data += bytes(-len(self.data) % 4)
        packed = struct.pack(f"<{len(numbers)}{COMPONENTS[kind][1]}", *numbers)
        entry = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(packed)}
        if target:
            entry["target"] = target
        self.data += packed
        self.views.append(entry)
        return len(self.views) - 1

    def accessor(self, shape, kind, rows, target=None, bounds=False):
        """rows: numbers (SCALAR) or equal tuples; returns the accessor's index."""
        rows = [row if isinstance(row, (tuple, list)) else (row,) for row in rows]
        entry = {"bufferView": self.view(kind, [n for row in rows for n in row], target),
                 "componentType": COMPONENTS[kind][0], "count": len(rows), "type": shape}
        if bounds:
            entry.update(self.bounds(kind, rows))
        self.accessors.append(entry)
        return len(self.accessors) - 1

    def sparse_accessor(self, shape, count, changed):
        """float32 zeros, but for `changed`: {row: values}."""
        rows = [changed.get(row, (0,) * len(next(iter(changed.values())))) for row in range(count)]
        entry = {"componentType": COMPONENTS["f32"][0], "count": count, "type": shape,
                 "sparse": {"count": len(changed),
                            "indices": {"bufferView": self.view("u16", sorted(changed)), "componentType": COMPONENTS["u16"][0]},
                            "values": {"bufferView": self.view("f32", [n for row in sorted(changed) for n in changed[row]])}},
                 **self.bounds("f32", rows)}
        self.accessors.append(entry)
        return len(self.accessors) - 1

    @staticmethod
    def bounds(kind, rows):
        stored = [struct.unpack(f"<{len(row)}{COMPONENTS[kind][1]}", struct.pack(f"<{len(row)}{COMPONENTS[kind][1]}", *row)) for row in rows]
        return {"min": [min(column) for column in zip(*stored)], "max": [max(column) for column in zip(*stored)]}

    def write(self, path):
        self.json["accessors"] = self.accessors
        self.json["bufferViews"] = self.views
        uri = "data:application/octet-stream;base64," + base64.b64encode(bytes(self.data)).decode("ascii")
        self.json["buffers"] = [{"byteLength": len(self.data), "uri": uri}]
        path.write_text(json.dumps(self.json, indent=2) + "\n", encoding="utf-8", newline="\n")


def about_z(degrees):
    half = math.radians(degrees) / 2
    return (0.0, 0.0, math.sin(half), math.cos(half))


def translation_matrix(x, y, z):
    return (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1)


def simple_skin():
    """The rectangle of the glTF tutorial's chapters on skins: two joints, the upper one swinging to +90 and -90 degrees."""
    file = Gltf()
    positions = [(x, y / 2, 0) for y in range(5) for x in (-0.5, 0.5)]
    triangles = [n for row in range(0, 8, 2) for n in (row, row + 1, row + 3, row, row + 3, row + 2)]
    weights = [(1 - w, w, 0, 0) for w in (0, 0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 1, 1)]
    joints = [(0, 1 if row[1] else 0, 0, 0) for row in weights]
    file.json.update({
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"name": "Rectangle", "mesh": 0, "skin": 0},
                  {"name": "Lower", "children": [2]},
                  {"name": "Upper", "translation": [0, 1, 0], "rotation": [0, 0, 0, 1]}],
        "meshes": [{"name": "Rectangle", "primitives": [{
            "attributes": {"POSITION": file.accessor("VEC3", "f32", positions, ARRAY_BUFFER, bounds=True),
                           "JOINTS_0": file.accessor("VEC4", "u8", joints, ARRAY_BUFFER),
                           "WEIGHTS_0": file.accessor("VEC4", "f32", weights, ARRAY_BUFFER)},
            "indices": file.accessor("SCALAR", "u16", triangles, ELEMENT_ARRAY_BUFFER)}]}],
        "skins": [{"joints": [1, 2], "skeleton": 1, "inverseBindMatrices": file.accessor(
            "MAT4", "f32", [translation_matrix(0, 0, 0), translation_matrix(0, -1, 0)])}],
        "animations": [{"name": "Swing", "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}], "samplers": [{
            "input": file.accessor("SCALAR", "f32", [0, 1.375, 2.75, 4.125, 5.5], bounds=True),
            "output": file.accessor("VEC4", "f32", [about_z(degrees) for degrees in (0, 90, 0, -90, 0)]),
            "interpolation": "LINEAR"}]}]})
    return file


def cube_faces():
    """Corners, normals and triangles of the cube from -1 to 1, four vertices per face."""
    positions, normals, triangles = [], [], []
    for axis in range(3):
        for side in (-1, 1):
            u, v = (axis + 1) % 3, (axis + 2) % 3
            first = len(positions)
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                corner, normal = [0, 0, 0], [0, 0, 0]
                corner[axis], corner[u], corner[v] = side, a * side, b
                normal[axis] = side
                positions.append(tuple(corner))
                normals.append(tuple(normal))
            triangles += [first + n for n in (0, 1, 2, 0, 2, 3)]
    return positions, normals, triangles


def morph_cube():
    """Two blend shapes, one of them stored sparsely, and a clip of their amounts with cubic splines."""
    file = Gltf()
    positions, normals, triangles = cube_faces()
    top = [i for i, (_, y, _) in enumerate(positions) if y == 1]
    stretch = [(0, 1, 0) if i in top else (0, 0, 0) for i in range(len(positions))]
    taper = {i: (-positions[i][0] / 2, 0, -positions[i][2] / 2) for i in top}
    keys = [(0, 0), (1, 0), (0, 1)]
    flat = (0, 0)
    file.json.update({
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "Cube", "mesh": 0}],
        "meshes": [{"name": "Cube", "weights": [0, 0], "extras": {"targetNames": ["Stretch", "Taper"]}, "primitives": [{
            "attributes": {"POSITION": file.accessor("VEC3", "f32", positions, ARRAY_BUFFER, bounds=True),
                           "NORMAL": file.accessor("VEC3", "f32", normals, ARRAY_BUFFER)},
            "indices": file.accessor("SCALAR", "u16", triangles, ELEMENT_ARRAY_BUFFER),
            "targets": [{"POSITION": file.accessor("VEC3", "f32", stretch, ARRAY_BUFFER, bounds=True)},
                        {"POSITION": file.sparse_accessor("VEC3", len(positions), taper)}]}]}],
        "animations": [{"name": "Breathe", "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}], "samplers": [{
            "input": file.accessor("SCALAR", "f32", [0, 1, 2], bounds=True),
            "output": file.accessor("SCALAR", "f32", [n for key in keys for part in (flat, key, flat) for n in part]),
            "interpolation": "CUBICSPLINE"}]}]})
    return file


def mirrored_pair():
    """One mesh under two nodes; the second node mirrors it (scale -1 along x) and is moved by a matrix above it."""
    file = Gltf()
    positions, normals, triangles = cube_faces()
    positions = [(x + 2, y, z) if y < 0 else (x / 2 + 1.5, y, z) for x, y, z in positions]
    slanted = (2 / math.sqrt(5), 1 / math.sqrt(5), 0)
    normals = [slanted if normal == (1, 0, 0) else normal for normal in normals]
    texcoords = [((x - 1) / 2, (1 - y) / 2) for x, y, _ in positions]
    file.json.update({
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"name": "Right", "mesh": 0},
                  {"name": "Frame", "children": [2], "matrix": list(translation_matrix(0, 0, 0.5))},
                  {"name": "Left", "mesh": 0, "scale": [-1, 1, 1]}],
        "materials": [{"name": "Paint", "pbrMetallicRoughness": {"baseColorFactor": [0.8, 0.3, 0.1, 1], "metallicFactor": 0}}],
        "meshes": [{"name": "Wedge", "primitives": [{
            "attributes": {"POSITION": file.accessor("VEC3", "f32", positions, ARRAY_BUFFER, bounds=True),
                           "NORMAL": file.accessor("VEC3", "f32", normals, ARRAY_BUFFER),
                           "TEXCOORD_0": file.accessor("VEC2", "f32", texcoords, ARRAY_BUFFER)},
            "indices": file.accessor("SCALAR", "u16", triangles, ELEMENT_ARRAY_BUFFER), "material": 0}]}]})
    return file


def tube():
    """A tube of height 8 along eight joints; every vertex hangs on all eight (JOINTS_0 and JOINTS_1), and the clip curls it."""
    file = Gltf()
    joints, rings, around = 8, 17, 12
    positions, normals, tangents, weights, triangles = [], [], [], [], []
    for ring in range(rings):
        height = joints * ring / (rings - 1)
        pull = [math.exp(-((height - joint - 0.5) ** 2)) for joint in range(joints)]
        for step in range(around):
            angle = 2 * math.pi * step / around
            positions.append((0.5 * math.cos(angle), height, 0.5 * math.sin(angle)))
            normals.append((math.cos(angle), 0, math.sin(angle)))
            tangents.append((-math.sin(angle), 0, math.cos(angle), 1))
            weights.append([p / sum(pull) for p in pull])
    for ring in range(rings - 1):
        for step in range(around):
            a, b = ring * around + step, ring * around + (step + 1) % around
            triangles += [a, a + around, b, b, a + around, b + around]
    nodes = [{"name": "Tube", "mesh": 0, "skin": 0}]
    for joint in range(joints):
        node = {"name": f"Joint {joint}", "translation": [0, 1 if joint else 0, 0], "rotation": [0, 0, 0, 1]}
        if joint + 1 < joints:
            node["children"] = [joint + 2]
        nodes.append(node)
    count = len(positions)
    file.json.update({
        "scenes": [{"nodes": [0, 1]}], "nodes": nodes,
        "meshes": [{"name": "Tube", "primitives": [{
            "attributes": {"POSITION": file.accessor("VEC3", "f32", positions, ARRAY_BUFFER, bounds=True),
                           "NORMAL": file.accessor("VEC3", "f32", normals, ARRAY_BUFFER),
                           "TANGENT": file.accessor("VEC4", "f32", tangents, ARRAY_BUFFER),
                           "JOINTS_0": file.accessor("VEC4", "u8", [(0, 1, 2, 3)] * count, ARRAY_BUFFER),
                           "WEIGHTS_0": file.accessor("VEC4", "f32", [row[:4] for row in weights], ARRAY_BUFFER),
                           "JOINTS_1": file.accessor("VEC4", "u8", [(4, 5, 6, 7)] * count, ARRAY_BUFFER),
                           "WEIGHTS_1": file.accessor("VEC4", "f32", [row[4:] for row in weights], ARRAY_BUFFER)},
            "indices": file.accessor("SCALAR", "u16", triangles, ELEMENT_ARRAY_BUFFER)}]}],
        "skins": [{"name": "Spine", "joints": list(range(1, joints + 1)), "skeleton": 1, "inverseBindMatrices": file.accessor(
            "MAT4", "f32", [translation_matrix(0, -joint, 0) for joint in range(joints)])}]})
    times = file.accessor("SCALAR", "f32", [0, 2, 4], bounds=True)
    curl = file.accessor("VEC4", "f32", [about_z(degrees) for degrees in (0, 45, 0)])
    file.json["animations"] = [{
        "name": "Curl", "samplers": [{"input": times, "output": curl, "interpolation": "LINEAR"}],
        "channels": [{"sampler": 0, "target": {"node": joint + 1, "path": "rotation"}} for joint in range(1, joints)]}]
    return file


SAMPLES = {"simple_skin": simple_skin, "morph_cube": morph_cube, "mirrored_pair": mirrored_pair, "tube_8_influences": tube}


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent / "samples" / "gltf"
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in SAMPLES.items():
        make().write(folder / f"{name}.gltf")


if __name__ == "__main__":
    main()
