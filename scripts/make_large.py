#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a large skinned model to measure with: a figure of tubes (trunk, arms, legs, fingers), four influences per vertex, normals and
texture coordinates, and a clip of two seconds that turns every joint.

usage: make_large.py FILE.glb [--vertices 100000]
"""
import argparse
import json
import struct

import numpy as np

AROUND = 25  # vertices of a ring: the seam has two, with different texture coordinates
# name, parent (or None), joint of the parent's chain to start at, offset from it, direction, joints, length, radius
CHAINS = [
    ("Trunk", None, 0, (0, 0.9, 0), (0, 1, 0), 8, 0.8, 0.16),
    ("Left leg", "Trunk", 0, (0.1, 0, 0), (0.05, -1, 0), 8, 0.85, 0.08),
    ("Right leg", "Trunk", 0, (-0.1, 0, 0), (-0.05, -1, 0), 8, 0.85, 0.08),
    ("Left arm", "Trunk", 6, (0.16, 0, 0), (1, -0.1, 0), 10, 0.6, 0.05),
    ("Right arm", "Trunk", 6, (-0.16, 0, 0), (-1, -0.1, 0), 10, 0.6, 0.05),
    ("Left thumb", "Left arm", 9, (0.02, 0, 0.02), (1, 0, 0.8), 3, 0.08, 0.012),
    ("Left finger", "Left arm", 9, (0.04, 0, 0), (1, 0, 0), 4, 0.1, 0.012),
    ("Left ring", "Left arm", 9, (0.03, 0, -0.02), (1, 0, -0.2), 3, 0.1, 0.012),
    ("Right thumb", "Right arm", 9, (-0.02, 0, 0.02), (-1, 0, 0.8), 3, 0.08, 0.012),
    ("Right finger", "Right arm", 9, (-0.04, 0, 0), (-1, 0, 0), 4, 0.1, 0.012),
    ("Right ring", "Right arm", 9, (-0.03, 0, -0.02), (-1, 0, -0.2), 3, 0.1, 0.012),
]


def unit(vector):
    vector = np.asarray(vector, float)
    return vector / np.linalg.norm(vector)


def tube(start, direction, length, radius, joints, first_joint, rings):
    """Positions, normals, texture coordinates, joint slots and weights of one tube along a chain of joints."""
    along = np.linspace(0, 1, rings)[:, None]
    angle = np.linspace(0, 2 * np.pi, AROUND)[None, :]
    side = unit(np.cross(direction, (0.1, 0.2, 1)))
    other = np.cross(direction, side)
    out = np.cos(angle)[..., None] * side + np.sin(angle)[..., None] * other + 0 * along[..., None]
    centre = np.asarray(start) + along[..., None] * length * direction
    positions = centre + radius * out
    texcoords = np.stack(np.broadcast_arrays(angle / (2 * np.pi), along), -1)

    # The four nearest joints, pulling less the farther they are.
    at = along[:, 0] * joints - 0.5
    nearest = np.clip(np.floor(at).astype(int) - 1, 0, max(joints - 4, 0))[:, None] + np.arange(4)
    weights = np.where(nearest < joints, np.exp(-((at[:, None] - nearest) ** 2)), 0)
    weights /= weights.sum(1, keepdims=True)
    slots = np.where(nearest < joints, first_joint + nearest, 0)
    repeat = lambda rows: np.repeat(rows, AROUND, axis=0)
    return positions.reshape(-1, 3), out.reshape(-1, 3), texcoords.reshape(-1, 2), repeat(slots), repeat(weights)


def triangles(rings):
    ring, step = np.meshgrid(np.arange(rings - 1), np.arange(AROUND - 1), indexing="ij")
    a = (ring * AROUND + step).ravel()
    b, c, d = a + 1, a + AROUND, a + AROUND + 1
    return np.stack([a, b, c, b, d, c], 1).reshape(-1)


class Glb:
    def __init__(self):
        self.parts, self.size, self.views, self.accessors = [], 0, [], []

    def add(self, values, kind, component, target=None, bounds=False):
        values = np.ascontiguousarray(values)
        data = values.tobytes()
        view = {"buffer": 0, "byteOffset": self.size, "byteLength": len(data)}
        if target:
            view["target"] = target
        data += bytes(-len(data) % 4)
        self.parts.append(data)
        self.size += len(data)
        self.views.append(view)
        accessor = {"bufferView": len(self.views) - 1, "componentType": component, "count": len(values), "type": kind}
        if bounds:
            rows = values.reshape(len(values), -1)
            accessor.update(min=rows.min(0).tolist(), max=rows.max(0).tolist())
        self.accessors.append(accessor)
        return len(self.accessors) - 1

    def write(self, path, document):
        document = {**document, "accessors": self.accessors, "bufferViews": self.views, "buffers": [{"byteLength": self.size}]}
        text = json.dumps(document, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        with open(path, "wb") as file:
            file.write(struct.pack("<4sII", b"glTF", 2, 12 + 8 + len(text) + 8 + self.size))
            file.write(struct.pack("<I4s", len(text), b"JSON") + text)
            file.write(struct.pack("<I4s", self.size, b"BIN\0"))
            for part in self.parts:
                file.write(part)


def build(vertices):
    """Nodes, bind positions, vertex arrays and indices of the figure."""
    lengths = np.array([chain[6] for chain in CHAINS])
    rings = np.maximum(np.round(vertices / AROUND * lengths / lengths.sum()).astype(int), 2)
    rings[0] += max(vertices // AROUND - rings.sum(), 2 - rings[0])
    nodes, world, chain_first, arrays, indices, first_vertex = [], [], {}, [], [], 0
    for (name, parent, joint, offset, direction, joints, length, radius), count in zip(CHAINS, rings):
        direction = unit(direction)
        start = np.asarray(offset, float) + (world[chain_first[parent] + joint] if parent else 0)
        chain_first[name] = len(nodes)
        for k in range(joints):
            above = len(nodes) - 1 if k else (chain_first[parent] + joint if parent else None)
            world.append(start + direction * length * k / joints)
            nodes.append({"name": f"{name} {k}", "translation": (world[-1] - (world[above] if above is not None else 0)).tolist()})
            if above is not None:
                nodes[above].setdefault("children", []).append(len(nodes) - 1)
        arrays.append(tube(start, direction, length, radius, joints, chain_first[name], count))
        indices.append(triangles(count) + first_vertex)
        first_vertex += len(arrays[-1][0])
    return nodes, np.array(world), [np.concatenate(column) for column in zip(*arrays)], np.concatenate(indices)


def clip(glb, joints):
    """Every joint swings about an axis and at a phase of its own; 61 keys over two seconds."""
    times = np.linspace(0, 2, 61, dtype="<f4")
    source = glb.add(times, "SCALAR", 5126, bounds=True)
    samplers, channels = [], []
    for joint in range(joints):
        axis = unit((np.sin(joint), np.cos(2 * joint), np.sin(3 * joint + 1)))
        half = 0.1 * np.sin(2 * np.pi * (times / 2 + joint / joints))
        rotation = np.column_stack([np.sin(half)[:, None] * axis, np.cos(half)]).astype("<f4")
        samplers.append({"input": source, "output": glb.add(rotation, "VEC4", 5126)})
        channels.append({"sampler": joint, "target": {"node": joint, "path": "rotation"}})
    return {"name": "Swing", "samplers": samplers, "channels": channels}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--vertices", type=int, default=100_000)
    options = parser.parse_args()
    nodes, world, (positions, normals, texcoords, slots, weights), indices = build(options.vertices)
    joints = len(nodes)
    inverse = np.tile(np.eye(4, dtype="<f4").reshape(16), (joints, 1))
    inverse[:, 12:15] = -world
    glb = Glb()
    attributes = {
        "POSITION": glb.add(positions.astype("<f4"), "VEC3", 5126, 34962, bounds=True),
        "NORMAL": glb.add(normals.astype("<f4"), "VEC3", 5126, 34962),
        "TEXCOORD_0": glb.add(texcoords.astype("<f4"), "VEC2", 5126, 34962),
        "JOINTS_0": glb.add(slots.astype("u1"), "VEC4", 5121, 34962),
        "WEIGHTS_0": glb.add(weights.astype("<f4"), "VEC4", 5126, 34962),
    }
    elements = glb.add(indices.astype("<u4"), "SCALAR", 5125, 34963)
    bind = glb.add(inverse, "MAT4", 5126)
    glb.write(options.file, {
        "asset": {"version": "2.0", "generator": "sinew make_large.py"}, "scene": 0, "scenes": [{"nodes": [0, joints]}],
        "nodes": nodes + [{"name": "Figure", "mesh": 0, "skin": 0}],
        "meshes": [{"name": "Figure", "primitives": [{"attributes": attributes, "indices": elements}]}],
        "skins": [{"joints": list(range(joints)), "inverseBindMatrices": bind, "skeleton": 0}],
        "animations": [clip(glb, joints)]})
    print(f"{options.file}: {len(positions)} vertices, {len(indices) // 3} triangles, {joints} joints")


if __name__ == "__main__":
    main()
