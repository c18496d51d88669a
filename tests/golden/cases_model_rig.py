# SPDX-License-Identifier: MIT
"""Golden pairs of rules for any model: binds of skins, joints and weights."""
import struct

from bases_gltf import floats, triangle
from bases_rig import IDENTITY, ROOT, TIP, add_accessor, add_matrices, moved, rig
from golden import case

PRIMITIVE = "/meshes/0/primitives/0"


def primitive(file):
    return file.json["meshes"][0]["primitives"][0]


@case("SINEW_BIND_NOT_REST", "model/bind/not_rest", at="/skins/0/joints/1", base=rig)
def _(file):
    file.json["nodes"][TIP]["rotation"] = [0, 0, 0.6, 0.8]


def second_skin(file, root, tip):
    """The same mesh again, bound by other matrices."""
    file.json["skins"].append({"joints": [ROOT, TIP], "skeleton": ROOT, "inverseBindMatrices": add_matrices(file, root, tip)})
    file.json["nodes"].append({"name": "second", "mesh": 0, "skin": 1})
    file.json["scenes"][0]["nodes"].append(4)


@case(
    "SINEW_BIND_CONFLICT",
    "model/bind/conflict",
    at="/skins/1/joints/1",
    base=rig,
    good=lambda file: second_skin(file, moved(0, 0.5, 0), moved(0, -0.5, 0)),  # the mesh stands elsewhere, the pose is the same
)
def _(file):
    second_skin(file, IDENTITY, moved(0, -1.5, 0))


@case("SINEW_BIND_MATRIX_SINGULAR", "model/bind/singular", at="/skins/0/joints/1", base=rig)
def _(file):
    flat = (1, 0, 0, 0) + (0, 1, 0, 0) + (0, 0, 0, 0) + (0, -1, 0, 1)
    file.json["skins"][0]["inverseBindMatrices"] = add_matrices(file, IDENTITY, flat)


@case("SINEW_SKINNED_BOUNDS", "model/bind/far_from_bounds", at="/nodes/0", base=rig)
def _(file):
    file.json["nodes"][ROOT]["translation"] = [10, 0, 0]


def third_joint(file):
    file.json["nodes"].append({"name": "end", "translation": [0, 1, 0]})
    file.json["nodes"][TIP]["children"] = [4]
    file.json["skins"][0]["joints"].append(4)
    file.json["skins"][0]["inverseBindMatrices"] = add_matrices(file, IDENTITY, moved(0, -1, 0), moved(0, -2, 0))


@case("SINEW_JOINT_UNUSED", "model/joint/unused", at="/skins/0/joints/2", base=rig)
def _(file):
    third_joint(file)


@case("SINEW_BONE_NAME_DUPLICATE", "model/bone/name_duplicate", at="/nodes/3", base=rig)
def _(file):
    file.json["nodes"][TIP]["name"] = "root"


@case("SINEW_BONE_NAME_EMPTY", "model/bone/name_empty", at="/nodes/3", base=rig)
def _(file):
    del file.json["nodes"][TIP]["name"]


def scaled(file, scale):
    """The tip with a scale, bound at its stored pose."""
    file.json["nodes"][TIP]["scale"] = scale
    x, y, z = (1 / s for s in scale)
    matrix = (x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, -y, 0, 1)
    file.json["skins"][0]["inverseBindMatrices"] = add_matrices(file, IDENTITY, matrix)


@case("SINEW_BONE_MIRRORED", "model/bone/mirrored", at="/nodes/3", base=rig, good=lambda file: scaled(file, [2, 2, 2]))
def _(file):
    scaled(file, [-1, 1, 1])


@case("SINEW_BONE_SCALE_NON_UNIFORM", "model/bone/scale_non_uniform", at="/nodes/3", base=rig, good=lambda file: scaled(file, [2, 2, 2]))
def _(file):
    scaled(file, [1, 2, 1])


def weights(file, *rows, number=0):
    data = floats(*(weight for row in rows for weight in row))
    accessor = add_accessor(file, data, componentType=5126, count=len(rows), type="VEC4", target=34962)
    primitive(file)["attributes"][f"WEIGHTS_{number}"] = accessor


@case("SINEW_WEIGHTS_ZERO", "model/weights/zero", at=PRIMITIVE, base=rig, also=["ACCESSOR_WEIGHTS_NON_NORMALIZED"])
def _(file):
    weights(file, [1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0])


def joints(file, row, number):
    accessor = add_accessor(file, struct.pack("<4B", *row) * 4, componentType=5121, count=4, type="VEC4", target=34962)
    primitive(file)["attributes"][f"JOINTS_{number}"] = accessor


def five_joints(file):
    for node in range(4, 7):
        file.json["nodes"].append({"name": f"spare {node}"})
        file.json["nodes"][TIP].setdefault("children", []).append(node)
        file.json["skins"][0]["joints"].append(node)
    matrices = [IDENTITY] + [moved(0, -1, 0)] * 4
    file.json["skins"][0]["inverseBindMatrices"] = add_matrices(file, *matrices)


def four_influences(file):
    five_joints(file)
    joints(file, [0, 1, 2, 3], 0)
    weights(file, *[[0.25, 0.25, 0.25, 0.25]] * 4)


@case("SINEW_INFLUENCES_MANY", "model/weights/many_influences", at=PRIMITIVE, base=rig, good=four_influences)
def _(file):
    five_joints(file)
    joints(file, [0, 1, 2, 3], 0)
    joints(file, [4, 0, 0, 0], 1)
    weights(file, *[[0.25, 0.25, 0.25, 0.125]] * 4)
    weights(file, *[[0.125, 0, 0, 0]] * 4, number=1)


def boxed():
    """The triangle with a box that holds it."""
    file = triangle()
    file.json["extensionsUsed"] = ["SINEW_bounds"]
    file.json["extensions"] = {"SINEW_bounds": {"boxes": [{"min": [-9, -9, -9], "max": [9, 9, 9]}]}}
    return file


@case("SINEW_BOUNDS_TOO_SMALL", "model/bounds/too_small", at="/extensions/SINEW_bounds/boxes/0", base=boxed)
def _(file):
    file.json["extensions"]["SINEW_bounds"]["boxes"][0]["max"] = [0.1, 0.1, 0.1]
