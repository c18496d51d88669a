#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a model that is nearly all JSON, to measure with: a forest of 100,000 named nodes with transforms of full precision, half of them
with a mesh of one triangle of its own (50,000 accessors with bounds and indices).

usage: make_many_nodes.py FILE.glb [--nodes 100000]
"""
import argparse
import json
import random
import struct

CHAIN = 50  # nodes below one root


def build(count):
    rng = random.Random(20261122)
    number = lambda: rng.uniform(-1, 1)
    nodes, meshes, accessors, views, data = [], [], [], [], []
    for i in range(count):
        node = {"name": f"Branch {i // CHAIN} joint {i % CHAIN}", "translation": [number() for _ in range(3)]}
        half = [number() for _ in range(4)]
        length = sum(x * x for x in half) ** 0.5
        node["rotation"] = [x / length for x in half]
        node["scale"] = [1 + number() / 10 for _ in range(3)]
        if (i + 1) % CHAIN and i + 1 < count:
            node["children"] = [i + 1]
        if i % 4 == 0:
            node["mesh"] = len(meshes)
            corners = struct.unpack("<9f", struct.pack("<9f", *(number() for _ in range(9))))
            meshes.append({"name": f"Leaf {i}", "primitives": [{"attributes": {"POSITION": len(accessors)}, "indices": len(accessors) + 1}]})
            views += [{"buffer": 0, "byteOffset": 48 * len(data), "byteLength": 36, "target": 34962},
                      {"buffer": 0, "byteOffset": 48 * len(data) + 36, "byteLength": 12, "target": 34963}]
            accessors += [{"bufferView": len(views) - 2, "componentType": 5126, "count": 3, "type": "VEC3",
                           "min": [min(corners[k::3]) for k in range(3)], "max": [max(corners[k::3]) for k in range(3)]},
                          {"bufferView": len(views) - 1, "componentType": 5125, "count": 3, "type": "SCALAR"}]
            data.append(struct.pack("<9f3I", *corners, 0, 1, 2))
        nodes.append(node)
    document = {"asset": {"version": "2.0", "generator": "sinew make_many_nodes.py"}, "scene": 0,
                "scenes": [{"nodes": list(range(0, count, CHAIN))}], "nodes": nodes, "meshes": meshes, "accessors": accessors,
                "bufferViews": views, "buffers": [{"byteLength": 48 * len(data)}]}
    return document, b"".join(data)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--nodes", type=int, default=100_000)
    options = parser.parse_args()
    document, data = build(options.nodes)
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    with open(options.file, "wb") as file:
        file.write(struct.pack("<4sII", b"glTF", 2, 12 + 8 + len(text) + 8 + len(data)))
        file.write(struct.pack("<I4s", len(text), b"JSON") + text)
        file.write(struct.pack("<I4s", len(data), b"BIN\0") + data)
    print(f"{options.file}: {options.nodes} nodes, {len(document['accessors'])} accessors, {len(text) / 1e6:.0f} MB of JSON")


if __name__ == "__main__":
    main()
