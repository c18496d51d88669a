# SPDX-License-Identifier: MIT
"""Golden pairs of the skeleton dialects. Files that declare a dialect are checked against it; for others an option selects it."""
from bases_gltf import floats
from bases_rig import ARMATURE, BINDS, IDENTITY, MESH, ROOT, TIP, add_accessor, add_matrices, moved, rig, staik_rig
from golden import case

STAIK = ("--profile", "staik")
G4MF = ("--profile", "g4mf")
BONE = "KHR_skeleton_bone"
TIP_BONE = f"/nodes/3/extensions/{BONE}"


def strict_rig():
    """A rig that follows KHR_skin_strict."""
    file = rig()
    file.json["extensionsUsed"] = ["KHR_skin_strict"]
    return file


def bone_rig():
    """A rig that follows KHR_skeleton_bone: its root contains bones and mesh, the tip starts at the other bone's tail."""
    file = rig()
    file.json["extensionsUsed"] = [BONE]
    file.json["skins"][0]["skeleton"] = ARMATURE
    file.json["nodes"][ARMATURE]["children"] = [ROOT, MESH]
    file.json["scenes"][0]["nodes"] = [ARMATURE]
    file.json["nodes"][ROOT]["extensions"] = {BONE: {"length": 1}}
    file.json["nodes"][TIP]["extensions"] = {BONE: {"connected": True}}
    return file


def bone(file, node=TIP):
    return file.json["nodes"][node]["extensions"][BONE]


@case("GLTF_SKELETON_BONE_VALUE", "gltf/skeleton_bone/value", at=TIP_BONE + "/connected", base=bone_rig)
def _(file):
    bone(file)["connected"] = "yes"


@case("GLTF_SKELETON_BONE_UNKNOWN", "gltf/skeleton_bone/unknown", at=TIP_BONE + "/size", base=bone_rig)
def _(file):
    bone(file)["size"] = 1


@case("GLTF_SKELETON_BONE_LENGTH", "gltf/skeleton_bone/length_negative", at=TIP_BONE + "/length", base=bone_rig)
def _(file):
    bone(file)["length"] = -1


@case("SINEW_SKELETON_NOT_NAMED", "model/skeleton/not_named", at="/skins/0", base=bone_rig)
def _(file):
    del file.json["skins"][0]["skeleton"]


@case("SINEW_SKELETON_OTHER_NODE", "model/skeleton/other_node", at="/skins/0/skeleton", base=strict_rig)
def _(file):
    file.json["skins"][0]["skeleton"] = ARMATURE


@case("SINEW_SKELETON_ROOT_IS_BONE", "model/skeleton/root_is_bone", at="/nodes/2", base=bone_rig)
def _(file):
    file.json["skins"][0]["skeleton"] = ROOT


@case("SINEW_SKELETON_SEVERAL_TOPS", "model/skeleton/several_tops", at="/nodes/3", base=strict_rig)
def _(file):
    del file.json["nodes"][ROOT]["children"]
    file.json["nodes"][ARMATURE]["children"] = [ROOT, TIP]
    file.json["skins"][0]["skeleton"] = ARMATURE


@case("SINEW_SKELETON_GAP", "model/skeleton/gap", at="/nodes/4", base=bone_rig)
def _(file):
    file.json["nodes"].append({"name": "between", "children": [TIP]})
    file.json["nodes"][ROOT]["children"] = [4]


@case("SINEW_SKELETON_GAP", "model/skeleton/gap_below_root", at="/nodes/4", base=bone_rig)
def _(file):
    file.json["nodes"].append({"name": "between", "children": [TIP]})
    del file.json["nodes"][ROOT]["children"]
    file.json["nodes"][ARMATURE]["children"].append(4)


def second_skin(file, skeleton):
    file.json["skins"].append({"joints": [ROOT, TIP], "skeleton": skeleton, "inverseBindMatrices": BINDS})
    file.json["nodes"].append({"name": "second", "mesh": 0, "skin": 1})


@case("SINEW_SKELETON_BONE_SHARED", "model/skeleton/bone_shared", at="/nodes/2", base=strict_rig)
def _(file):
    second_skin(file, ROOT)
    file.json["scenes"][0]["nodes"].append(4)


@case("SINEW_SKELETON_ROOTS_DIFFER", "model/skeleton/roots_differ", at="/skins/1/skeleton", base=bone_rig)
def _(file):
    second_skin(file, 5)
    file.json["nodes"].append({"name": "above", "children": [ARMATURE, 4]})
    file.json["scenes"][0]["nodes"] = [5]


@case("SINEW_SKELETON_SEVERAL_SKINS", "model/skeleton/several_skins", at="/skins/1", base=bone_rig)
def _(file):
    second_skin(file, ARMATURE)
    file.json["nodes"][ARMATURE]["children"].append(4)


@case("SINEW_SKELETON_MESH_PLACE", "model/skeleton/mesh_place", at="/nodes/0", base=bone_rig)
def _(file):
    file.json["nodes"][ARMATURE]["children"] = [ROOT]
    file.json["scenes"][0]["nodes"] = [ARMATURE, MESH]


@case("SINEW_SKELETON_BONE_CONTENT", "model/skeleton/bone_content", at="/nodes/3", base=bone_rig)
def _(file):
    file.json["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}]
    file.json["nodes"][TIP]["camera"] = 0


def become_staik(file):
    file.json = staik_rig().json


@case("SINEW_SKELETON_NOT_MARKED", "model/skeleton/not_marked", at="/nodes/2", base=rig, good=become_staik, options=STAIK)
def _(file):
    pass


@case("SINEW_SKELETON_REQUIRED", "model/skeleton/required", at="/extensionsRequired/0", base=strict_rig)
def _(file):
    file.json["extensionsRequired"] = ["KHR_skin_strict"]


@case("SINEW_SKELETON_JOINT_ORDER", "model/skeleton/joint_order", at="/skins/0/joints/1", base=rig, options=G4MF)
def _(file):
    file.json["skins"][0]["joints"] = [TIP, ROOT]
    file.json["skins"][0]["inverseBindMatrices"] = add_matrices(file, moved(0, -1, 0), IDENTITY)


@case("SINEW_SKELETON_BIND_IMPLIED", "model/skeleton/bind_implied", at="/skins/0", base=rig, options=G4MF)
def _(file):
    del file.json["skins"][0]["inverseBindMatrices"]


@case("SINEW_SKELETON_WITHOUT_ROOT", "model/skeleton/without_root", at="/nodes/2", base=bone_rig)
def _(file):
    del file.json["skins"], file.json["nodes"][MESH]["skin"]
    attributes = file.json["meshes"][0]["primitives"][0]["attributes"]
    del attributes["JOINTS_0"], attributes["WEIGHTS_0"]


@case("SINEW_SKELETON_CONNECTED_OFFSET", "model/skeleton/connected_offset", at="/nodes/3", base=bone_rig)
def _(file):
    file.json["nodes"][TIP]["translation"] = [0, 1.5, 0]


@case("SINEW_SKELETON_CONNECTED_ANIMATED", "model/skeleton/connected_animated", at="/nodes/3", base=bone_rig)
def _(file):
    times = add_accessor(file, floats(0, 1), componentType=5126, count=2, type="SCALAR", min=[0], max=[1])
    places = add_accessor(file, floats(0, 1, 0, 0, 2, 0), componentType=5126, count=2, type="VEC3")
    channel = {"sampler": 0, "target": {"node": TIP, "path": "translation"}}
    file.json["animations"] = [{"samplers": [{"input": times, "output": places}], "channels": [channel]}]


@case("SINEW_SKELETON_CONNECTED_NO_LENGTH", "model/skeleton/connected_no_length", at="/nodes/3", base=bone_rig)
def _(file):
    del bone(file, ROOT)["length"]


@case("SINEW_SKELETON_CONNECTED_TOP", "model/skeleton/connected_top", at="/nodes/2", base=bone_rig)
def _(file):
    bone(file, ROOT)["connected"] = True
