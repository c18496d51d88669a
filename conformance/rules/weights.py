# SPDX-License-Identifier: MIT
"""Weights and joints of vertices."""
from functools import partial

import numpy as np

from registry import rule
from rig import JOINTS, POINTS, WEIGHTS, Rig, X, Y, Z, moved, quat, skinned, slots

SUM = "ACCESSOR_WEIGHTS_NON_NORMALIZED"
TWICE = "ACCESSOR_JOINTS_INDEX_DUPLICATE"

rule("weights/four_float", "Float weights of up to three joints.", "skin")(skinned)

for kind, joint in (("u1", "u1"), ("u2", "u1"), ("u1", "<u2"), ("u2", "<u2"), ("f4", "<u2")):
    rule(f"weights/{kind}_weights_{joint.strip('<')}_joints", f"Weights stored as {kind}, joints as {joint.strip('<')}.", "weights")(
        partial(skinned, weight="<f4" if kind == "f4" else f"<{kind}", joint=joint))

rule("weights/largest_last", "Joints of a vertex have any order; the largest weight may be last.", "weights")(partial(skinned, order=-1))

for name, factors in (("below_one", np.linspace(0.4, 0.9, 8)), ("above_one", np.linspace(1.1, 1.8, 8))):
    rule(f"weights/sum_{name}", f"Weights whose sum is {name.replace('_', ' ')} are used as stored.", "sums", status="reading", errors=[SUM])(
        partial(skinned, dense=WEIGHTS * factors[:, None]))


@rule("weights/all_zero", "A vertex whose weights are all 0 moves to the origin, as the equation says.", "sums", status="reading", errors=[SUM])
def all_zero():
    return skinned(dense=WEIGHTS * np.array([1, 1, 1, 1, 1, 1, 1, 0])[:, None])


def many_joints(count):
    """A fan of joints that turn about different axes."""
    return [{"translation": [0.1 * (i == 0), 0.6 / count, 0], "rotation": quat((X, Y, Z)[i % 3], 9 + i)} for i in range(count)]


def wide(count, sets, kind="<f4", last_set_kind=None):
    """Each vertex follows `count` joints, by weights of 1/16 and the rest."""
    dense = np.full((8, count), 1 / 16)
    dense[np.arange(8), np.arange(8) % count] += 1 - dense.sum(1)
    bind = [moved(-0.1, -0.6 / count * (i + 1), 0) for i in range(count)]
    if last_set_kind is None:
        return skinned(many_joints(count), bind, dense=dense, sets=sets, weight=kind)

    def mixed(rig):
        joints, weights = slots(dense, sets)
        first = rig.influences(joints[:, :4], weights[:, :4])
        last = {"JOINTS_1": rig.attribute(joints[:, 4:], "<u2"), "WEIGHTS_1": rig.attribute(np.round(weights[:, 4:] * 255), "u1", True)}
        return {**first, **last}

    return skinned(many_joints(count), bind, attributes=mixed)


for count, sets in ((8, 2), (6, 2), (12, 3), (16, 4)):
    rule(f"weights/influences_{count}", f"A vertex follows {count} joints, in {sets} sets.", "sets", status="recommended")(partial(wide, count, sets))
rule("weights/influences_8_ubyte", "Unsigned bytes in two sets add up to 255 together.", "sets", status="recommended")(partial(wide, 8, 2, "u1"))
rule("weights/sets_of_two_kinds", "Sets may have different component types.", "sets", status="recommended", errors=[SUM])(
    partial(wide, 8, 2, last_set_kind="u1"))


def repeated(joints, weights):
    return skinned(attributes=lambda rig: rig.influences(np.array(joints), np.array(weights, float)))


@rule("weights/joint_twice_in_a_set", "A joint that occurs twice in a set counts twice.", "weights", status="reading", errors=[TWICE, SUM])
def twice_in_a_set():
    return repeated([[1, 2, 1, 0]] * 8, [[0.25, 0.25, 0.5, 0]] * 8)


@rule("weights/joint_in_two_sets", "A joint that occurs in two sets counts in both.", "sets", status="reading", errors=[TWICE, SUM])
def in_two_sets():
    return repeated([[1, 2, 0, 0, 1, 0, 0, 0]] * 8, [[0.25, 0.5, 0, 0, 0.25, 0, 0, 0]] * 8)


@rule("weights/second_set_only", "The first set of a vertex may be all zeros, while the second one is not.", "sets", status="recommended")
def second_set_only():
    return repeated([[0, 0, 0, 0, 1, 2, 0, 0]] * 8, [[0, 0, 0, 0, 0.5, 0.5, 0, 0]] * 8)


@rule("weights/zero_weight_of_a_joint", "A joint of weight 0 does not move the vertex.", "weights")
def zero_weight():
    return repeated([[1, 2, 0, 0]] * 8, [[1, 0, 0, 0]] * 8)


@rule("weights/one_joint_for_all", "All vertices follow one joint, which is not the first.", "weights")
def one_joint_for_all():
    return repeated([[2, 0, 0, 0]] * 8, [[1, 0, 0, 0]] * 8)


def numerous(count, kind):
    """Only the last joints matter; their index needs more than the usual limits."""
    joints = [JOINTS[0]] + [{"translation": [0, 0.01, 0]}] * (count - 2) + [{"translation": [0, 0.01, 0], "rotation": quat(Z, 60)}]
    bind = [moved(-0.1, -0.01 * i, 0) for i in range(count)]
    slot = np.zeros((8, 4), int)
    slot[:, :2] = count - 2, count - 1
    return skinned(joints, bind, attributes=lambda rig: rig.influences(slot, np.tile([0.25, 0.75, 0, 0], (8, 1)), joint=kind))


rule("weights/joint_70", "A skin has 70 joints.", "weights")(partial(numerous, 71, "u1"))
rule("weights/joint_255", "A byte selects the joint 255.", "weights")(partial(numerous, 256, "u1"))
rule("weights/joint_270", "A short selects the joint 270.", "weights")(partial(numerous, 271, "<u2"))


@rule("weights/interleaved", "Positions, joints and weights share a view with a stride.", "accessors")
def interleaved():
    rig = Rig()
    joints, weights = slots(WEIGHTS.astype(float), 1)
    columns_of = [(POINTS, False, True), (joints.astype("u1"), False, False), (np.round(weights * 65532).astype("<u2"), True, False)]
    columns_of[2][0][:, 0] += (65535 - columns_of[2][0].astype(int).sum(1)).astype("<u2")
    position, joint, weight = rig.interleaved(columns_of)
    rig.mesh({"POSITION": position, "JOINTS_0": joint, "WEIGHTS_0": weight})
    rig.node(mesh=0, skin=0)
    chain = rig.chain()
    rig.skin(chain)
    return rig.scene(0, chain[0])
