# SPDX-License-Identifier: MIT
"""Transforms and scenes, without skins."""
from functools import partial

from registry import rule
from rig import TILTED, X, Z, quat, still

MATRIX = [0, 2, 0, 0, -1, 0, 0, 0, 0, 0, 0.5, 0, 1, 2, 3, 1]  # a turn about Z with a scale, then a translation

for name, text, node in (
    ("translation", "A node is translated.", {"translation": [1, 2, 3]}),
    ("rotation", "A node is rotated; a quaternion is x, y, z, w.", {"rotation": quat(TILTED, 50)}),
    ("rotation_negative_w", "A quaternion and its negative are the same rotation.", {"rotation": [-x for x in quat(TILTED, 50)]}),
    ("rotation_half_turn", "A half turn has w = 0.", {"rotation": quat(TILTED, 180)}),
    ("scale", "A node is scaled by axis.", {"scale": [2, 0.5, 3]}),
    ("scale_negative", "A node is mirrored in one axis.", {"scale": [-2, 1, 1]}),
    ("scale_all_negative", "A node is mirrored in all axes.", {"scale": [-1, -1, -1]}),
    ("scale_zero_in_one_axis", "A node is flattened.", {"scale": [1, 0, 1]}),
    ("translation_rotation_scale", "Scale first, then rotation, then translation.", {"translation": [1, 2, 3], "rotation": quat(TILTED, 50), "scale": [2, 0.5, 3]}),
    ("matrix", "A matrix is stored by columns.", {"matrix": MATRIX}),
    ("matrix_mirrored", "A matrix has a negative determinant.", {"matrix": [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1]}),
):
    rule(f"nodes/{name}", text, "transforms")(partial(still, **node))
rule("nodes/matrix_with_shear", "A matrix that no translation, rotation and scale express is used as it is.", "transforms", status="reading",
     errors=["NODE_MATRIX_NON_TRS"])(
    partial(still, matrix=[1, 0, 0, 0, 0.7, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]))


def nest(*parents, **node):
    rig = still(**node)
    for parent in parents:
        rig.json["scenes"][0]["nodes"] = [rig.node(**parent, children=rig.json["scenes"][0]["nodes"])]
    return rig


TURNED = {"rotation": quat(TILTED, 70)}
rule("nodes/three_levels", "Global transforms are products from the root down.", "transforms")(
    partial(nest, {"rotation": quat(Z, 40)}, {"translation": [0, 1, 0], "scale": [2, 2, 2]}, translation=[1, 0, 0]))
rule("nodes/shear_by_parents", "A scale by axis above a rotation shears.", "transforms")(partial(nest, {"scale": [3, 1, 0.5]}, **TURNED))
rule("nodes/mirror_by_parents", "A mirroring parent mirrors what is below.", "transforms")(partial(nest, {"scale": [1, -1, 1]}, **TURNED))
rule("nodes/shear_by_two_parents", "Shear of a parent is kept by further levels.", "transforms")(partial(nest, TURNED, {"scale": [3, 1, 0.5]}, **TURNED))
rule("nodes/matrix_above_rotation", "Matrices and properties combine along a chain.", "transforms")(partial(nest, {"matrix": MATRIX}, **TURNED))


@rule("nodes/parent_with_larger_index", "A parent comes after its child in the file.", "hierarchy")
def later_parent():
    return nest({"translation": [1, 1, 0]}, {"rotation": quat(X, 20)}, **TURNED)


@rule("nodes/shared_mesh", "Two nodes share a mesh.", "instances")
def shared():
    rig = still()
    rig.json["scenes"][0]["nodes"].append(rig.node(mesh=0, translation=[2, 0, 0], rotation=quat(Z, 90)))
    return rig


@rule("nodes/several_roots", "A scene has several roots.", "hierarchy")
def several_roots():
    rig = still(translation=[1, 0, 0])
    for x in (3, -2):
        rig.mesh({"POSITION": rig.positions()})
        rig.json["scenes"][0]["nodes"].append(rig.node(mesh=len(rig.json["meshes"]) - 1, translation=[x, 0, 0]))
    return rig


@rule("nodes/outside_the_scene", "A node that the scene does not reach is not shown.", "hierarchy")
def outside():
    rig = still()
    rig.node(mesh=0, translation=[5, 0, 0])
    return rig


@rule("nodes/second_scene", "The property scene selects a scene that is not the first.", "hierarchy")
def second_scene():
    rig = still()
    rig.scene(rig.node(mesh=0, translation=[0, 3, 0]))
    rig.json["scene"] = 1
    return rig


@rule("nodes/mesh_of_a_parent", "A node with a mesh has a child with a mesh.", "hierarchy")
def mesh_of_a_parent():
    rig = still(**TURNED)
    rig.mesh({"POSITION": rig.positions()})
    rig.node(0, mesh=1, translation=[1, 0, 0], scale=[0.5, 0.5, 0.5])
    return rig
