# SPDX-License-Identifier: MIT
"""Golden pairs of VRM 1.0: springs, colliders, constraints."""
from bases_vrm import NODE, vrm1
from cases_vrm1_object import SPRINGS, springs
from golden import case

FIRST = f"{SPRINGS}/springs/0"
CONSTRAINT = f"/nodes/{NODE['twist']}/extensions/VRMC_node_constraint"


def first(file):
    return springs(file)["springs"][0]


@case("VRM_SPRING_JOINT_ORDER", "vrm/vrm1/spring_order", at=f"{FIRST}/joints/2/node", base=vrm1)
def _(file):
    joints = first(file)["joints"]
    joints[1], joints[2] = joints[2], joints[1]


@case("VRM_SPRING_JOINT_SHARED", "vrm/vrm1/spring_shared", at=f"{SPRINGS}/springs/1/joints/0/node", base=vrm1)
def _(file):
    first(file)["joints"] = [{"node": NODE["hair0"]}, {"node": NODE["hair2"]}]  # and the node between them
    springs(file)["springs"].append({"joints": [{"node": NODE["hair1"]}, {"node": NODE["hair2"]}]})


@case("VRM_SPRING_ONE_JOINT", "vrm/vrm1/spring_of_one", at=FIRST, base=vrm1)
def _(file):
    del first(file)["joints"][1:]


@case("VRM_SPRING_CENTER", "vrm/vrm1/spring_center_beside", at=f"{FIRST}/center", base=vrm1)
def _(file):
    first(file)["center"] = NODE["leftFoot"]


@case("VRM_SPRING_CENTER", "vrm/vrm1/spring_center_swings", at=f"{SPRINGS}/springs/1/center", base=vrm1)
def _(file):
    for name in ("end", "tip"):
        file.json["nodes"].append({"name": name, "translation": [0, -0.1, 0]})
    last = len(file.json["nodes"]) - 1
    file.json["nodes"][NODE["hair2"]]["children"] = [last - 1]
    file.json["nodes"][last - 1]["children"] = [last]
    springs(file)["springs"].append({"joints": [{"node": last - 1}, {"node": last}], "center": NODE["hair1"]})


@case("VRM_SPRING_IS_BONE", "vrm/vrm1/spring_is_bone", at=f"{FIRST}/joints/1/node", base=vrm1)
def _(file):
    file.json["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"]["jaw"] = {"node": NODE["hair1"]}


@case("VRM_SPRING_NO_GRAVITY_DIR", "vrm/vrm1/gravity", at=f"{FIRST}/joints/0/gravityDir", base=vrm1)
def _(file):
    first(file)["joints"][0] |= {"gravityPower": 1, "gravityDir": [0, 0, 0]}


def shape(file):
    return springs(file)["colliders"][0]["shape"]


@case("VRM_COLLIDER_SHAPE", "vrm/vrm1/collider_of_two_shapes", at=f"{SPRINGS}/colliders/0/shape", base=vrm1)
def _(file):
    shape(file)["capsule"] = {"offset": [0, 0, 0], "radius": 0.1, "tail": [0, 0.1, 0]}


def plane(normal):
    def edit(file):
        file.json["extensionsUsed"].append("VRMC_springBone_extended_collider")
        wide = {"specVersion": "1.0", "shape": {"plane": {"offset": [0, 0, 0], "normal": normal}}}
        springs(file)["colliders"][0]["extensions"] = {"VRMC_springBone_extended_collider": wide}

    return edit


case(
    "VRM_COLLIDER_PLANE_NORMAL",
    "vrm/vrm1/collider_plane",
    at=f"{SPRINGS}/colliders/0/extensions/VRMC_springBone_extended_collider/shape/plane/normal",
    base=vrm1,
    good=plane([0, 0, 1]),
)(plane([0, 0, 2]))


@case("VRM_COLLIDER_GROUP_UNUSED", "vrm/vrm1/group_unused", at=f"{SPRINGS}/colliderGroups/0", base=vrm1)
def _(file):
    del first(file)["colliderGroups"]


@case("VRM_COLLIDER_GROUP_UNUSED", "vrm/vrm1/collider_unused", at=f"{SPRINGS}/colliders/1", base=vrm1)
def _(file):
    springs(file)["colliders"].append(dict(springs(file)["colliders"][0]))


def constraint(file):
    return file.json["nodes"][NODE["twist"]]["extensions"]["VRMC_node_constraint"]["constraint"]


@case("VRM_CONSTRAINT_KIND", "vrm/vrm1/constraint_of_two_kinds", at=f"{CONSTRAINT}/constraint", base=vrm1)
def _(file):
    constraint(file)["rotation"] = {"source": NODE["leftHand"]}


@case("VRM_CONSTRAINT_SELF", "vrm/vrm1/constraint_self", at=f"{CONSTRAINT}/constraint/roll/source", base=vrm1)
def _(file):
    constraint(file)["roll"]["source"] = NODE["twist"]


@case("VRM_CONSTRAINT_CYCLE", "vrm/vrm1/constraint_cycle", at=f"/nodes/{NODE['leftHand']}/extensions/VRMC_node_constraint", base=vrm1)
def _(file):
    back = {"specVersion": "1.0", "constraint": {"rotation": {"source": NODE["twist"]}}}
    file.json["nodes"][NODE["leftHand"]]["extensions"] = {"VRMC_node_constraint": back}


@case("VRM_CONSTRAINT_ON_SPRING", "vrm/vrm1/constraint_on_spring", at=f"/nodes/{NODE['hair1']}/extensions/VRMC_node_constraint", base=vrm1)
def _(file):
    follow = {"specVersion": "1.0", "constraint": {"rotation": {"source": NODE["leftHand"]}}}
    file.json["nodes"][NODE["hair1"]]["extensions"] = {"VRMC_node_constraint": follow}
