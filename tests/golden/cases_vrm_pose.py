# SPDX-License-Identifier: MIT
"""Golden pairs of what is measured on avatars: the rest pose, and expressions."""
import cases_vrm0
from bases_vrm import NODE, vrm0, vrm1
from cases_vrm1_avatar import BONES, bones, node
from cases_vrm1_object import AVATAR, avatar, bind
from golden import case


def turned(file):
    """Looks backwards."""
    file.json["nodes"][NODE["root"]]["rotation"] = [0, 1, 0, 0]


case("VRM_POSE_FACING", "vrm/vrm1/turned", at=BONES, base=vrm1, also=["VRM_POSE_LEFT_RIGHT", "VRM_POSE_ARMS"])(turned)
case("VRM_POSE_FACING", "vrm/vrm0/turned", at=cases_vrm0.BONES, base=vrm0, also=["VRM_POSE_LEFT_RIGHT", "VRM_POSE_ARMS"])(turned)


@case("VRM_POSE_LEFT_RIGHT", "vrm/vrm1/eyes_exchanged", at=f"{BONES}/leftEye/node", base=vrm1)
def _(file):
    bones(file)["leftEye"], bones(file)["rightEye"] = bones(file)["rightEye"], bones(file)["leftEye"]


@case("VRM_POSE_ARMS", "vrm/vrm1/arms_hang", at=f"{BONES}/leftUpperArm/node", base=vrm1)
def _(file):
    for side, x in (("left", 1), ("right", -1)):
        node(file, side + "LowerArm")["translation"] = [0.18 * x, -0.18, 0]


@case("VRM_POSE_LEGS", "vrm/vrm1/legs_apart", at=f"{BONES}/leftUpperLeg/node", base=vrm1)
def _(file):
    for side, x in (("left", 1), ("right", -1)):
        node(file, side + "LowerLeg")["translation"] = [0.2 * x, -0.4, 0]


@case("VRM_POSE_LEGS", "vrm/vrm0/bent", at=f"{cases_vrm0.BONES}/1/node", base=vrm0)
def _(file):
    node(file, "chest")["translation"] = [0, 0.2, -0.3]


def finger(y):
    def edit(file):
        first = len(file.json["nodes"])
        node(file, "leftHand")["children"] = [first]
        file.json["nodes"] += [{"name": "finger", "translation": [0.1, 0, 0], "children": [first + 1]}, {"name": "tip", "translation": [0.05, y, 0]}]
        bones(file)["leftIndexProximal"], bones(file)["leftIndexIntermediate"] = {"node": first}, {"node": first + 1}

    return edit


case("VRM_POSE_FINGERS", "vrm/vrm1/finger_bent", at=f"{BONES}/leftIndexProximal/node", base=vrm1, good=finger(0))(finger(-0.05))


@case("VRM_POSE_SYMMETRY", "vrm/vrm1/eye_high", at=f"{BONES}/leftEye/node", base=vrm1)
def _(file):
    node(file, "leftEye")["translation"] = [0.03, 0.15, 0.05]


@case("VRM_POSE_GROUND", "vrm/vrm1/above_ground", at=BONES, base=vrm1)
def _(file):
    node(file, "body")["translation"] = [0, 0.1, 0]


@case("VRM_POSE_HIPS_HEIGHT", "vrm/vrm1/hips_on_ground", at=f"{BONES}/hips/node", base=vrm1)
def _(file):
    node(file, "hips")["translation"] = [0, 0, 0]


@case("VRM_EXPRESSION_MOVES_NOTHING", "vrm/vrm1/expression_of_nothing", at=f"{AVATAR}/expressions/preset/happy", base=vrm1)
def _(file):
    bind(file)["weight"] = 0


def without_colours(file):
    cases_vrm0.group(file)["materialValues"] = []


@case("VRM_EXPRESSION_MOVES_NOTHING", "vrm/vrm0/expression_of_nothing", at=cases_vrm0.GROUP, base=vrm0, good=without_colours)
def _(file):
    without_colours(file)
    cases_vrm0.group(file)["binds"][0]["weight"] = 0


@case("VRM_EXPRESSION_MOVES_NOTHING", "vrm/vrm1/custom_of_nothing", at=f"{AVATAR}/expressions/custom/wink", base=vrm1)
def _(file):
    avatar(file)["expressions"]["custom"]["wink"] = {"morphTargetBinds": [{**bind(file), "weight": 0}]}
