# SPDX-License-Identifier: MIT
"""Golden pairs of glTF accessors and their data."""
import struct

from bases_gltf import floats, triangle
from golden import case


def sparse():
    """Positions of which one is replaced by itself."""
    file = triangle()
    rows = file.append(struct.pack("<2H", 0, 2))
    values = file.append(floats(0, 0, 0, 0, 1, 0))
    file.json["bufferViews"] += [
        {"buffer": 0, "byteOffset": rows, "byteLength": 4},
        {"buffer": 0, "byteOffset": values, "byteLength": 24},
    ]
    file.json["accessors"][0]["sparse"] = {
        "count": 2,
        "indices": {"bufferView": 2, "componentType": 5123},
        "values": {"bufferView": 3},
    }
    return file


def spare_indices():
    """Another accessor of two shorts, which is unused."""
    file = triangle()
    offset = file.append(bytes(8))
    file.json["bufferViews"].append({"buffer": 0, "byteOffset": offset, "byteLength": 8})
    file.json["accessors"].append({"bufferView": 2, "byteOffset": 2, "componentType": 5123, "count": 2, "type": "SCALAR"})
    return file


def with_matrix():
    """An unused matrix of bytes, at an offset in its view."""
    file = triangle()
    offset = file.append(bytes(16))
    file.json["bufferViews"].append({"buffer": 0, "byteOffset": offset, "byteLength": 16})
    file.json["accessors"].append({"bufferView": 2, "byteOffset": 4, "componentType": 5121, "count": 1, "type": "MAT2"})
    return file


def custom(value):
    """Another attribute of one number per vertex."""
    file = triangle()
    offset = file.append(floats(value, value, value))
    file.json["bufferViews"].append({"buffer": 0, "byteOffset": offset, "byteLength": 12, "target": 34962})
    file.json["accessors"].append({"bufferView": 2, "componentType": 5126, "count": 3, "type": "SCALAR"})
    file.json["meshes"][0]["primitives"][0]["attributes"]["_VALUE"] = 2
    return file


@case("ACCESSOR_TOO_LONG", "gltf/accessor/too_long", at="/accessors/0", base=triangle)
def _(file):
    file.json["accessors"][0]["count"] = 4


@case("ACCESSOR_SMALL_BYTESTRIDE", "gltf/accessor/small_stride", at="/accessors/0", base=triangle)
def _(file):
    file.json["bufferViews"][0]["byteStride"] = 8


@case("ACCESSOR_OFFSET_ALIGNMENT", "gltf/accessor/offset_alignment", at="/accessors/2/byteOffset", base=spare_indices,
      also=["ACCESSOR_TOTAL_OFFSET_ALIGNMENT"])
def _(file):
    file.json["accessors"][2]["byteOffset"] = 1


@case("ACCESSOR_TOTAL_OFFSET_ALIGNMENT", "gltf/accessor/total_offset_alignment", at="/accessors/2", base=spare_indices)
def _(file):
    file.json["bufferViews"][2].update(byteOffset=45, byteLength=7)


@case("ACCESSOR_MATRIX_ALIGNMENT", "gltf/accessor/matrix_alignment", at="/accessors/2/byteOffset", base=with_matrix)
def _(file):
    file.json["accessors"][2]["byteOffset"] = 6


@case("ACCESSOR_NORMALIZED_INVALID", "gltf/accessor/normalized", at="/accessors/0/normalized", base=triangle)
def _(file):
    file.json["accessors"][0]["normalized"] = True


@case("INVALID_GL_VALUE", "gltf/accessor/limit_of_type", at="/accessors/1/max", base=triangle)
def _(file):
    file.json["accessors"][1]["max"] = [65536]


@case("ACCESSOR_USAGE_OVERRIDE", "gltf/accessor/usage", at="/meshes/0/primitives/1/indices", base=triangle,
      also=["BUFFER_VIEW_TARGET_OVERRIDE", "MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT"])
def _(file):
    file.json["meshes"][0]["primitives"].append({"attributes": {"POSITION": 0}, "indices": 0})


@case("ACCESSOR_MIN_MISMATCH", "gltf/accessor/min_mismatch", at="/accessors/0/min/0", base=triangle)
def _(file):
    file.json["accessors"][0]["min"] = [-1, 0, 0]


@case("ACCESSOR_MAX_MISMATCH", "gltf/accessor/max_mismatch", at="/accessors/0/max/1", base=triangle)
def _(file):
    file.json["accessors"][0]["max"] = [1, 2, 0]


@case("ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND", "gltf/accessor/below_min", at="/accessors/0/min/2", base=triangle, also=["ACCESSOR_MIN_MISMATCH"])
def _(file):
    file.json["accessors"][0]["min"] = [0, 0, 0.5]


@case("ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND", "gltf/accessor/above_max", at="/accessors/0/max/0", base=triangle, also=["ACCESSOR_MAX_MISMATCH"])
def _(file):
    file.json["accessors"][0]["max"] = [0.5, 1, 0]


@case("ACCESSOR_INVALID_FLOAT", "gltf/accessor/not_finite", at="/accessors/2", base=lambda: custom(1))
def _(file):
    struct.pack_into("<f", file.blob, len(file.blob) - 4, float("nan"))


@case("ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE", "gltf/accessor/sparse_count", at="/accessors/0/sparse/count", base=sparse,
      also=["ACCESSOR_SPARSE_INDEX_OOB"])
def _(file):
    rows = file.append(struct.pack("<4H", 0, 1, 2, 3))
    values = file.append(bytes(48))
    file.json["bufferViews"][2:] = [
        {"buffer": 0, "byteOffset": rows, "byteLength": 8},
        {"buffer": 0, "byteOffset": values, "byteLength": 48},
    ]
    file.json["accessors"][0]["sparse"]["count"] = 4


@case("ACCESSOR_SPARSE_INDEX_OOB", "gltf/accessor/sparse_index", at="/accessors/0/sparse", base=sparse)
def _(file):
    struct.pack_into("<H", file.blob, file.json["bufferViews"][2]["byteOffset"] + 2, 3)


@case("ACCESSOR_SPARSE_INDICES_NON_INCREASING", "gltf/accessor/sparse_order", at="/accessors/0/sparse", base=sparse)
def _(file):
    struct.pack_into("<2H", file.blob, file.json["bufferViews"][2]["byteOffset"], 2, 0)
