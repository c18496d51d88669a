# SPDX-License-Identifier: MIT
"""Golden pairs of VRM 0.x."""
from bases_vrm import NODE, vrm0
from golden import case

AVATAR = "/extensions/VRM"
BONES = f"{AVATAR}/humanoid/humanBones"
GROUP = f"{AVATAR}/blendShapeMaster/blendShapeGroups/0"
SWING = f"{AVATAR}/secondaryAnimation/boneGroups/0"


def avatar(file):
    return file.json["extensions"]["VRM"]


def meta(file):
    return avatar(file)["meta"]


def bones(file):
    return avatar(file)["humanoid"]["humanBones"]


def group(file):
    return avatar(file)["blendShapeMaster"]["blendShapeGroups"][0]


def swing(file):
    return avatar(file)["secondaryAnimation"]["boneGroups"][0]


def first_person(file):
    return avatar(file)["firstPerson"]


def pair(code, name, at, holder, key, value, also=()):
    """A pair whose defect sets one value."""

    @case(code, f"vrm/vrm0/{name}", at=at, base=vrm0, also=also)
    def _(file):
        holder(file)[key] = value


@case("VRM_EXTENSION_NOT_USED", "vrm/vrm0/not_used", at=AVATAR, base=vrm0, also=["UNDECLARED_EXTENSION"])
def _(file):
    del file.json["extensionsUsed"]


pair("VRM_SPEC_VERSION", "version", f"{AVATAR}/specVersion", avatar, "specVersion", "1.0")
pair("VRM_TYPE", "binary_is_a_number", f"{GROUP}/isBinary", group, "isBinary", 1)
pair("VRM_ENUM", "licence", f"{AVATAR}/meta/licenseName", meta, "licenseName", "MIT")
pair("VRM_ENUM", "preset", f"{GROUP}/presetName", group, "presetName", "happy")
pair("VRM_ENUM", "first_person_flag", f"{AVATAR}/firstPerson/meshAnnotations/0/firstPersonFlag", lambda file: first_person(file)["meshAnnotations"][0], "firstPersonFlag", "Never")
pair("VRM_VALUE_RANGE", "bind_weight", f"{GROUP}/binds/0/weight", lambda file: group(file)["binds"][0], "weight", 101)
pair("VRM_INDEX_NODE", "bone_of_no_node", f"{BONES}/0/node", lambda file: bones(file)[0], "node", 9999)
pair("VRM_INDEX_NODE", "spring_of_no_node", f"{SWING}/bones/0", swing, "bones", [9999])
pair("VRM_INDEX_MESH", "bind_of_no_mesh", f"{GROUP}/binds/0/mesh", lambda file: group(file)["binds"][0], "mesh", 1)
pair("VRM_INDEX_TEXTURE", "thumbnail_of_no_texture", f"{AVATAR}/meta/texture", meta, "texture", 1)
pair("VRM_INDEX_TEXTURE", "shade_of_no_texture", f"{AVATAR}/materialProperties/0/textureProperties/_ShadeTexture", lambda file: avatar(file)["materialProperties"][0]["textureProperties"], "_ShadeTexture", 1)
pair("VRM_INDEX_MORPH_TARGET", "bind_of_no_target", f"{GROUP}/binds/0/index", lambda file: group(file)["binds"][0], "index", 1)
pair("VRM_INDEX_COLLIDER_GROUP", "spring_of_no_group", f"{SWING}/colliderGroups/1", swing, "colliderGroups", [0, 1])


@case("VRM_BONE_REQUIRED", "vrm/vrm0/no_hand", at=BONES, base=vrm0)
def _(file):
    bones(file)[:] = [bone for bone in bones(file) if bone["bone"] != "leftHand"]


@case("VRM_BONE_REQUIRED", "vrm/vrm0/no_neck", at=BONES, base=vrm0)
def _(file):
    next(bone for bone in bones(file) if bone["bone"] == "neck")["node"] = -1


@case("VRM_BONE_UNKNOWN", "vrm/vrm0/tail_bone", at=f"{BONES}/19/bone", base=vrm0)
def _(file):
    bones(file).append({"bone": "tail", "node": NODE["hair0"]})


@case("VRM_BONE_DUPLICATE", "vrm/vrm0/bone_twice", at=f"{BONES}/19/bone", base=vrm0)
def _(file):
    bones(file).append({"bone": "head", "node": NODE["hair0"]})


@case("VRM_BONE_NODE_SHARED", "vrm/vrm0/bone_shared", at=f"{BONES}/19/node", base=vrm0)
def _(file):
    bones(file).append({"bone": "jaw", "node": NODE["leftEye"]})


@case("VRM_BONE_PARENT_MISSING", "vrm/vrm0/finger_alone", at=f"{BONES}/19/node", base=vrm0)
def _(file):
    file.json["nodes"][NODE["leftHand"]]["children"] = [len(file.json["nodes"])]
    file.json["nodes"].append({"name": "finger", "translation": [-0.1, 0, 0]})
    bones(file).append({"bone": "leftIndexDistal", "node": len(file.json["nodes"]) - 1})


@case("VRM0_BONE_TRANSFORM", "vrm/vrm0/bone_turned", at=f"{BONES}/4/node", base=vrm0)
def _(file):
    file.json["nodes"][NODE["head"]]["rotation"] = [0, 0.1, 0, 0.99498743710662]


@case("VRM_META_EMPTY", "vrm/vrm0/title_empty", at=f"{AVATAR}/meta/title", base=vrm0)
def _(file):
    meta(file)["title"] = ""


pair("VRM_META_OTHER_URL", "other_licence", f"{AVATAR}/meta/licenseName", meta, "licenseName", "Other")
pair("VRM_META_MODIFICATION", "no_derivatives", f"{AVATAR}/meta/licenseName", meta, "licenseName", "CC_BY_ND")


@case("VRM_EXPRESSION_DUPLICATE", "vrm/vrm0/expression_twice", at=GROUP[:-1] + "1", base=vrm0)
def _(file):
    avatar(file)["blendShapeMaster"]["blendShapeGroups"].append({**group(file), "presetName": "Joy"})


@case("VRM_EXPRESSION_BIND_DUPLICATE", "vrm/vrm0/bind_twice", at=f"{GROUP}/binds/1", base=vrm0)
def _(file):
    group(file)["binds"].append(dict(group(file)["binds"][0]))


@case("VRM_EXPRESSION_MESH_UNUSED", "vrm/vrm0/bind_of_unused_mesh", at=f"{GROUP}/binds/1/mesh", base=vrm0)
def _(file):
    file.json["meshes"].append(file.json["meshes"][0])
    group(file)["binds"].append({"mesh": 1, "index": 0, "weight": 100})


@case("VRM_EXPRESSION_MATERIAL_NAME", "vrm/vrm0/value_of_no_material", at=f"{GROUP}/materialValues/0/materialName", base=vrm0)
def _(file):
    group(file)["materialValues"][0]["materialName"] = "Skin"


pair("VRM_LOOKAT_RANGE", "look_range", f"{AVATAR}/firstPerson/lookAtVerticalUp/xRange", lambda file: first_person(file)["lookAtVerticalUp"], "xRange", 0)


@case("VRM_FIRSTPERSON_DUPLICATE", "vrm/vrm0/first_person_twice", at=f"{AVATAR}/firstPerson/meshAnnotations/1", base=vrm0)
def _(file):
    first_person(file)["meshAnnotations"].append({"mesh": 0, "firstPersonFlag": "Both"})


@case("VRM_SPRING_ROOT_NESTED", "vrm/vrm0/roots_nested", at=f"{SWING}/bones/1", base=vrm0)
def _(file):
    swing(file)["bones"].append(NODE["hair1"])


@case("VRM_SPRING_IS_BONE", "vrm/vrm0/spring_is_bone", at=f"{BONES}/19/node", base=vrm0)
def _(file):
    bones(file).append({"bone": "jaw", "node": NODE["hair1"]})


pair("VRM_SPRING_NO_GRAVITY_DIR", "gravity", f"{SWING}/gravityDir", swing, "gravityDir", {"x": 0, "y": 0, "z": 0})
pair("VRM_COLLIDER_GROUP_UNUSED", "group_unused", f"{AVATAR}/secondaryAnimation/colliderGroups/0", swing, "colliderGroups", [])
pair("VRM_MATERIAL_COUNT", "material_count", f"{AVATAR}/materialProperties", avatar, "materialProperties", [])
pair("VRM_MATERIAL_NAME", "material_name", f"{AVATAR}/materialProperties/0/name", lambda file: avatar(file)["materialProperties"][0], "name", "hair")
