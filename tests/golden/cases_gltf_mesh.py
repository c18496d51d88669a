# SPDX-License-Identifier: MIT
"""Golden pairs of glTF meshes."""
from bases_gltf import floats, triangle
from bases_gltf_rig import add_accessor, add_attribute, lit, morphed, packed, primitive, skinned
from golden import case

PRIMITIVE = "/meshes/0/primitives/0"
ATTRIBUTES = f"{PRIMITIVE}/attributes"


@case("MESH_PRIMITIVE_INVALID_ATTRIBUTE", "gltf/mesh/attribute_name", at=f"{ATTRIBUTES}/SHININESS", base=triangle)
def _(file):
    add_attribute(file, "SHININESS", floats(1, 1, 1), 5126, "SCALAR")


@case("MESH_PRIMITIVE_NO_POSITION", "gltf/mesh/no_position", at=ATTRIBUTES, base=triangle)
def _(file):
    attributes = primitive(file)["attributes"]
    attributes["_REST"] = attributes.pop("POSITION")


@case("MESH_PRIMITIVE_TANGENT_WITHOUT_NORMAL", "gltf/mesh/tangent_without_normal", at=f"{ATTRIBUTES}/TANGENT", base=lit)
def _(file):
    del primitive(file)["attributes"]["NORMAL"]


@case("MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY", "gltf/mesh/set_left_out", at=ATTRIBUTES, base=triangle)
def _(file):
    add_attribute(file, "TEXCOORD_1", floats(0, 0, 1, 0, 0, 1), 5126, "VEC2")


@case("MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH", "gltf/mesh/joints_without_weights", at=ATTRIBUTES, base=skinned,
      also=["NODE_SKIN_WITH_NON_SKINNED_MESH"])
def _(file):
    del primitive(file)["attributes"]["WEIGHTS_0"]


@case("MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT", "gltf/mesh/attribute_format", at=f"{ATTRIBUTES}/NORMAL", base=triangle)
def _(file):
    add_attribute(file, "NORMAL", packed("b", *(0, 0, 127, 0) * 3), 5120, "VEC3", normalized=True)
    file.json["bufferViews"][-1]["byteStride"] = 4


@case("MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_UNSIGNED_INT", "gltf/mesh/attribute_of_unsigned_int", at=f"{ATTRIBUTES}/_NUMBER", base=triangle)
def _(file):
    add_attribute(file, "_NUMBER", packed("I", 1, 2, 3), 5125, "SCALAR")


@case("MESH_PRIMITIVE_ACCESSOR_UNALIGNED", "gltf/mesh/attribute_unaligned", at=f"{ATTRIBUTES}/COLOR_0", base=triangle)
def _(file):
    add_attribute(file, "COLOR_0", packed("B", *(255, 255, 255) * 3), 5121, "VEC3", normalized=True)


@case("MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE", "gltf/mesh/view_shared_without_stride", at=f"{ATTRIBUTES}/_SECOND", base=triangle)
def _(file):
    index = add_attribute(file, "_FIRST", floats(1, 2, 3, 4, 5, 6), 5126, "SCALAR")
    file.json["accessors"].append({**file.json["accessors"][index], "byteOffset": 12})
    primitive(file)["attributes"]["_SECOND"] = index + 1


@case("MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT", "gltf/mesh/attribute_count", at=f"{ATTRIBUTES}/NORMAL", base=lit)
def _(file):
    file.json["accessors"][2]["count"] = 2


@case("MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS", "gltf/mesh/position_without_bounds", at=f"{ATTRIBUTES}/POSITION", base=triangle)
def _(file):
    del file.json["accessors"][0]["max"]


@case("MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT", "gltf/mesh/indices_format", at=f"{PRIMITIVE}/indices", base=triangle)
def _(file):
    file.json["accessors"][1]["componentType"] = 5122


@case("MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE", "gltf/mesh/indices_with_stride", at=f"{PRIMITIVE}/indices", base=triangle)
def _(file):
    view = {"buffer": 0, "byteOffset": file.append(packed("H", 0, 0, 1, 0, 2, 0)), "byteLength": 12, "byteStride": 4}
    file.json["bufferViews"][1] = view


@case("MESH_PRIMITIVE_INCOMPATIBLE_MODE", "gltf/mesh/half_a_line", at=PRIMITIVE, base=triangle)
def _(file):
    primitive(file)["mode"] = 1


@case("MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT", "gltf/mesh/targets_unequal", at="/meshes/0/primitives/1", base=morphed)
def _(file):
    file.json["meshes"][0]["primitives"].append({"attributes": {"POSITION": 0}})


@case("MESH_INVALID_WEIGHTS_COUNT", "gltf/mesh/weights_count", at="/meshes/0/weights", base=morphed)
def _(file):
    file.json["meshes"][0]["weights"] = [0, 1]


@case("MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR", "gltf/mesh/target_of_nothing", at=f"{PRIMITIVE}/targets/0/NORMAL", base=morphed)
def _(file):
    index = add_accessor(file, floats(*(0, 0, 1) * 3), 5126, 3, "VEC3", 34962)
    primitive(file)["targets"][0]["NORMAL"] = index


@case("MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT", "gltf/mesh/target_count", at=f"{PRIMITIVE}/targets/0/POSITION", base=morphed)
def _(file):
    file.json["accessors"][2]["count"] = 2
