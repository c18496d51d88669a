# SPDX-License-Identifier: MIT
"""Golden pairs of the data of glTF meshes."""
from bases_gltf import floats, triangle
from bases_gltf_rig import lit, packed, replace, skinned
from golden import case

PRIMITIVE = "/meshes/0/primitives/0"
ATTRIBUTES = f"{PRIMITIVE}/attributes"


@case("ACCESSOR_INDEX_OOB", "gltf/mesh_data/index_of_no_vertex", at=f"{PRIMITIVE}/indices", base=triangle)
def _(file):
    replace(file, 1, packed("H", 0, 1, 3))


@case("ACCESSOR_INDEX_PRIMITIVE_RESTART", "gltf/mesh_data/primitive_restart", at=f"{PRIMITIVE}/indices", base=triangle,
      also=["ACCESSOR_INDEX_OOB"])
def _(file):
    replace(file, 1, packed("H", 0, 1, 65535))


@case("ACCESSOR_INDEX_TRIANGLE_DEGENERATE", "gltf/mesh_data/degenerate_triangle", at=f"{PRIMITIVE}/indices", base=triangle)
def _(file):
    replace(file, 1, packed("H", 0, 1, 1))


@case("ACCESSOR_VECTOR3_NON_UNIT", "gltf/mesh_data/normal_too_long", at=f"{ATTRIBUTES}/NORMAL", base=lit)
def _(file):
    replace(file, 2, floats(0, 0, 1.01))


@case("ACCESSOR_INVALID_SIGN", "gltf/mesh_data/tangent_sign", at=f"{ATTRIBUTES}/TANGENT", base=lit)
def _(file):
    replace(file, 3, floats(1, 0, 0, 0))


@case("ACCESSOR_NON_CLAMPED", "gltf/mesh_data/color_above_one", at=f"{ATTRIBUTES}/COLOR_0", base=lit)
def _(file):
    replace(file, 5, floats(1, 1, 1.5, 1))


@case("ACCESSOR_JOINTS_INDEX_OOB", "gltf/mesh_data/joint_of_no_skin", at=f"{ATTRIBUTES}/JOINTS_0", base=skinned,
      also=["ACCESSOR_WEIGHTS_NON_NORMALIZED"])
def _(file):
    replace(file, 2, packed("B", 0, 2, 0, 0))


@case("ACCESSOR_JOINTS_INDEX_DUPLICATE", "gltf/mesh_data/joint_twice", at=f"{ATTRIBUTES}/JOINTS_0", base=skinned,
      also=["ACCESSOR_WEIGHTS_NON_NORMALIZED"])
def _(file):
    replace(file, 2, packed("B", 1, 1, 0, 0))


@case("ACCESSOR_JOINTS_USED_ZERO_WEIGHT", "gltf/mesh_data/joint_without_weight", at=f"{ATTRIBUTES}/JOINTS_0", base=skinned)
def _(file):
    replace(file, 2, packed("B", 0, 1, 1, 0))


@case("ACCESSOR_WEIGHTS_NEGATIVE", "gltf/mesh_data/weight_negative", at=f"{ATTRIBUTES}/WEIGHTS_0", base=skinned,
      also=["ACCESSOR_WEIGHTS_NON_NORMALIZED"])
def _(file):
    replace(file, 3, floats(1.5, -0.5, 0, 0))


@case("ACCESSOR_WEIGHTS_NON_NORMALIZED", "gltf/mesh_data/weights_sum", at=f"{ATTRIBUTES}/WEIGHTS_0", base=skinned)
def _(file):
    replace(file, 3, floats(0.5, 0.25, 0, 0))
