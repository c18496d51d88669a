# SPDX-License-Identifier: MIT
"""Golden pairs of glTF skins."""
from bases_gltf import floats
from bases_gltf_rig import replace, skinned
from golden import case

MATRICES = "/skins/0/inverseBindMatrices"


@case("SKIN_NO_COMMON_ROOT", "gltf/skin/no_common_root", at="/skins/0/joints", base=skinned)
def _(file):
    del file.json["nodes"][1]["children"]
    file.json["scenes"][0]["nodes"].append(2)


@case("SKIN_SKELETON_INVALID", "gltf/skin/skeleton_below", at="/skins/0/skeleton", base=skinned)
def _(file):
    file.json["skins"][0]["skeleton"] = 2


@case("SKIN_IBM_INVALID_FORMAT", "gltf/skin/matrices_format", at=MATRICES, base=skinned)
def _(file):
    file.json["accessors"][4] |= {"type": "VEC4", "count": 8}


@case("INVALID_IBM_ACCESSOR_COUNT", "gltf/skin/matrices_count", at=MATRICES, base=skinned)
def _(file):
    file.json["accessors"][4]["count"] = 1


@case("SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE", "gltf/skin/matrices_with_stride", at=MATRICES, base=skinned)
def _(file):
    file.json["bufferViews"][4]["byteStride"] = 64


@case("ACCESSOR_INVALID_IBM", "gltf/skin/matrix_not_affine", at=MATRICES, base=skinned)
def _(file):
    replace(file, 4, floats(1, 0, 0, 0.5))


@case("GLTF_BIND_MATRICES_BY_ROWS", "gltf/skin/matrices_by_rows", at=MATRICES, base=skinned, also=["ACCESSOR_INVALID_IBM"])
def _(file):
    replace(file, 4, floats(1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1, 0, 0, 0, 0, 1))
