# SPDX-License-Identifier: MIT
"""Golden pairs of STAIK_skeletons: marks of nodes, and skins."""
from bases_rig import ARMATURE, IDENTITY, TIP, add_matrices, moved, staik_rig, two_skeletons
from golden import case

MARK = "/nodes/3/extensions/STAIK_skeletons"
OWNER = "/skins/0/extensions/STAIK_skeletons"
UNMARKED = ["STAIK_JOINT_NOT_MARKED", "STAIK_SKIN_JOINT_NOT_MARKED"]


def mark(file, node=TIP):
    return file.json["nodes"][node]["extensions"]["STAIK_skeletons"]


def owner(file, skin=0):
    return file.json["skins"][skin]["extensions"]["STAIK_skeletons"]


@case("STAIK_NODE_SKELETON_NOT_INDEX", "staik/node/skeleton_not_index", at=MARK + "/skeleton", base=staik_rig, also=UNMARKED)
def _(file):
    mark(file)["skeleton"] = "body"


@case("STAIK_NODE_SKELETON_NOT_INDEX", "staik/node/skeleton_negative", at=MARK + "/skeleton", base=staik_rig, also=UNMARKED)
def _(file):
    mark(file)["skeleton"] = -1


@case(
    "STAIK_NODE_SKELETON_RANGE",
    "staik/node/skeleton_range",
    at=MARK + "/skeleton",
    base=staik_rig,
    also=["STAIK_NODE_SKELETON_MISMATCH", "STAIK_SKIN_JOINTS_MIXED"],
)
def _(file):
    mark(file)["skeleton"] = 1


@case("STAIK_NODE_NOT_IN_JOINTS", "staik/node/not_in_joints", at="/nodes/4/extensions/STAIK_skeletons/skeleton", base=staik_rig)
def _(file):
    file.json["nodes"].append({"name": "end", "extensions": {"STAIK_skeletons": {"skeleton": 0}}})
    file.json["nodes"][TIP]["children"] = [4]


@case("STAIK_NODE_MARK_EMPTY", "staik/node/mark_empty", at=MARK, base=staik_rig, also=UNMARKED)
def _(file):
    del mark(file)["skeleton"]


@case("STAIK_JOINT_HAS_CONTENT", "staik/node/joint_has_content", at="/nodes/3", base=staik_rig)
def _(file):
    file.json["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}]
    file.json["nodes"][TIP]["camera"] = 0


@case("STAIK_SKIN_OWNER_MISSING", "staik/skin/owner_missing", at=OWNER, base=staik_rig)
def _(file):
    del owner(file)["skeleton_owner"]


@case("STAIK_SKIN_OWNER_NOT_INDEX", "staik/skin/owner_not_index", at=OWNER + "/skeleton_owner", base=staik_rig)
def _(file):
    owner(file)["skeleton_owner"] = -1


@case("STAIK_SKIN_OWNER_RANGE", "staik/skin/owner_range", at=OWNER + "/skeleton_owner", base=staik_rig)
def _(file):
    owner(file)["skeleton_owner"] = 1


@case("STAIK_SKIN_WITHOUT_OWNER", "staik/skin/without_owner", at="/skins/0", base=staik_rig)
def _(file):
    del file.json["skins"][0]["extensions"]


def unlisted_joint(file):
    """A third joint of the skin, which the skeleton does not have."""
    file.json["nodes"].append({"name": "end"})
    file.json["nodes"][TIP]["children"] = [4]
    file.json["skins"][0]["joints"].append(4)
    file.json["skins"][0]["inverseBindMatrices"] = add_matrices(file, IDENTITY, moved(0, -1, 0), moved(0, -1, 0))


@case(
    "STAIK_SKIN_JOINT_NOT_MARKED", "staik/skin/joint_not_marked", at="/skins/0/joints/2", base=staik_rig, also=["STAIK_SKIN_JOINT_NOT_IN_SKELETON"]
)
def _(file):
    unlisted_joint(file)


@case(
    "STAIK_SKIN_JOINT_NOT_IN_SKELETON",
    "staik/skin/joint_not_in_skeleton",
    at="/skins/0/joints/2",
    base=staik_rig,
    also=["STAIK_NODE_NOT_IN_JOINTS"],
)
def _(file):
    unlisted_joint(file)
    file.json["nodes"][4]["extensions"] = {"STAIK_skeletons": {"skeleton": 0}}


@case("STAIK_SKIN_JOINTS_MIXED", "staik/skin/joints_mixed", at="/skins/0/joints", base=two_skeletons, also=["STAIK_SKIN_JOINT_NOT_IN_SKELETON"])
def _(file):
    file.json["skins"][0]["joints"].append(4)
    file.json["skins"][0]["skeleton"] = ARMATURE
    file.json["skins"][0]["inverseBindMatrices"] = add_matrices(file, IDENTITY, moved(0, -1, 0), IDENTITY)


@case("STAIK_SKIN_SKELETON_MISSING", "staik/skin/skeleton_missing", at="/skins/0", base=staik_rig)
def _(file):
    del file.json["skins"][0]["skeleton"]


def above(file, named):
    """The rig below one more node, and the skeleton of its skin."""
    file.json["nodes"].append({"name": "above", "children": [ARMATURE]})
    file.json["scenes"][0]["nodes"][1] = 4
    file.json["skins"][0]["skeleton"] = named


@case(
    "STAIK_SKIN_SKELETON_NOT_ROOT",
    "staik/skin/skeleton_not_root",
    at="/skins/0/skeleton",
    base=staik_rig,
    good=lambda file: above(file, ARMATURE),
)
def _(file):
    above(file, 4)


@case("STAIK_SKIN_SKELETON_IS_ROOT_PARENT", "staik/skin/skeleton_is_root_parent", at="/skins/0/skeleton", base=staik_rig)
def _(file):
    file.json["skins"][0]["skeleton"] = ARMATURE


def bound_to_nodes(file):
    """The two readings of a skin without matrices: bound at the stored pose, or with identities. Here they are the same."""
    file.json["nodes"][TIP].pop("translation")
    matrices = add_matrices(file, IDENTITY, IDENTITY)
    file.json["extensions"]["STAIK_skeletons"]["skeletons"][0]["inverseBindMatrices"] = matrices
    file.json["skins"][0]["inverseBindMatrices"] = matrices


@case("STAIK_SKIN_IBM_MISSING", "staik/skin/ibm_missing", at="/skins/0", base=staik_rig, good=bound_to_nodes)
def _(file):
    bound_to_nodes(file)
    del file.json["skins"][0]["inverseBindMatrices"]


@case("STAIK_SKIN_IBM_OVERRIDES", "staik/skin/ibm_overrides", at="/skins/0/inverseBindMatrices", base=staik_rig)
def _(file):
    file.json["skins"][0]["inverseBindMatrices"] = add_matrices(file, IDENTITY, moved(0, -1.5, 0))
