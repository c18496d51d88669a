# SPDX-License-Identifier: MIT
"""Golden pairs of VRM 1.0: properties, indices, meta, materials."""
from bases_gltf import floats
from bases_gltf_rig import add_attribute
from bases_visual import webp
from bases_vrm import picture, vrm1
from golden import case

AVATAR, SPRINGS = "/extensions/VRMC_vrm", "/extensions/VRMC_springBone"
TOON = "/materials/0/extensions/VRMC_materials_mtoon"
BIND = f"{AVATAR}/expressions/preset/happy/morphTargetBinds/0"
COLOUR = f"{AVATAR}/expressions/custom/pale/materialColorBinds/0"


def avatar(file):
    return file.json["extensions"]["VRMC_vrm"]


def meta(file):
    return avatar(file)["meta"]


def springs(file):
    return file.json["extensions"]["VRMC_springBone"]


def bind(file):
    return avatar(file)["expressions"]["preset"]["happy"]["morphTargetBinds"][0]


def colour(file):
    return avatar(file)["expressions"]["custom"]["pale"]["materialColorBinds"][0]


def toon(file):
    return file.json["materials"][0]["extensions"]["VRMC_materials_mtoon"]


def pair(code, name, at, set_value, also=(), good=None):
    """A pair whose defect sets or removes one value: (object, key, value), or (object, key)."""

    @case(code, f"vrm/vrm1/{name}", at=at, base=vrm1, also=also, good=good)
    def _(file):
        holder, key, *value = set_value
        if value:
            holder(file)[key] = value[0]
        else:
            del holder(file)[key]


@case("VRM_EXTENSION_NOT_USED", "vrm/vrm1/springs_not_used", at=SPRINGS, base=vrm1, also=["UNDECLARED_EXTENSION"])
def _(file):
    file.json["extensionsUsed"].remove("VRMC_springBone")


pair("VRM_SPEC_VERSION", "version_beta", f"{AVATAR}/specVersion", (avatar, "specVersion", "1.0-beta"))
pair("VRM_SPEC_VERSION", "springs_version", f"{SPRINGS}/specVersion", (springs, "specVersion", "2.0"))


@case("VRM_NOT_GLB", "vrm/vrm1/not_glb", at=AVATAR, base=vrm1)
def _(file):
    file.container = "gltf"
    file.json["buffers"][0]["uri"] = "auto"


pair("VRM_REQUIRED_PROPERTY", "no_meta", AVATAR, (avatar, "meta"))
pair("VRM_REQUIRED_PROPERTY", "no_version", AVATAR, (avatar, "specVersion"))
pair("VRM_REQUIRED_PROPERTY", "bind_without_weight", BIND, (bind, "weight"))
pair("VRM_REQUIRED_PROPERTY", "toon_without_version", TOON, (toon, "specVersion"))
pair("VRM_TYPE", "name_is_a_number", f"{AVATAR}/meta/name", (meta, "name", 7))
pair("VRM_TYPE", "colour_of_three", f"{COLOUR}/targetValue", (colour, "targetValue", [1, 1, 1]))
pair("VRM_ENUM", "credit", f"{AVATAR}/meta/creditNotation", (meta, "creditNotation", "optional"))
pair("VRM_ENUM", "outline_mode", f"{TOON}/outlineWidthMode", (toon, "outlineWidthMode", "World"))
pair("VRM_VALUE_RANGE", "bind_weight", f"{BIND}/weight", (bind, "weight", 100))
pair("VRM_VALUE_RANGE", "queue_offset", f"{TOON}/renderQueueOffsetNumber", (toon, "renderQueueOffsetNumber", 10))
pair("VRM_ARRAY_EMPTY", "no_authors", f"{AVATAR}/meta/authors", (meta, "authors", []))
pair("VRM_ARRAY_EMPTY", "no_references", f"{AVATAR}/meta/references", (meta, "references", []))
pair("VRM_INDEX_NODE", "bone_of_no_node", f"{AVATAR}/humanoid/humanBones/hips/node", (lambda file: avatar(file)["humanoid"]["humanBones"]["hips"], "node", 9999))
pair("VRM_INDEX_NODE", "spring_of_no_node", f"{SPRINGS}/springs/0/joints/2/node", (lambda file: springs(file)["springs"][0]["joints"][2], "node", -1))
pair("VRM_INDEX_MATERIAL", "colour_of_no_material", f"{COLOUR}/material", (colour, "material", 1))
pair("VRM_INDEX_TEXTURE", "shade_of_no_texture", f"{TOON}/shadeMultiplyTexture/index", (lambda file: toon(file)["shadeMultiplyTexture"], "index", 1))
pair("VRM_INDEX_IMAGE", "thumbnail_of_no_image", f"{AVATAR}/meta/thumbnailImage", (meta, "thumbnailImage", 1))
pair("VRM_INDEX_MORPH_TARGET", "bind_of_no_target", f"{BIND}/index", (bind, "index", 1))
pair("VRM_INDEX_COLLIDER", "group_of_no_collider", f"{SPRINGS}/colliderGroups/0/colliders/1", (lambda file: springs(file)["colliderGroups"][0], "colliders", [0, 1]))
pair("VRM_INDEX_COLLIDER_GROUP", "spring_of_no_group", f"{SPRINGS}/springs/0/colliderGroups/1", (lambda file: springs(file)["springs"][0], "colliderGroups", [0, 1]))

pair("VRM_META_LICENSE_URL", "licence", f"{AVATAR}/meta/licenseUrl", (meta, "licenseUrl", "https://example.com/"))
pair("VRM_META_EMPTY", "name_empty", f"{AVATAR}/meta/name", (meta, "name", ""))
pair("VRM_META_EMPTY", "author_empty", f"{AVATAR}/meta/authors/1", (meta, "authors", ["somebody", ""]))
pair("VRM_META_MODIFICATION", "modification", f"{AVATAR}/meta/modification", (meta, "modification", "prohibited"))


def set_picture(file, data):
    view = file.json["bufferViews"][file.json["images"][0]["bufferView"]]
    view["byteOffset"], view["byteLength"] = file.append(data), len(data)


def webp_allowed(file):
    file.json["extensionsUsed"].append("EXT_texture_webp")


@case("VRM_THUMBNAIL_FORMAT", "vrm/vrm1/thumbnail_webp", at="/images/1", base=vrm1, also=["VRM_THUMBNAIL_SQUARE"])
def _(file):
    webp_allowed(file)
    file.json["bufferViews"].append({"buffer": 0, "byteOffset": file.append(webp()), "byteLength": len(webp())})
    file.json["images"].append({"bufferView": len(file.json["bufferViews"]) - 1, "mimeType": "image/webp"})
    file.json["textures"].append({"extensions": {"EXT_texture_webp": {"source": 1}}})
    meta(file)["thumbnailImage"] = 1


@case("VRM_THUMBNAIL_SQUARE", "vrm/vrm1/thumbnail_wide", at="/images/0", base=vrm1)
def _(file):
    set_picture(file, picture(1024, 512))


@case("VRM_THUMBNAIL_SIZE", "vrm/vrm1/thumbnail_small", at="/images/0", base=vrm1)
def _(file):
    set_picture(file, picture(256, 256))


@case("VRM_MTOON_UNLIT", "vrm/vrm1/toon_not_unlit", at="/materials/0", base=vrm1)
def _(file):
    del file.json["materials"][0]["extensions"]["KHR_materials_unlit"]
    file.json["extensionsUsed"].remove("KHR_materials_unlit")


@case("VRM_TEXTURE_TRANSFORM", "vrm/vrm1/texture_turned", at=f"{TOON}/shadeMultiplyTexture/extensions/KHR_texture_transform/rotation", base=vrm1)
def _(file):
    file.json["extensionsUsed"].append("KHR_texture_transform")
    toon(file)["shadeMultiplyTexture"]["extensions"] = {"KHR_texture_transform": {"offset": [0.5, 0], "rotation": 1}}


@case("VRM_TANGENT", "vrm/vrm1/tangents", at="/meshes/0/primitives/0", base=vrm1)
def _(file):
    add_attribute(file, "NORMAL", floats(*(0, 0, 1) * 4), 5126, "VEC3", 4)
    add_attribute(file, "TANGENT", floats(*(1, 0, 0, 1) * 4), 5126, "VEC4", 4)


@case("VRM_TARGET_NAMES", "vrm/vrm1/target_names", at="/meshes/0", base=vrm1)
def _(file):
    del file.json["meshes"][0]["extras"]


