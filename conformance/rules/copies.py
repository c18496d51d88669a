# SPDX-License-Identifier: MIT
"""Copies of a mesh (EXT_mesh_gpu_instancing), and hidden nodes (KHR_node_visibility). The rows of a node are those of its first copy, then
those of the second, and so on."""
import numpy as np

from animation import UNITS
from morphs import UP, morphed, shaded
from primitives import drawn
from registry import rule
from rig import POINTS, TILTED, X, Y, Z, Rig, quat, skinned, still

EXTENSION = "EXT_mesh_gpu_instancing"
PLACES = np.array([[1, 0, 0], [0, 0, 0], [-1, 2, 0.5]], "<f4")
TURNS = np.array([quat(Z, 90), quat(Z, 0), quat(TILTED, 130)], "<f4")
SIZES = np.array([[1, 1, 1], [3, 1, 1], [0.5, 2, 0.25]], "<f4")
NODE = {"translation": [0, 0, 3], "rotation": quat(Y, 30), "scale": [2, 2, 2]}
NAMES = {"translation": "TRANSLATION", "rotation": "ROTATION", "scale": "SCALE"}


def copied(rig, node=0, required=True, **attributes):
    """Gives a node copies. Each attribute: an array, or a function (rig) -> accessor."""
    stored = {NAMES.get(name, name): value(rig) if callable(value) else rig.accessor(value, value.dtype.kind != "f") for name, value in attributes.items()}
    rig.json["nodes"][node].setdefault("extensions", {})[EXTENSION] = {"attributes": stored}
    use(rig, EXTENSION)
    if required:
        rig.json["extensionsRequired"] = [EXTENSION]
    return rig


def use(rig, extension):
    if extension not in rig.json.setdefault("extensionsUsed", []):
        rig.json["extensionsUsed"].append(extension)
    return rig


ALL = {"translation": PLACES, "rotation": TURNS, "scale": SIZES}
for name, text, attributes in (
    ("translation", "Copies have translations.", {"translation": PLACES}),
    ("rotation", "Copies have rotations.", {"rotation": TURNS}),
    ("scale", "Copies have scales.", {"scale": SIZES}),
    ("translation_rotation_scale", "Copies are scaled first, then rotated, then translated, then moved by the node.", ALL),
    ("one_copy", "A node has one copy.", {"translation": PLACES[:1]}),
    ("mirrored", "Copies are mirrored.", {"translation": PLACES, "scale": SIZES * np.array([-1, 1, 1], "<f4")}),
    ("rotation_i1", "Rotations of copies are stored as normalised bytes.", {"rotation": np.array([UNITS["i1"], (0, 0, 0, 127), (0, 0, -127, 0)], "i1")}),
    ("rotation_i2", "Rotations of copies are stored as normalised shorts.", {"rotation": np.array([UNITS["i2"], (0, 0, 0, 32767), (0, 0, -32767, 0)], "<i2")}),
    ("rotation_i1_lowest", "The lowest byte is -1, as the one above it.", {"rotation": np.array([(0, 0, -128, 0), (-128, 0, 0, 0)], "i1")}),
    ("sparse", "Translations of copies are sparse.", {"translation": lambda rig: rig.sparse(PLACES, PLACES * np.array([[1], [1], [0]], "<f4")), "scale": SIZES}),
    ("sparse_without_view", "Translations of copies are sparse, without a view: other copies have zeros.",
     {"translation": lambda rig: rig.sparse(PLACES), "rotation": TURNS}),
    ("no_view", "Translations of copies have no view: they are zeros.",
     {"translation": lambda rig: rig.add("accessors", {"componentType": 5126, "count": 3, "type": "VEC3"}), "rotation": TURNS}),
):
    rule(f"copies/{name}", text, "copies")(lambda attributes=attributes: copied(still(**NODE), **attributes))
rule("copies/not_required", "A file uses the extension and does not require it.", "copies")(lambda: copied(still(**NODE), required=False, **ALL))
rule("copies/only_custom_attributes", "Attributes without a meaning give the number of copies; all are alike.", "copies", status="reading")(
    lambda: copied(still(**NODE), _ID=np.arange(3, dtype="<f4")))


@rule("copies/stride", "Translations and scales of copies alternate in a view.", "accessors")
def stride():
    rig = still(**NODE)
    view = rig.view(np.hstack([PLACES, SIZES]).astype("<f4").tobytes(), 24)
    places, sizes = (rig.add("accessors", {"bufferView": view, "byteOffset": at, "componentType": 5126, "count": 3, "type": "VEC3"}) for at in (0, 12))
    return copied(rig, translation=lambda _: places, scale=lambda _: sizes)


# Nodes.


@rule("copies/below_parents", "Copies are moved by all parents of their node, with shear.", "copies")
def below_parents():
    rig = copied(still(**NODE), **ALL)
    rig.json["scenes"][0]["nodes"] = [rig.node(children=[0], scale=[1, 3, 0.5], rotation=quat(X, 40))]
    return rig


@rule("copies/animated_node", "The node of copies is animated.", "copies", poses=[(0, 0.0), (0, 0.5)])
def animated_node():
    return copied(still(**NODE), **ALL).clip((0, "translation", [0, 1], [[0, 0, 3], [0, 2, 0]]), (0, "rotation", [0, 1], [quat(Y, 30), quat(Z, 90)]))


@rule("copies/animated_parent", "The parent of the node of copies is animated.", "copies", poses=[(0, 0.0), (0, 0.5)])
def animated_parent():
    rig = copied(still(**NODE), **ALL)
    rig.json["scenes"][0]["nodes"] = [rig.node(children=[0])]
    return rig.clip((1, "rotation", [0, 1], [quat(Z, 0), quat(TILTED, 90)]))


@rule("copies/child", "A child of a node with copies is shown once, below the node.", "copies")
def child():
    rig = copied(still(**NODE), **ALL)
    rig.mesh({"POSITION": rig.positions()})
    rig.node(0, mesh=1, translation=[0, 0, 1])
    return rig


@rule("copies/shared_mesh", "Nodes share a mesh: one has copies, one is shown once, one has other copies.", "instances")
def shared_mesh():
    rig = copied(still(**NODE), **ALL)
    rig.json["scenes"][0]["nodes"] += [rig.node(mesh=0, translation=[3, 0, 0]), rig.node(mesh=0, translation=[0, -3, 0])]
    return copied(rig, 2, rotation=TURNS[:2])


# Meshes.

rule("copies/morphs", "Weights act on all copies alike.", "morphs")(lambda: copied(morphed(amounts=[0.5, 0.25], **NODE), **ALL))
rule("copies/morphs_animated", "Animated weights act on all copies alike.", "morphs", poses=[(0, 0.0), (0, 0.5)])(
    lambda: copied(morphed(amounts=[0.5, 0.25], **NODE), **ALL).clip((0, "weights", [0, 1], [[0, 0], [1, 0.5]])))


def several(**node):
    """A mesh of two primitives of different size."""
    rig = Rig()
    rig.mesh({"POSITION": rig.positions()}, {"attributes": {"POSITION": rig.positions(POINTS[:5] + UP[:5])}, "mode": 5})
    rig.node(mesh=0, **node)
    return rig.scene(0)


rule("copies/several_primitives", "All primitives of a mesh are copied.", "copies")(lambda: copied(several(**NODE), **ALL))
rule("copies/points", "Points are copied as triangles are.", "copies")(lambda: copied(drawn(0), **ALL))
rule("copies/normal", "A normal of a copy that is scaled by axis.", "normals", attribute="normal", status="reading")(
    lambda: copied(shaded(False, **NODE), **ALL))
rule("copies/skinned", "Copies of a skinned mesh are all where its joints are: the transform of the node is ignored, and with it that of the copy.",
     "own", status="reading")(lambda: copied(skinned(), **ALL))

# Hidden nodes.


@rule("copies/hidden_node", "A hidden node and those below it keep their vertices.", "hidden")
def hidden_node():
    rig = use(still(**NODE), "KHR_node_visibility")
    rig.json["nodes"][0]["extensions"] = {"KHR_node_visibility": {"visible": False}}
    rig.node(0, mesh=0, translation=[1, 0, 0])
    return rig


@rule("copies/hidden_copies", "Hidden copies keep their vertices.", "hidden")
def hidden_copies():
    rig = use(copied(still(**NODE), **ALL), "KHR_node_visibility")
    rig.json["nodes"][0]["extensions"]["KHR_node_visibility"] = {"visible": False}
    return rig
