# SPDX-License-Identifier: MIT
"""Morph targets."""
from functools import partial

import numpy as np

from registry import rule
from rig import POINTS, WEIGHTS, Rig, TILTED, Z, quat, skinned, slots

UP = np.tile([0, 0, 1], (8, 1)).astype("<f4")
WIDE = (POINTS * [1.5, 0, 0]).astype("<f4")
HALF = (UP * (np.arange(8) < 4)[:, None]).astype("<f4")


def morphed(deltas=(UP, WIDE), amounts=None, store=None, **node):
    rig = Rig()
    targets = rig.targets(*deltas) if store is None else [{"POSITION": store(rig, delta)} for delta in deltas]
    rig.mesh({"attributes": {"POSITION": rig.positions()}, "targets": targets}, **({"weights": amounts} if amounts else {}))
    rig.node(mesh=0, **node)
    return rig.scene(0)


for name, text, mesh, node in (
    ("weights_of_the_mesh", "The mesh gives default weights.", [0.5, 0.25], {}),
    ("weights_of_the_node", "Weights of the node win over those of the mesh.", [0.5, 0.25], {"weights": [0.75, 0]}),
    ("weights_of_the_node_alone", "Only the node gives weights.", None, {"weights": [0.25, 1]}),
    ("no_weights", "Without weights targets do nothing.", None, {}),
    ("weights_beyond_one", "Weights may be negative and larger than 1.", [2.5, -1.5], {}),
    ("node_weights_zero", "Zeros of the node win over the weights of the mesh.", [0.5, 0.25], {"weights": [0, 0]}),
    ("before_the_node", "Targets act before the node's transform.", [0.5, 0.5], {"rotation": quat(TILTED, 80), "scale": [1, 2, 3], "translation": [1, 0, 0]}),
):
    rule(f"morphs/{name}", text, "before" if name == "before_the_node" else "morphs")(partial(morphed, amounts=mesh, **node))

rule("morphs/nine_targets", "A mesh has nine targets.", "morphs")(
    partial(morphed, [UP * (0.1 + i) + WIDE * (i % 3) for i in range(9)], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]))
rule("morphs/sparse", "Targets are sparse, without a view: other vertices stay.", "sparse")(
    partial(morphed, [HALF, WIDE], [0.5, 0.5], lambda rig, delta: rig.sparse(delta, bounds=True)))
rule("morphs/sparse_with_a_base", "Targets are sparse over stored values.", "sparse")(
    partial(morphed, [HALF, WIDE], [0.5, 0.5], lambda rig, delta: rig.sparse(delta, delta * (np.arange(8) % 2)[:, None].astype("<f4"), bounds=True, target=34962)))


def with_skin(weights=(0.5, 0.25), **options):
    rig = skinned(**options)
    rig.json["meshes"][0]["weights"] = list(weights)
    rig.json["meshes"][0]["primitives"][0]["targets"] = rig.targets(UP * 0.4, WIDE)
    return rig


rule("morphs/before_the_skin", "Targets act before the skin.", "before")(with_skin)
rule("morphs/before_the_skin_own_transform", "Targets act before the skin, and the node's transform is ignored.", "before")(
    partial(with_skin, body={"translation": [1, 0, 0], "rotation": quat(Z, 90)}))
rule("morphs/before_the_skin_animated", "Targets and joints are animated together.", "before", poses=[(0, 0.5)])(
    lambda: with_skin().clip((0, "weights", [0, 1], [[0, 0], [1, 0.5]]), (2, "rotation", [0, 1], [quat(Z, 0), quat(Z, 80)])))


@rule("morphs/instances_with_weights", "Two nodes share a mesh and have weights of their own.", "instances")
def instances():
    rig = morphed(amounts=[0.5, 0])
    rig.json["scenes"][0]["nodes"].append(rig.node(mesh=0, translation=[2, 0, 0], weights=[0, 1]))
    return rig


@rule("morphs/two_primitives", "Both primitives of a mesh have the same number of targets.", "morphs")
def two_primitives():
    rig = Rig()
    rig.mesh({"attributes": {"POSITION": rig.positions()}, "targets": rig.targets(UP, WIDE)},
             {"attributes": {"POSITION": rig.positions(POINTS + np.float32(1))}, "targets": rig.targets(WIDE, UP)}, weights=[0.5, 0.25])
    rig.node(mesh=0)
    return rig.scene(0)


@rule("morphs/target_without_positions", "A target that has no positions moves none.", "morphs", status="reading")
def without_positions():
    rig = Rig()
    normals = rig.attribute(UP)
    rig.mesh({"attributes": {"POSITION": rig.positions(), "NORMAL": normals}, "targets": [*rig.targets(UP), {"NORMAL": rig.attribute(WIDE)}]}, weights=[0.5, 0.5])
    rig.node(mesh=0)
    return rig.scene(0)


# Normals and tangents.

NORMALS = np.array([[x, 0.3, 1] for _ in range(4) for x in (-0.5, 0.5)]) / np.sqrt(1.34)
TANGENTS = np.array([[0, 1, 0, 1 - 2 * (i % 2)] for i in range(8)], "<f4")


def shaded(skin=True, targets=False, **options):
    rig = skinned(**options) if skin else Rig()
    if not skin:
        rig.mesh({"POSITION": rig.positions()})
        rig.node(mesh=0, **options)
        rig.scene(0)
    primitive = rig.json["meshes"][0]["primitives"][0]
    primitive["attributes"].update(NORMAL=rig.attribute(NORMALS), TANGENT=rig.attribute(TANGENTS))
    if targets:
        primitive["targets"] = [{"POSITION": rig.positions(UP * 0.4), "NORMAL": rig.attribute(WIDE), "TANGENT": rig.attribute(UP * np.float32(0.5))}]
        rig.json["meshes"][0]["weights"] = [0.75]
    return rig


for attribute in ("normal", "tangent"):
    add = partial(rule, attribute=attribute)
    add(f"normals/{attribute}_of_a_node", f"A {attribute} turns with its node.", "normals")(partial(shaded, False, rotation=quat(TILTED, 80)))
    add(f"normals/{attribute}_scaled_by_axis", f"A {attribute} of a node that is scaled by axis.", "normals", status="reading")(
        partial(shaded, False, rotation=quat(TILTED, 80), scale=[2, 0.5, 1]))
    add(f"normals/{attribute}_mirrored", f"A {attribute} of a mirrored node.", "normals", status="reading")(partial(shaded, False, scale=[-1, 1, 1]))
    add(f"normals/{attribute}_skinned", f"A {attribute} follows the skin.", "normals", status="reading")(shaded)
    add(f"normals/{attribute}_morphed", f"A {attribute} is displaced by targets.", "morphs")(partial(shaded, False, True))
    add(f"normals/{attribute}_morphed_and_skinned", f"A {attribute} is displaced, then follows the skin.", "before", status="reading")(partial(shaded, True, True))
