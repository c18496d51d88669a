// SPDX-License-Identifier: MIT
#include "gltf/extensions/VRM.hpp"

namespace sinew::gltf::vrm {

namespace {

// VRM 0.x: one object at the root. An index of -1 means none. Nothing is required by its schema; what is required here is what a reference
// needs.

constexpr row::TableOf vector_table{{row::number("x", 0), row::number("y", 0), row::number("z", 0)}};
constexpr row::TableOf bone_table{{
    text("bone"),
    or_none(row::index("node", Reference::node, row::Need::required)),
    row::boolean("useDefaultValues"),
    facts("min", vector_table),
    facts("max", vector_table),
    facts("center", vector_table),
    row::number("axisLength", 0),
}};
constexpr row::TableOf humanoid_table{{
    row::objects("humanBones", bone_table),
    row::number("armStretch", 0.05),
    row::number("legStretch", 0.05),
    row::number("upperArmTwist", 0.5),
    row::number("lowerArmTwist", 0.5),
    row::number("upperLegTwist", 0.5),
    row::number("lowerLegTwist", 0.5),
    row::number("feetSpacing", 0),
    row::boolean("hasTranslationDoF"),
}};
constexpr row::TableOf annotation_table{{row::index("mesh", Reference::mesh, row::Need::required), text("firstPersonFlag")}};
constexpr Property curve_row = {.name = "curve", .type = PropertyType::number, .shape = Property::Shape::list, .least = 0};
constexpr row::TableOf range_table{{curve_row, row::number("xRange", 90), row::number("yRange", 10)}};
constexpr std::string_view look_types[] = {"Bone", "BlendShape"};
constexpr row::TableOf first_person_table{{
    or_none(row::index("firstPersonBone", Reference::node)),
    facts("firstPersonBoneOffset", vector_table),
    row::objects("meshAnnotations", annotation_table),
    row::choice("lookAtTypeName", look_types),
    facts("lookAtHorizontalInner", range_table),
    facts("lookAtHorizontalOuter", range_table),
    facts("lookAtVerticalDown", range_table),
    facts("lookAtVerticalUp", range_table),
}};
constexpr row::TableOf bind_table{{
    row::index("mesh", Reference::mesh, row::Need::required),
    row::value("index", PropertyType::integer),  // a blend shape of that mesh
    row::factor("weight", 0, 0, 100),
}};
constexpr Property target_value_row = {.name = "targetValue", .type = PropertyType::number, .shape = Property::Shape::list, .least = 0};
constexpr row::TableOf value_table{{row::name_of("materialName", Reference::material), text("propertyName"), target_value_row}};
constexpr row::TableOf group_table{{
    row::name,
    text("presetName"),
    row::boolean("isBinary"),
    row::objects("binds", bind_table),
    row::objects("materialValues", value_table),
}};
constexpr row::TableOf groups_table{{row::joined(Joining::named, row::objects("blendShapeGroups", group_table))}};
constexpr row::TableOf swing_table{{
    row::indices("bones", Reference::node),
    or_none(row::index("center", Reference::node)),
    row::indices_of_list("colliderGroups", "VRM/secondaryAnimation/colliderGroups"),
    text("comment"),
    row::number("stiffiness", 1),
    row::number("gravityPower", 0),
    facts("gravityDir", vector_table),
    row::number("dragForce", 0.4),
    row::factor("hitRadius", 0.02),
}};
constexpr row::TableOf sphere_table{{facts("offset", vector_table), row::factor("radius", 0)}};
constexpr row::TableOf collider_table{{
    row::index("node", Reference::node, row::Need::required),
    row::loose(row::objects("colliders", sphere_table)),
}};
constexpr row::TableOf springs_table{
    {row::joined(Joining::once, row::objects("colliderGroups", collider_table)), row::objects("boneGroups", swing_table)}};
constexpr Property texture_row = row::index("", Reference::texture);
constexpr Table texture_properties_table{.others = &texture_row};
constexpr row::TableOf material_properties_table{{
    row::name_of("name", Reference::material),
    row::object("textureProperties", texture_properties_table),
    text("shader"),
    row::number("renderQueue", 2000),
    row::value("floatProperties", PropertyType::object),
    row::value("vectorProperties", PropertyType::object),
    row::value("keywordMap", PropertyType::object),
    row::value("tagMap", PropertyType::object),
}};
constexpr std::string_view users[] = {"OnlyAuthor", "ExplicitlyLicensedPerson", "Everyone"};
constexpr std::string_view usages[] = {"Disallow", "Allow"};
constexpr std::string_view licences[] = {
    "Redistribution_Prohibited", "CC0", "CC_BY", "CC_BY_NC", "CC_BY_SA", "CC_BY_NC_SA", "CC_BY_ND", "CC_BY_NC_ND", "Other"};
constexpr row::TableOf meta_table{{
    text("title"),
    text("version"),
    text("author"),
    text("contactInformation"),
    text("reference"),
    or_none(row::index("texture", Reference::texture)),
    row::choice("allowedUserName", users),
    row::choice("violentUssageName", usages),
    row::choice("sexualUssageName", usages),
    row::choice("commercialUssageName", usages),
    row::choice("licenseName", licences),
    text("otherPermissionUrl"),
    text("otherLicenseUrl"),
}};
constexpr row::TableOf avatar_table{{
    text("exporterVersion"),
    text("specVersion"),
    row::joined(Joining::first, row::object("humanoid", humanoid_table)),
    row::object("firstPerson", first_person_table),
    row::object("blendShapeMaster", groups_table),
    row::object("secondaryAnimation", springs_table),
    row::parallel("materialProperties", Reference::material, material_properties_table),
    row::joined(Joining::first, row::object("meta", meta_table)),
}};

// A chain that the body has already swings there.
bool swings_apart(std::string_view list, JsonValue element, const std::function<bool(JsonValue node)>& is_shared) {
  if (list != "boneGroups") return true;
  for (const JsonValue bone : element["bones"].elements())
    if (!is_shared(bone)) return true;
  return false;
}

// A material of a file without VRM is drawn as glTF says.
constexpr FillerMember plain_material[] = {
    {.key = "name", .value = FillerMember::Value::name},
    {.key = "shader", .value = FillerMember::Value::text, .text = gltf_shader},
    {.key = "renderQueue", .value = FillerMember::Value::number, .number = 2000},
    {.key = "floatProperties"},
    {.key = "vectorProperties"},
    {.key = "textureProperties"},
    {.key = "keywordMap"},
    {.key = "tagMap"},
};

constexpr Extension list[] = {
    {.name = "VRM",
     .use = carried,
     .effect = poses,
     .places = {{.holder = &root_table, .object = &avatar_table}},
     .one_per_file = true,
     .names_materials = true,
     .other_version = "VRMC_vrm",
     .goes_along = swings_apart,
     .filler = plain_material,
     .converted_part = converted_avatar,
     .fate = ExtensionFate::uncertain},  // refers to meshes
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::vrm
