# SPDX-License-Identifier: MIT
"""Golden pairs of STAIK_skeletons: the document and its skeletons."""
import struct

from bases_rig import ARMATURE, BINDS, IDENTITY, ROOT, TIP, add_accessor, add_matrices, moved, staik_rig, two_skeletons
from golden import case

LIST = "/extensions/STAIK_skeletons/skeletons"
OTHER = 4  # the second skeleton's joint in two_skeletons


def skeleton(file, index=0):
    return file.json["extensions"]["STAIK_skeletons"]["skeletons"][index]


def unmark(file, node):
    del file.json["nodes"][node]["extensions"]


@case("STAIK_NOT_DECLARED", "staik/document/not_declared", at="/", base=staik_rig, also=["UNDECLARED_EXTENSION"])
def _(file):
    del file.json["extensionsUsed"]


@case("STAIK_REQUIRED", "staik/document/required", at="/extensionsRequired", base=staik_rig)
def _(file):
    file.json["extensionsRequired"] = ["STAIK_skeletons"]


@case(
    "STAIK_SKELETONS_MISSING", "staik/document/skeletons_missing", at="/extensions/STAIK_skeletons", base=staik_rig, also=["STAIK_SKIN_OWNER_RANGE"]
)
def _(file):
    del file.json["extensions"]["STAIK_skeletons"]["skeletons"]


@case(
    "STAIK_SKELETONS_EMPTY",
    "staik/document/skeletons_empty",
    at=LIST,
    base=staik_rig,
    also=["STAIK_NODE_SKELETON_RANGE", "STAIK_SKIN_OWNER_RANGE"],
)
def _(file):
    file.json["extensions"]["STAIK_skeletons"]["skeletons"] = []


@case("STAIK_ROOT_MISSING", "staik/skeleton/root_missing", at=LIST + "/0", base=staik_rig)
def _(file):
    del skeleton(file)["root"]


@case("STAIK_ROOT_RANGE", "staik/skeleton/root_range", at=LIST + "/0/root", base=staik_rig)
def _(file):
    skeleton(file)["root"] = 4


@case(
    "STAIK_ROOT_NOT_JOINT",
    "staik/skeleton/root_not_joint",
    at=LIST + "/0/root",
    base=staik_rig,
    also=["STAIK_JOINT_NOT_MARKED", "STAIK_SKIN_JOINT_NOT_MARKED"],
)
def _(file):
    unmark(file, ROOT)


@case(
    "STAIK_ROOT_NOT_IN_JOINTS",
    "staik/skeleton/root_not_in_joints",
    at=LIST + "/0/root",
    base=staik_rig,
    also=["STAIK_NODE_NOT_IN_JOINTS", "STAIK_SKIN_JOINT_NOT_IN_SKELETON"],
)
def _(file):
    skeleton(file)["joints"].remove(ROOT)


@case("STAIK_ROOT_NOT_TOPMOST", "staik/skeleton/root_not_topmost", at=LIST + "/0/root", base=staik_rig)
def _(file):
    skeleton(file)["root"] = TIP
    file.json["skins"][0]["skeleton"] = ROOT


def hint_only(file):
    """skin.skeleton is the root's parent: valid in a later draft."""
    file.json["skins"][0]["skeleton"] = ARMATURE


@case(
    "STAIK_ROOT_NOT_UNIQUE",
    "staik/skeleton/root_not_unique",
    at=LIST + "/1/root",
    base=two_skeletons,
    also=["STAIK_ROOT_NOT_JOINT", "STAIK_ROOT_NOT_IN_JOINTS", "STAIK_ROOT_NOT_TOPMOST", "STAIK_SKIN_SKELETON_NOT_ROOT"],
)
def _(file):
    skeleton(file, 1)["root"] = ROOT


@case("STAIK_JOINTS_MISSING", "staik/skeleton/joints_missing", at=LIST + "/0", base=staik_rig)
def _(file):
    del skeleton(file)["joints"]


@case("STAIK_JOINTS_EMPTY", "staik/skeleton/joints_empty", at=LIST + "/0/joints", base=staik_rig)
def _(file):
    skeleton(file)["joints"] = []


@case("STAIK_JOINT_DUPLICATE", "staik/skeleton/joint_duplicate", at=LIST + "/0/joints/2", base=staik_rig, also=["STAIK_IBM_COUNT"])
def _(file):
    skeleton(file)["joints"].append(TIP)


@case("STAIK_JOINT_RANGE", "staik/skeleton/joint_range", at=LIST + "/0/joints/1", base=staik_rig)
def _(file):
    skeleton(file)["joints"][1] = 4


@case(
    "STAIK_JOINT_NOT_MARKED", "staik/skeleton/joint_not_marked", at=LIST + "/0/joints/1", base=staik_rig, also=["STAIK_SKIN_JOINT_NOT_MARKED"]
)
def _(file):
    unmark(file, TIP)


@case(
    "STAIK_NODE_SKELETON_MISMATCH",
    "staik/skeleton/joint_of_another",
    at=LIST + "/0/joints/1",
    base=two_skeletons,
    also=["STAIK_NODE_NOT_IN_JOINTS", "STAIK_SKIN_JOINTS_MIXED"],
)
def _(file):
    file.json["nodes"][TIP]["extensions"]["STAIK_skeletons"]["skeleton"] = 1


@case(
    "STAIK_JOINT_REUSED",
    "staik/skeleton/joint_reused",
    at=LIST + "/1/joints/1",
    base=two_skeletons,
    also=["STAIK_NODE_SKELETON_MISMATCH", "STAIK_ROOT_NOT_TOPMOST", "STAIK_MULTIPLE_ROOTS"],
)
def _(file):
    skeleton(file, 1)["joints"].append(TIP)
    skeleton(file, 1)["inverseBindMatrices"] = BINDS


@case("STAIK_JOINTS_NOT_CONTIGUOUS", "staik/skeleton/joints_not_contiguous", at=LIST + "/0/joints", base=staik_rig)
def _(file):
    file.json["nodes"].append({"name": "between", "children": [TIP]})
    file.json["nodes"][ROOT]["children"] = [4]


@case("STAIK_MULTIPLE_ROOTS", "staik/skeleton/multiple_roots", at=LIST + "/0/joints", base=staik_rig, also=["STAIK_ROOT_NOT_TOPMOST"], good=hint_only)
def _(file):
    del file.json["nodes"][ROOT]["children"]
    file.json["nodes"][ARMATURE]["children"] = [ROOT, TIP]
    file.json["skins"][0]["skeleton"] = ARMATURE


@case("STAIK_IBM_RANGE", "staik/skeleton/ibm_range", at=LIST + "/0/inverseBindMatrices", base=staik_rig)
def _(file):
    skeleton(file)["inverseBindMatrices"] = 4


@case("STAIK_IBM_FORMAT", "staik/skeleton/ibm_format", at=LIST + "/0/inverseBindMatrices", base=staik_rig)
def _(file):
    skeleton(file)["inverseBindMatrices"] = add_accessor(file, struct.pack("<8f", *range(8)), componentType=5126, count=2, type="VEC4")


@case("STAIK_IBM_COUNT", "staik/skeleton/ibm_count", at=LIST + "/0/inverseBindMatrices", base=staik_rig)
def _(file):
    skeleton(file)["inverseBindMatrices"] = add_matrices(file, IDENTITY)


@case("STAIK_IBM_LAST_ROW", "staik/skeleton/ibm_last_row", at=LIST + "/0/inverseBindMatrices", base=staik_rig)
def _(file):
    skeleton(file)["inverseBindMatrices"] = add_matrices(file, IDENTITY, moved(0, -1, 0)[:15] + (1.0005,))


@case("STAIK_IBM_MISSING", "staik/skeleton/ibm_missing", at=LIST + "/0", base=staik_rig)
def _(file):
    del skeleton(file)["inverseBindMatrices"]



@case("STAIK_SKELETON_UNUSED", "staik/skeleton/unused", at=LIST + "/1", base=two_skeletons)
def _(file):
    del file.json["skins"][1]
    del file.json["nodes"][5]["skin"], file.json["nodes"][5]["mesh"]
    del file.json["meshes"][1]
