# SPDX-License-Identifier: MIT
"""Writes small glTF files for tests: accessors from numpy arrays, containers of every kind, and a few shared models."""
import base64
import json
import os
import struct

import numpy as np

CODE = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}
SHAPE = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class Builder:
    """One glTF document under construction; `json` may be edited freely before `save`."""

    def __init__(self):
        self.json = {"asset": {"version": "2.0"}}
        self.blob = bytearray()

    def add(self, collection, item):
        items = self.json.setdefault(collection, [])
        items.append(item)
        return len(items) - 1

    def view(self, data, stride=None, target=None):
        self.blob += b"\0" * (-len(self.blob) % 4)
        view = {"buffer": 0, "byteOffset": len(self.blob), "byteLength": len(data)}
        if stride:
            view["byteStride"] = stride
        if target:
            view["target"] = target
        self.blob += data
        return self.add("bufferViews", view)

    @staticmethod
    def _described(array, normalized, bounds):
        array = np.ascontiguousarray(array)
        if array.ndim == 1:
            array = array[:, None]
        code = CODE[array.dtype.str[1:]]
        accessor = {"componentType": code, "count": len(array), "type": SHAPE[array.shape[1]]}
        if normalized:
            accessor["normalized"] = True
        if bounds:
            accessor["min"], accessor["max"] = array.min(0).tolist(), array.max(0).tolist()
        return array, accessor

    def accessor(self, array, normalized=False, bounds=False, target=None):
        """A packed accessor with a view of its own; vertex attributes (target 34962) get rows padded to four bytes."""
        array, accessor = self._described(array, normalized, bounds)
        size = array.dtype.itemsize * array.shape[1]
        padded = -(-size // 4) * 4
        if target == 34962 and padded != size:
            rows = np.zeros((len(array), padded), np.uint8)
            rows[:, :size] = array.view(np.uint8).reshape(len(array), size)
            accessor["bufferView"] = self.view(rows.tobytes(), padded, target)
        else:
            accessor["bufferView"] = self.view(array.tobytes(), None, target)
        return self.add("accessors", accessor)

    def interleaved(self, columns):
        """Several vertex attributes in one strided view: [(array, normalized, bounds)] → accessor indices."""
        parts, offsets, offset = [], [], 0
        for array, normalized, bounds in columns:
            array, accessor = self._described(array, normalized, bounds)
            parts.append((array, accessor))
            offsets.append(offset)
            offset += -(-array.dtype.itemsize * array.shape[1] // 4) * 4
        rows = np.zeros((len(parts[0][0]), offset), np.uint8)
        for (array, _), start in zip(parts, offsets):
            size = array.dtype.itemsize * array.shape[1]
            rows[:, start : start + size] = array.view(np.uint8).reshape(len(array), size)
        view = self.view(rows.tobytes(), offset, 34962)
        result = []
        for (_, accessor), start in zip(parts, offsets):
            result.append(self.add("accessors", {**accessor, "bufferView": view, "byteOffset": start}))
        return result

    def sparse(self, array, base=None, normalized=False, bounds=False, target=None):
        """`array` said as the rows in which it differs from `base` (zeros where None: then without a view)."""
        array, accessor = self._described(array, normalized, bounds)
        before = np.zeros_like(array) if base is None else np.ascontiguousarray(base).reshape(array.shape)
        rows = np.flatnonzero((array != before).any(1))
        if not len(rows):
            rows = np.array([0])
        if base is not None:
            whole = self.accessor(before, target=target)
            accessor["bufferView"] = self.json["accessors"][whole]["bufferView"]
        kind = np.dtype("u1" if len(array) <= 255 else "u2")
        accessor["sparse"] = {
            "count": len(rows),
            "indices": {"bufferView": self.view(rows.astype(kind).tobytes()), "componentType": CODE[kind.str[1:]]},
            "values": {"bufferView": self.view(array[rows].tobytes())},
        }
        return self.add("accessors", accessor)

    def save(self, path, embedded=True):
        """By extension: `.glb`; `.gltf` with a data URI, or (not embedded) with a `.bin` beside it."""
        document = dict(self.json)
        blob = bytes(self.blob)
        if blob and "buffers" not in document:
            document["buffers"] = [{"byteLength": len(blob)}]
        if path.endswith(".glb"):
            write_glb(path, document, blob)
            return path
        if blob and "uri" not in document["buffers"][0]:
            document["buffers"] = [dict(document["buffers"][0])] + document["buffers"][1:]
            if embedded:
                document["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(blob).decode()
            else:
                name = os.path.basename(path)[: -len(".gltf")] + " data.bin"
                document["buffers"][0]["uri"] = name.replace(" ", "%20")
                with open(os.path.join(os.path.dirname(path), name), "wb") as file:
                    file.write(blob)
        with open(path, "w", encoding="utf-8") as file:
            file.write(json.dumps(document))  # json.dump encodes in Python
        return path


def glb_bytes(document, blob):
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    body = struct.pack("<II", len(text), 0x4E4F534A) + text
    if blob:
        padded = blob + b"\0" * (-len(blob) % 4)
        body += struct.pack("<II", len(padded), 0x004E4942) + padded
    return struct.pack("<III", 0x46546C67, 2, 12 + len(body)) + body


def write_glb(path, document, blob):
    with open(path, "wb") as file:
        file.write(glb_bytes(document, blob))


TUTORIAL_POSITIONS = np.array([[x, y, 0] for y in (0, 0.5, 1, 1.5, 2) for x in (-0.5, 0.5)], "<f4")
TUTORIAL_INDICES = np.array([[0, 1, 3], [0, 3, 2], [2, 3, 5], [2, 5, 4], [4, 5, 7], [4, 7, 6], [6, 7, 9], [6, 9, 8]], "<u2").reshape(-1)


def tutorial_skin(rotation=(0, 0, 0, 1), clip=True):
    """The glTF tutorial's skin example: a strip of ten vertices on two joints, the second one bending about Z.

    Nodes: 0 the mesh, 1 and 2 the joints. With `clip`: a linear rotation of node 2 by 0°, 90°, 0° at 0, 1, 2 seconds, called "Bend".
    """
    b = Builder()
    second = np.repeat([0, 0.25, 0.5, 0.75, 1], 2)
    weights = np.zeros((10, 4), "<f4")
    weights[:, 0], weights[:, 1] = 1 - second, second
    joints = np.tile(np.array([0, 1, 0, 0], "<u2"), (10, 1))
    joints[weights[:, 1] == 0] = 0
    attributes = {
        "POSITION": b.accessor(TUTORIAL_POSITIONS, bounds=True, target=34962),
        "JOINTS_0": b.accessor(joints, target=34962),
        "WEIGHTS_0": b.accessor(weights, target=34962),
    }
    indices = b.accessor(TUTORIAL_INDICES, target=34963)
    b.add("meshes", {"name": "Strip", "primitives": [{"attributes": attributes, "indices": indices}]})
    b.add("nodes", {"name": "Body", "mesh": 0, "skin": 0})
    b.add("nodes", {"name": "Lower", "children": [2]})
    b.add("nodes", {"name": "Upper", "translation": [0, 1, 0], "rotation": list(rotation)})
    bind = np.tile(np.eye(4, dtype="<f4"), (2, 1, 1))
    bind[1, 3, 1] = -1  # column-major: the translation is the last row here
    b.add("skins", {"name": "Rig", "joints": [1, 2], "inverseBindMatrices": b.accessor(bind.reshape(2, 16))})
    b.add("scenes", {"nodes": [0, 1]})
    b.json["scene"] = 0
    if clip:
        half = np.sqrt(0.5)
        keys = b.accessor(np.array([0, 1, 2], "<f4"), bounds=True)
        turns = b.accessor(np.array([[0, 0, 0, 1], [0, 0, half, half], [0, 0, 0, 1]], "<f4"))
        b.add(
            "animations",
            {
                "name": "Bend",
                "samplers": [{"input": keys, "output": turns}],
                "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}],
            },
        )
    return b


def morphed_quad():
    """A quad with two named targets ("Up": +Z, "Wide": away from x = 0), node "Face" at x = 10, clip "Talk" on its weights."""
    b = Builder()
    corners = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], "<f4")
    up = np.tile(np.array([0, 0, 1], "<f4"), (4, 1))
    wide = corners * np.array([1, 0, 0], "<f4")
    b.add(
        "meshes",
        {
            "name": "Quad",
            "primitives": [
                {
                    "attributes": {
                        "POSITION": b.accessor(corners, bounds=True, target=34962),
                        "NORMAL": b.accessor(up, target=34962),
                        "TANGENT": b.accessor(np.tile(np.array([1, 0, 0, -1], "<f4"), (4, 1)), target=34962),
                        "TEXCOORD_0": b.accessor((corners[:, :2] + 1) / np.float32(2), target=34962),
                    },
                    "indices": b.accessor(np.array([0, 1, 2, 0, 2, 3], "<u2"), target=34963),
                    "targets": [{"POSITION": b.accessor(a, bounds=True, target=34962)} for a in (up, wide)],
                }
            ],
            "weights": [0.25, 0],
            "extras": {"targetNames": ["Up", "Wide"]},
        },
    )
    b.add("nodes", {"name": "Face", "mesh": 0, "translation": [10, 0, 0]})
    b.add("scenes", {"nodes": [0]})
    b.json["scene"] = 0
    keys = b.accessor(np.array([0.5, 1.5], "<f4"), bounds=True)
    amounts = b.accessor(np.array([0, 0, 1, 0.5], "<f4"))
    b.add(
        "animations",
        {
            "name": "Talk",
            "samplers": [{"input": keys, "output": amounts}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}],
        },
    )
    return b
