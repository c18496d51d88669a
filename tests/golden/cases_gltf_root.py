# SPDX-License-Identifier: MIT
"""Golden pairs of rules for objects of every kind, and of the root object."""
from bases_gltf import triangle
from golden import case


@case("TYPE_MISMATCH", "gltf/root/type", at="/scene", base=triangle)
def _(file):
    file.json["scene"] = "0"


@case("TYPE_MISMATCH", "gltf/root/element_type", at="/nodes/1", base=triangle)
def _(file):
    file.json["nodes"].append(1)


@case("ARRAY_TYPE_MISMATCH", "gltf/root/string_list", at="/extensionsUsed/0", base=triangle)
def _(file):
    file.json["extensionsUsed"] = [1]


@case("ARRAY_LENGTH_NOT_IN_LIST", "gltf/root/list_length", at="/nodes/0/translation", base=triangle)
def _(file):
    file.json["nodes"][0]["translation"] = [1, 2]


@case("EMPTY_ENTITY", "gltf/root/empty_list", at="/cameras", base=triangle)
def _(file):
    file.json["cameras"] = []


@case("DUPLICATE_ELEMENTS", "gltf/root/duplicate", at="/scenes/0/nodes/1", base=triangle)
def _(file):
    file.json["scenes"][0]["nodes"] = [0, 0]


@case("INVALID_INDEX", "gltf/root/negative_index", at="/scene", base=triangle)
def _(file):
    file.json["scene"] = -1


@case("INVALID_INDEX", "gltf/root/listed_index", at="/scenes/0/nodes/1", base=triangle)
def _(file):
    file.json["scenes"][0]["nodes"] = [0, 0.5]


@case("UNRESOLVED_REFERENCE", "gltf/root/unresolved", at="/nodes/0/mesh", base=triangle)
def _(file):
    file.json["nodes"][0]["mesh"] = 1


@case("UNEXPECTED_PROPERTY", "gltf/root/unexpected", at="/nodes/0/mash", base=triangle)
def _(file):
    file.json["nodes"][0]["mash"] = 0


@case("UNSATISFIED_DEPENDENCY", "gltf/root/dependency", at="/extensionsRequired", base=triangle, also=["UNUSED_EXTENSION_REQUIRED"])
def _(file):
    file.json["extensionsRequired"] = ["KHR_materials_unlit"]


@case("NON_OBJECT_EXTRAS", "gltf/root/extras", at="/nodes/0/extras", base=triangle)
def _(file):
    file.json["nodes"][0]["extras"] = 1


@case("UNUSED_OBJECT", "gltf/root/unused", at="/nodes/1", base=triangle)
def _(file):
    file.json["nodes"].append({"mesh": 0})


def morphed():
    """One morph target, half of it."""
    file = triangle()
    file.json["meshes"][0]["primitives"][0]["targets"] = [{"POSITION": 0}]
    file.json["meshes"][0]["weights"] = [0.5]
    return file


@case("UNUSED_MESH_WEIGHTS", "gltf/root/unused_weights", at="/meshes/0/weights", base=morphed)
def _(file):
    file.json["nodes"][0]["weights"] = [1]
