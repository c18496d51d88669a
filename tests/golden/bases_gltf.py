# SPDX-License-Identifier: MIT
"""Small valid glTF files as bases of golden pairs. Each function returns a fresh File without any finding."""
import struct

from golden import AUTO, File


def floats(*values):
    return struct.pack(f"<{len(values)}f", *values)


def triangle(container="gltf"):
    """One triangle, indexed, drawn by one node of one scene."""
    positions = floats(0, 0, 0, 1, 0, 0, 0, 1, 0)
    indices = struct.pack("<4H", 0, 1, 2, 0)[:6] + b"\0\0"
    buffer = {"byteLength": 44}
    if container == "gltf":
        buffer = {"uri": AUTO, "byteLength": 44}
    return File(
        {
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
            "accessors": [
                {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
                {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"},
            ],
            "bufferViews": [
                {"buffer": 0, "byteLength": 36, "target": 34962},
                {"buffer": 0, "byteOffset": 36, "byteLength": 6, "target": 34963},
            ],
            "buffers": [buffer],
        },
        bytearray(positions + indices),
        container,
    )


def glb_triangle():
    return triangle("glb")
