# SPDX-License-Identifier: MIT
"""Golden pairs of VRM 1.0: bones, expressions, the gaze, the first person."""
from bases_gltf import floats
from bases_gltf_rig import add_accessor, primitive
from bases_vrm import NODE, vrm1
from cases_vrm1_object import AVATAR, BIND, COLOUR, avatar, bind, colour
from golden import case

BONES = f"{AVATAR}/humanoid/humanBones"


def bones(file):
    return avatar(file)["humanoid"]["humanBones"]


def node(file, name):
    return file.json["nodes"][NODE[name]]


@case("VRM_BOTH_VERSIONS", "vrm/vrm1/both_versions", at="/extensions/VRM", base=vrm1, also=["VRM_BONE_REQUIRED"])
def _(file):
    file.json["extensionsUsed"].append("VRM")
    file.json["extensions"]["VRM"] = {"specVersion": "0.0"}


@case("VRM_BONE_REQUIRED", "vrm/vrm1/no_hand", at=BONES, base=vrm1)
def _(file):
    del bones(file)["rightHand"]


@case("VRM_BONE_UNKNOWN", "vrm/vrm1/tail_bone", at=f"{BONES}/tail", base=vrm1)
def _(file):
    bones(file)["tail"] = {"node": NODE["hair0"]}


@case("VRM_BONE_NODE_SHARED", "vrm/vrm1/bone_shared", at=f"{BONES}/jaw/node", base=vrm1)
def _(file):
    bones(file)["jaw"] = {"node": NODE["leftEye"]}


@case("VRM_BONE_PARENT", "vrm/vrm1/bone_elsewhere", at=f"{BONES}/jaw/node", base=vrm1)
def _(file):
    bones(file)["jaw"] = {"node": NODE["twist"]}


@case("VRM_BONE_PARENT_MISSING", "vrm/vrm1/upper_chest_alone", at=f"{BONES}/upperChest/node", base=vrm1)
def _(file):
    bones(file)["upperChest"] = bones(file).pop("chest")


@case("VRM_BONE_THUMB_NAMES", "vrm/vrm1/thumb", at=f"{BONES}/leftThumbIntermediate", base=vrm1)
def _(file):
    bones(file)["leftThumbIntermediate"] = {"node": NODE["twist"]}


@case("VRM_BONE_NOT_IN_SCENE", "vrm/vrm1/eye_outside", at=f"{BONES}/jaw/node", base=vrm1, also=["VRM_BONE_PARENT"])
def _(file):
    file.json["nodes"].append({"name": "lost"})
    file.json["scenes"].append({"nodes": [len(file.json["nodes"]) - 1]})
    bones(file)["jaw"] = {"node": len(file.json["nodes"]) - 1}


@case("VRM_BONE_SCALE", "vrm/vrm1/hand_mirrored", at=f"{BONES}/leftHand/node", base=vrm1, also=["VRM_NODE_SCALE_UNIFORM"])
def _(file):
    node(file, "leftHand")["scale"] = [-1, 1, 1]


@case("VRM_NODE_SCALE_UNIFORM", "vrm/vrm1/hair_stretched", at=f"/nodes/{NODE['hair1']}", base=vrm1)
def _(file):
    node(file, "hair1")["scale"] = [1, 2, 1]


@case("VRM_EXPRESSION_PRESET_UNKNOWN", "vrm/vrm1/preset_unknown", at=f"{AVATAR}/expressions/preset/joy", base=vrm1)
def _(file):
    preset = avatar(file)["expressions"]["preset"]
    preset["joy"] = preset.pop("happy")


@case("VRM_EXPRESSION_CUSTOM_IS_PRESET", "vrm/vrm1/custom_is_preset", at=f"{AVATAR}/expressions/custom/angry", base=vrm1)
def _(file):
    custom = avatar(file)["expressions"]["custom"]
    custom["angry"] = custom.pop("pale")


@case("VRM_EXPRESSION_NODE_NO_MESH", "vrm/vrm1/bind_without_mesh", at=f"{BIND}/node", base=vrm1)
def _(file):
    avatar(file)["expressions"]["preset"]["happy"]["materialColorBinds"] = [{**colour(file), "type": "color"}]
    bind(file)["node"] = NODE["head"]


@case("VRM_EXPRESSION_BIND_DUPLICATE", "vrm/vrm1/bind_twice", at=BIND[:-1] + "1", base=vrm1)
def _(file):
    avatar(file)["expressions"]["preset"]["happy"]["morphTargetBinds"].append(dict(bind(file)))


@case("VRM_EXPRESSION_COLOR_UNUSED", "vrm/vrm1/colour_of_toon", at=COLOUR, base=vrm1)
def _(file):
    del file.json["materials"][0]["extensions"]["VRMC_materials_mtoon"]
    file.json["extensionsUsed"].remove("VRMC_materials_mtoon")


@case("VRM_EXPRESSION_OVERRIDES_OWN_KIND", "vrm/vrm1/mouth_overrides_mouth", at=f"{AVATAR}/expressions/preset/aa/overrideMouth", base=vrm1)
def _(file):
    preset = avatar(file)["expressions"]["preset"]
    preset["aa"] = {**preset.pop("happy"), "overrideMouth": "block"}


@case("VRM_MORPH_COUNT_DIFFERS", "vrm/vrm1/morph_count", at="/meshes/0", base=vrm1, also=["MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT"])
def _(file):
    first = primitive(file)
    more = add_accessor(file, floats(*(0, 0, 0) * 4), 5126, 4, "VEC3", 34962, min=[0, 0, 0], max=[0, 0, 0])
    file.json["meshes"][0]["primitives"].append({**first, "targets": [*first["targets"], {"POSITION": more}]})


@case("VRM_LOOKAT_EYES", "vrm/vrm1/one_eye", at=f"{AVATAR}/lookAt/type", base=vrm1)
def _(file):
    del bones(file)["rightEye"]


@case("VRM_LOOKAT_EXPRESSIONS", "vrm/vrm1/look_without_expressions", at=f"{AVATAR}/lookAt/type", base=vrm1)
def _(file):
    avatar(file)["lookAt"]["type"] = "expression"


@case("VRM_LOOKAT_RANGE", "vrm/vrm1/look_range", at=f"{AVATAR}/lookAt/rangeMapVerticalUp/inputMaxValue", base=vrm1)
def _(file):
    avatar(file)["lookAt"]["rangeMapVerticalUp"]["inputMaxValue"] = 0


def annotations(file):
    return avatar(file)["firstPerson"]["meshAnnotations"]


@case("VRM_FIRSTPERSON_NODE_NO_MESH", "vrm/vrm1/first_person_without_mesh", at=f"{AVATAR}/firstPerson/meshAnnotations/0/node", base=vrm1)
def _(file):
    annotations(file)[0]["node"] = NODE["head"]


@case("VRM_FIRSTPERSON_DUPLICATE", "vrm/vrm1/first_person_twice", at=f"{AVATAR}/firstPerson/meshAnnotations/1", base=vrm1)
def _(file):
    annotations(file).append({"node": NODE["body"], "type": "both"})
