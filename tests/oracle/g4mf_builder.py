# SPDX-License-Identifier: MIT
"""Writes G4MF files, always the same bytes for the same calls: `.g4tf` and `.g4b`, under the names of each revision."""
import base64
import json
import struct

import numpy as np

SIZES = {f"{kind}{bits}": bits // 8 for kind in ("float", "int", "uint") for bits in (8, 16, 32, 64, 128)}

# Names of 2026-01 that other revisions change, by revision.
NAMES = {
    "2025-08": {"componentType": "primitiveType", "simplexes": "cells", "polytopeSimplexes": "polytopeCells", "perSimplex": "perCell"},
    "2026-01": {},
    "2026-07": {"compression": "encoding"},
}


def float8_bytes(numbers):
    """Nearest of the finite values of 1 sign, 4 exponent and 3 mantissa bits; ties to the even code."""
    codes = np.arange(0x78)
    values = np.where(codes < 8, codes * 2.0**-9, (8 + codes % 8) * 2.0 ** (codes // 8 - 10))
    numbers = np.array(numbers, float)
    far = np.abs(values - np.abs(numbers)[:, None])
    nearest = np.where(far == far.min(1, keepdims=True), codes % 2, 2).argmin(1)
    return (nearest + np.where(numbers < 0, 0x80, 0)).astype("u1").tobytes()


def float128_bytes(number):
    """Exact: a double has fewer bits of either kind."""
    bits = struct.unpack("<Q", struct.pack("<d", number))[0]
    sign, exponent, mantissa = bits >> 63, bits >> 52 & 0x7FF, bits & ((1 << 52) - 1)
    if exponent == 0 and mantissa == 0:
        wide = 0
    elif exponent == 0:  # subnormal in 64 bits, normal in 128
        shift = 53 - mantissa.bit_length()
        wide = (1 - shift - 1023 + 16383) << 112 | ((mantissa << shift) & ((1 << 52) - 1)) << 60
    else:
        wide = (exponent - 1023 + 16383) << 112 | mantissa << 60
    return (sign << 127 | wide).to_bytes(16, "little")


def encode(kind, numbers):
    numbers = list(np.asarray(numbers, object).ravel())
    if kind == "float8":
        return float8_bytes(numbers)
    if kind == "float128":
        return b"".join(float128_bytes(float(number)) for number in numbers)
    if kind.startswith("float"):
        return np.array(numbers, float).astype(f"<f{SIZES[kind]}").tobytes()
    return b"".join(int(number).to_bytes(SIZES[kind], "little", signed=kind.startswith("int")) for number in numbers)


def zstd_frame(data):
    """A Zstandard frame of raw blocks (RFC 8878, 3.1.1): one segment, its size in four bytes, no checksum, nothing smaller than before."""
    out = bytearray(b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", len(data)))
    starts = range(0, max(len(data), 1), 1 << 17)
    for start in starts:
        block = data[start : start + (1 << 17)]
        out += (len(block) << 3 | (start == starts[-1])).to_bytes(3, "little") + block
    return bytes(out)


def json_text(document):
    """One line for each entry of the root's lists: short enough to read, and to compare."""
    lines = []
    for key, value in document.items():
        if isinstance(value, list):
            entries = ",\n".join("    " + json.dumps(entry, ensure_ascii=False) for entry in value)
            lines.append(f'  "{key}": [\n{entries}\n  ]')
        else:
            lines.append(f'  "{key}": {json.dumps(value, ensure_ascii=False)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def chunk(kind, data, compression=b"\0\0\0\0"):
    return kind + compression + struct.pack("<Q", len(data)) + data


def g4b_bytes(chunks):
    """`chunks`: results of `chunk`. The padding is spaces after the JSON text and zeros elsewhere; none at the end."""
    out = b""
    for part in chunks:
        filler = b" " if len(out) == len(chunks[0]) else b"\0"  # the first chunk is the JSON text
        out += filler * (-len(out) % 16) + part
    return b"G4MF" + struct.pack("<IQ", 0, len(out) + 16) + out


class Builder:
    """A model with one buffer. Items are added under the names of 2026-01; saving renames them for other revisions."""

    def __init__(self, dimension, revision="2026-01", **asset):
        self.dimension, self.revision = dimension, revision
        self.json = {"asset": {"dimension": dimension, **asset}, "nodes": [], "meshes": []}
        self.views, self.accessors, self.data = [], [], bytearray()

    def accessor(self, kind, rows):
        """rows: numbers, or rows of equally many; returns the accessor's index."""
        rows = np.asarray(rows, object)
        width = rows.shape[1] if rows.ndim == 2 else 1
        return self.packed(kind, width, encode(kind, rows))

    def packed(self, kind, width, data):
        self.data += bytes(-len(self.data) % SIZES[kind])
        view = {"buffer": 0} if self.revision == "2025-08" else {}
        if self.data:
            view["byteOffset"] = len(self.data)
        self.views.append({**view, "byteLength": len(data)})
        self.data += data
        entry = {"bufferView": len(self.views) - 1, "componentType": kind}
        if width != 1:
            entry["vectorSize"] = width
        self.accessors.append(entry)
        return len(self.accessors) - 1

    def node(self, parent=None, **properties):
        """Adds a node, below `parent`; `mesh` and `bone` take the form of the revision. Returns its index."""
        old = self.revision == "2025-08"
        node = {key: value for key, value in properties.items() if key not in ("mesh", "bone", "blend_amounts")}
        if "bone" in properties:
            node.update({"boneLength": properties["bone"].get("length", 0)} if old else {"bone": properties["bone"]})
        if "mesh" in properties:
            node.update({"mesh": properties["mesh"]} if old else {"meshInstance": {"mesh": properties["mesh"]}})
        if "blend_amounts" in properties:
            node["meshInstance"]["blendAmounts"] = properties["blend_amounts"]
        self.json["nodes"].append(node)
        index = len(self.json["nodes"]) - 1
        if parent is not None:
            self.json["nodes"][parent].setdefault("children", []).append(index)
        return index

    def mesh(self, vertices, surfaces, **properties):
        self.json["meshes"].append({"vertices": vertices, "surfaces": surfaces, **properties})
        return len(self.json["meshes"]) - 1

    def target(self, indices, offsets, index_kind="uint16", kind="float32"):
        return {"indices": self.accessor(index_kind, indices), "offsets": self.accessor(kind, offsets)}

    def skin(self, influences, group_kind="uint8", vertex_kind="uint16", weight_kind="float32", **properties):
        """influences: one list of (group, weight) per vertex; stored with falling weights."""
        rows = [(group, vertex, weight) for vertex, run in enumerate(influences) for group, weight in sorted(run, key=lambda g: (-g[1], g[0]))]
        groups, vertices, weights = zip(*rows) if rows else ((), (), ())
        return {"groups": self.accessor(group_kind, groups), "vertices": self.accessor(vertex_kind, vertices),
                "weights": self.accessor(weight_kind, weights), **properties}

    # what a file holds

    def _document(self, buffer):
        document = {key: value for key, value in self.json.items() if value}
        if self.data:
            document.update(accessors=self.accessors, bufferViews=self.views, buffers=[buffer])
        return self._renamed(document)

    def _renamed(self, value):
        names = NAMES[self.revision]
        if isinstance(value, dict):
            return {names.get(key, key): self._renamed(item) for key, item in value.items()}
        return [self._renamed(item) for item in value] if isinstance(value, list) else value

    def text(self, zstd=False):
        """The bytes of a `.g4tf` file."""
        data = zstd_frame(bytes(self.data)) if zstd else bytes(self.data)
        buffer = {"byteLength": len(self.data), **({"compression": "Zstd"} if zstd else {}),
                  "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}
        return json_text(self._document(buffer)).encode()

    def binary(self, zstd=False):
        """The bytes of a `.g4b` file: JSON, then the buffer."""
        buffer = {"byteLength": len(self.data), **({"compression": "Zstd"} if zstd else {})}
        if self.revision == "2026-07":
            buffer["chunk"] = 1
        chunks = [chunk(b"JSON", json_text(self._document(buffer)).encode())]
        if self.data:
            data = zstd_frame(bytes(self.data)) if zstd else bytes(self.data)
            chunks.append(chunk(b"BLOB", data, b"Zstd" if zstd else b"\0\0\0\0"))
        return g4b_bytes(chunks)

    def save(self, path, zstd=False):
        with open(path, "wb") as file:
            file.write(self.binary(zstd) if str(path).endswith(".g4b") else self.text(zstd))
        return path
