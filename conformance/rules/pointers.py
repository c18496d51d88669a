# SPDX-License-Identifier: MIT
"""Clips that name their properties by JSON pointers (KHR_animation_pointer)."""
from functools import partial

import numpy as np

from animation import BETWEEN, PATHS, UNITS, spline, target
from morphs import morphed
from registry import rule
from rig import JOINTS, TILTED, X, Y, Z, quat, skinned, still

EXTENSION = "KHR_animation_pointer"
TIMES = [0, 0.75, 1.25, 2.75]
AT = [(0, 0.0), (0, 0.75), (0, 0.5), (0, 1.0), (0, 2.0), (0, 4.0)]
MATERIAL = {"pbrMetallicRoughness": {"baseColorFactor": [1, 1, 1, 1]}}


def pointed(rig, *channels, output=None, interpolation="LINEAR", kind="<f4", normalised=False):
    """Adds channels to the first clip: (pointer, times, values). `output` stores values in a way of its own."""
    if EXTENSION not in rig.json.setdefault("extensionsUsed", []):
        rig.json["extensionsUsed"].append(EXTENSION)
    if "animations" not in rig.json:
        rig.add("animations", {"samplers": [], "channels": []})
    clip = rig.json["animations"][0]
    for pointer, times, values in channels:
        values = np.asarray(values).astype(kind)
        values = values.reshape(-1, values.shape[-1]) if "weights" not in pointer else values.ravel()
        sampler = {"input": rig.accessor(np.asarray(times, "<f4"), bounds=True), "output": output(rig, values) if output else rig.accessor(values, normalised)}
        clip["samplers"].append({**sampler, **({} if interpolation == "LINEAR" else {"interpolation": interpolation})})
        point(clip, len(clip["samplers"]) - 1, pointer)
    return rig


def point(clip, sampler, pointer):
    clip["channels"].append({"sampler": sampler, "target": {"path": "pointer", "extensions": {EXTENSION: {"pointer": pointer}}}})


def moved(path, interpolation):
    values = spline(PATHS[path]) if interpolation == "CUBICSPLINE" else PATHS[path]
    return pointed(target(path), (f"/nodes/0/{path}", TIMES, values), interpolation=interpolation)


for path, interpolation in (("translation", "LINEAR"), ("rotation", "LINEAR"), ("scale", "STEP"), ("weights", "LINEAR"),
                            ("translation", "CUBICSPLINE"), ("rotation", "CUBICSPLINE"), ("weights", "CUBICSPLINE")):
    rule(f"pointers/{path}_{interpolation.lower()}", f"A pointer to the {path} of a node, with the interpolation {interpolation}.", "pointer", AT)(
        partial(moved, path, interpolation))


@rule("pointers/required", "A file may require the extension.", "pointer", [(0, 0.5)])
def required():
    rig = moved("translation", "LINEAR")
    rig.json["extensionsRequired"] = [EXTENSION]
    return rig


# Weights.

WEIGHT = [(0, 0.0), (0, 0.4), (0, 1.0)]
rule("pointers/one_weight", "A pointer to one weight; the other keeps its value from the mesh.", "object_model", WEIGHT)(
    lambda: pointed(morphed(amounts=[0.5, 0.25]), ("/nodes/0/weights/1", [0, 1], [0, 255]), kind="u1", normalised=True))
rule("pointers/one_weight_of_the_node", "A pointer to one weight; the other keeps its value from the node, not from the mesh.", "object_model", WEIGHT)(
    lambda: pointed(morphed(amounts=[0.5, 0.25], weights=[-0.5, 1]), ("/nodes/0/weights/0", [0, 1], [0.25, 1.5])))
rule("pointers/two_single_weights", "Two pointers to single weights have keys at different times.", "object_model", WEIGHT)(
    lambda: pointed(morphed(), ("/nodes/0/weights/1", [0, 1], [0, 1]), ("/nodes/0/weights/0", [0.2, 0.6], [1, -1])))
rule("pointers/one_weight_cubicspline", "A pointer to one weight, with the interpolation CUBICSPLINE.", "object_model", WEIGHT)(
    lambda: pointed(morphed(amounts=[0.5, 0.25]), ("/nodes/0/weights/0", [0, 0.8, 1], spline([[0], [1], [0.5]])), interpolation="CUBICSPLINE"))


def pair(*channels):
    """Two nodes of one mesh; the first one has weights of its own."""
    rig = morphed(amounts=[0.5, 0], weights=[1, 0.5])
    rig.json["scenes"][0]["nodes"].append(rig.node(mesh=0, translation=[2, 0, 0]))
    return pointed(rig, *channels)


rule("pointers/weights_of_a_mesh", "Weights of a mesh move the nodes that have none of their own.", "mesh_weights", WEIGHT, status="reading")(
    lambda: pair(("/meshes/0/weights", [0, 1], [[0, 0], [1, 2]])))
rule("pointers/one_weight_of_a_mesh", "One weight of a mesh is moved; the other keeps its value.", "mesh_weights", WEIGHT, status="reading")(
    lambda: pair(("/meshes/0/weights/1", [0, 1], [0, 1])))
rule("pointers/weights_of_mesh_and_node", "A node with a moved weight keeps to the mesh in the other weight.", "mesh_weights", WEIGHT, status="reading")(
    lambda: pair(("/meshes/0/weights", [0, 1], [[0, 0], [1, 2]]), ("/nodes/1/weights/0", [0, 1], [1, 0])))

# Component types and storage.

WHOLE = [[0, 0, 0], [3, -4, 0], [1, 2, -2]]


def stored(pointer, values, **options):
    return pointed(target(pointer.split("/")[0]), (f"/nodes/0/{pointer}", [0, 2, 3], values), **options)


for kind in ("i1", "<i2"):
    rule(f"pointers/translation_plain_{kind[-2:]}", f"Translations are stored as plain {kind[-2:]}: 3 is 3.", "pointer_types", AT)(
        partial(stored, "translation", WHOLE, kind=kind))
for kind in ("u1", "<u2", "<u4"):
    rule(f"pointers/scale_plain_{kind[-2:]}", f"Scales are stored as plain {kind[-2:]}.", "pointer_types", AT)(
        partial(stored, "scale", np.abs(WHOLE) + 1, kind=kind))
rule("pointers/weights_plain_i1", "Weights are stored as plain i1.", "pointer_types", AT)(partial(stored, "weights", [[0, 1], [2, -1], [-1, 0]], kind="i1"))
for kind in ("i1", "i2"):
    top = int(np.iinfo(kind).max)
    rule(f"pointers/rotation_{kind}", f"Rotations are stored as normalised {kind}.", "pointer_types", AT)(
        partial(stored, "rotation", [[0, 0, 0, top], UNITS[kind], UNITS[kind][::-1]], kind=f"<{kind}", normalised=True))
rule("pointers/sparse", "The values are sparse.", "sparse", AT)(
    partial(stored, "translation", WHOLE, output=lambda rig, values: rig.sparse(values, (values * [[1], [0], [1]]).astype("<f4"))))
rule("pointers/sparse_without_view", "The values are sparse, without a view: other keys are zeros.", "sparse", AT)(
    partial(stored, "translation", WHOLE, output=lambda rig, values: rig.sparse(values)))

# What pointers name, and what is beside them.

rule("pointers/translation_of_a_matrix", "The translation of a node with a matrix is its last column; the rest stays.", "object_model", [(0, 0.0), (0, 0.5)])(
    lambda: pointed(still(matrix=[0, 2, 0, 0, -1, 0, 0, 0, 0, 0, 0.5, 0, 1, 1, 1, 1]), ("/nodes/0/translation", [0, 1], [[5, 0, 0], [5, 2, 0]])))
rule("pointers/mixed", "A pointer and an ordinary channel move one node.", "pointer", BETWEEN)(
    lambda: pointed(target("scale").clip((0, "rotation", [0, 1], [quat(Z, 0), quat(TILTED, 100)])), ("/nodes/0/translation", [0, 1], [[0, 0, 0], [1, 2, 0]])))
rule("pointers/joint", "A joint that only a pointer moves.", "pointer", BETWEEN)(
    lambda: pointed(skinned(), ("/nodes/2/rotation", [0, 1], [quat(X, 0), quat(TILTED, 90)])))
rule("pointers/joints_mixed", "A pointer moves one joint, an ordinary channel another.", "pointer", BETWEEN)(
    lambda: pointed(skinned().clip((3, "rotation", [0, 1], [quat(X, 0), quat(Z, 90)])), ("/nodes/1/scale", [0, 1], [[1, 1, 1], [1, 2, 0.5]])))
rule("pointers/parent_of_joints", "A pointer moves the parent of the joints.", "pointer", BETWEEN)(
    lambda: pointed(skinned().above(name="Armature"), (f"/nodes/{len(JOINTS) + 1}/rotation", [0, 1], [quat(Y, 0), quat(Y, 90)])))


@rule("pointers/shared_sampler", "Channels of two properties share a sampler.", "pointer", BETWEEN)
def shared_sampler():
    rig = pointed(target("scale"), ("/nodes/0/translation", [0, 1], [[1, 1, 1], [1, 2, 3]]))
    point(rig.json["animations"][0], 0, "/nodes/0/scale")
    return rig


def painted(*channels):
    rig = target("translation")
    rig.add("materials", {**MATERIAL})
    rig.json["meshes"][0]["primitives"][0]["material"] = 0
    return pointed(rig, ("/materials/0/pbrMetallicRoughness/baseColorFactor", [0, 1], [[1, 0, 0, 1], [0, 1, 0, 1]]), *channels)


rule("pointers/material_alone", "A clip moves a colour only: no vertex moves.", "pointer", BETWEEN)(painted)
rule("pointers/material_beside", "A clip moves a colour and a node.", "pointer", BETWEEN)(
    lambda: painted(("/nodes/0/translation", [0, 1], [[0, 0, 0], [1, 2, 0]])))


@rule("pointers/visibility", "A clip hides a node: its vertices stay, and move as they do otherwise.", "hidden", [(0, 0.25), (0, 1.0)])
def visibility():
    rig = target("scale").clip((0, "translation", [0, 2], [[0, 0, 0], [1, 2, 0]]))
    rig.json["extensionsUsed"] = ["KHR_node_visibility"]
    rig.json["nodes"][0]["extensions"] = {"KHR_node_visibility": {"visible": True}}
    pointed(rig, ("/nodes/0/extensions/KHR_node_visibility/visible", [0, 0.5], [[1], [0]]), kind="u1", interpolation="STEP")
    return rig
