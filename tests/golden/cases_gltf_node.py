# SPDX-License-Identifier: MIT
"""Golden pairs of glTF nodes."""
from bases_gltf import triangle
from bases_gltf_rig import morphed, primitive, skinned
from golden import case


@case("NODE_LOOP", "gltf/node/loop", at="/nodes/1", base=triangle)
def _(file):
    file.json["nodes"] += [{"children": [2]}, {"children": [1]}]


@case("NODE_PARENT_OVERRIDE", "gltf/node/two_parents", at="/nodes/1/children/0", base=skinned)
def _(file):
    nodes = file.json["nodes"]
    nodes[0], nodes[1] = {"children": [2], "mesh": 0, "skin": 0}, {"children": [2]}


@case("NODE_MATRIX_TRS", "gltf/node/matrix_and_scale", at="/nodes/0/matrix", base=triangle)
def _(file):
    file.json["nodes"][0] |= {"matrix": [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1], "scale": [2, 2, 2]}


@case("NODE_MATRIX_DEFAULT", "gltf/node/matrix_identity", at="/nodes/0/matrix", base=triangle)
def _(file):
    file.json["nodes"][0]["matrix"] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]


@case("NODE_MATRIX_NON_TRS", "gltf/node/matrix_sheared", at="/nodes/0/matrix", base=triangle)
def _(file):
    file.json["nodes"][0]["matrix"] = [1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]


@case("ROTATION_NON_UNIT", "gltf/node/rotation_length", at="/nodes/0/rotation", base=triangle)
def _(file):
    file.json["nodes"][0]["rotation"] = [0, 0, 0, 0.9]


@case("NODE_EMPTY", "gltf/node/empty", at="/nodes/1", base=triangle)
def _(file):
    file.json["nodes"].append({})
    file.json["scenes"][0]["nodes"].append(1)


@case("NODE_WEIGHTS_INVALID", "gltf/node/weights_count", at="/nodes/0/weights", base=morphed)
def _(file):
    file.json["nodes"][0]["weights"] = [0, 1]


@case("NODE_SKIN_WITH_NON_SKINNED_MESH", "gltf/node/skin_without_joints", at="/nodes/0", base=skinned)
def _(file):
    attributes = primitive(file)["attributes"]
    del attributes["JOINTS_0"], attributes["WEIGHTS_0"]


@case("NODE_SKINNED_MESH_WITHOUT_SKIN", "gltf/node/joints_without_skin", at="/nodes/0", base=skinned)
def _(file):
    del file.json["nodes"][0]["skin"]


@case("NODE_SKINNED_MESH_LOCAL_TRANSFORMS", "gltf/node/skinned_moved", at="/nodes/0", base=skinned)
def _(file):
    file.json["nodes"][0]["translation"] = [1, 0, 0]


@case("NODE_SKINNED_MESH_NON_ROOT", "gltf/node/skinned_below", at="/nodes/0", base=skinned)
def _(file):
    file.json["nodes"].append({"children": [0]})
    file.json["scenes"][0]["nodes"] = [3, 1]


@case("NODE_SKINNED_MESH_PARENT_TRANSFORMS", "gltf/node/skinned_below_moved", at="/nodes/0", base=skinned)
def _(file):
    file.json["nodes"].append({"children": [0], "scale": [2, 2, 2]})
    file.json["scenes"][0]["nodes"] = [3, 1]


@case("NODE_SKIN_NO_SCENE", "gltf/node/skin_outside_the_scene", at="/nodes/0", base=skinned)
def _(file):
    file.json["scenes"][0]["nodes"] = [0]
