// SPDX-License-Identifier: MIT
#include "gltf/extensions/VRM.hpp"

namespace sinew::gltf::vrmc {

namespace {

using vrm::converted_avatar;
using vrm::facts;
using vrm::may_be_empty;
using vrm::own_numbers;
using vrm::text;

// VRM 1.0 and its parts.

constexpr Property version_row = text("specVersion", row::Need::required);
constexpr row::TableOf to_node_table{{row::index("node", Reference::node, row::Need::required)}};
constexpr Property to_node_row = row::object("", to_node_table);
constexpr Table to_nodes_table{.others = &to_node_row};  // by the name of a bone or an expression
constexpr row::TableOf humanoid_table{{row::object("humanBones", to_nodes_table, row::Need::required)}};
constexpr std::string_view shown_in[] = {"auto", "both", "thirdPersonOnly", "firstPersonOnly"};
constexpr row::TableOf annotation_table{{
    row::index("node", Reference::node, row::Need::required),
    row::choice("type", shown_in, row::Need::required),
}};
constexpr row::TableOf first_person_table{{may_be_empty(row::objects("meshAnnotations", annotation_table))}};
constexpr row::TableOf shape_bind_table{{
    row::index("node", Reference::node, row::Need::required),
    row::value("index", PropertyType::integer, row::Need::required),  // a blend shape of the node's mesh
    row::required(row::fraction("weight", 0)),
}};
constexpr std::string_view colours[] = {"color", "emissionColor", "shadeColor", "matcapColor", "rimColor", "outlineColor"};
constexpr row::TableOf colour_bind_table{{
    row::index("material", Reference::material, row::Need::required),
    row::choice("type", colours, row::Need::required),
    row::required(row::numbers("targetValue", 4)),
}};
constexpr row::TableOf transform_bind_table{{
    row::index("material", Reference::material, row::Need::required),
    row::numbers("scale", 2),
    row::numbers("offset", 2),
}};
constexpr std::string_view overrides[] = {"none", "block", "blend"};
constexpr row::TableOf expression_table{{
    may_be_empty(row::objects("morphTargetBinds", shape_bind_table)),
    may_be_empty(row::objects("materialColorBinds", colour_bind_table)),
    may_be_empty(row::objects("textureTransformBinds", transform_bind_table)),
    row::boolean("isBinary"),
    row::choice("overrideBlink", overrides),
    row::choice("overrideLookAt", overrides),
    row::choice("overrideMouth", overrides),
}};
constexpr Property expression_row = row::object("", expression_table);
constexpr Table by_name_table{.others = &expression_row};
constexpr row::TableOf expressions_table{{row::object("preset", by_name_table), row::object("custom", by_name_table)}};
constexpr std::string_view users[] = {"onlyAuthor", "onlySeparatelyLicensedPerson", "everyone"};
constexpr std::string_view usages[] = {"personalNonProfit", "personalProfit", "corporation"};
constexpr std::string_view credits[] = {"required", "unnecessary"};
constexpr std::string_view modifications[] = {"prohibited", "allowModification", "allowModificationRedistribution"};
constexpr row::TableOf meta_table{{
    text("name", row::Need::required),
    row::required(row::names("authors")),
    text("licenseUrl", row::Need::required),
    text("version"),
    text("copyrightInformation"),
    text("contactInformation"),
    may_be_empty(row::names("references")),  // a warning (check/ext/VRMC_vrm.cpp)
    text("thirdPartyLicenses"),
    text("otherLicenseUrl"),
    row::index("thumbnailImage", Reference::image),
    row::choice("avatarPermission", users),
    row::choice("commercialUsage", usages),
    row::choice("creditNotation", credits),
    row::choice("modification", modifications),
    row::boolean("allowExcessivelyViolentUsage"),
    row::boolean("allowExcessivelySexualUsage"),
    row::boolean("allowPoliticalOrReligiousUsage"),
    row::boolean("allowAntisocialOrHateUsage"),
    row::boolean("allowRedistribution"),
}};
constexpr row::TableOf range_table{{row::factor("inputMaxValue", 90, 0, 180), row::number("outputScale", 10)}};
constexpr std::string_view look_types[] = {"bone", "expression"};
constexpr row::TableOf look_table{{
    own_numbers("offsetFromHeadBone", 3),
    row::choice("type", look_types),
    facts("rangeMapHorizontalInner", range_table),
    facts("rangeMapHorizontalOuter", range_table),
    facts("rangeMapVerticalDown", range_table),
    facts("rangeMapVerticalUp", range_table),
}};
constexpr row::TableOf avatar_table{{
    version_row,
    row::joined(Joining::first, row::object("humanoid", humanoid_table, row::Need::required)),
    row::object("firstPerson", first_person_table),
    row::object("expressions", expressions_table),
    row::joined(Joining::first, row::object("meta", meta_table, row::Need::required)),
    facts("lookAt", look_table),
}};

constexpr std::string_view colliders_list = "VRMC_springBone/colliders", groups_list = "VRMC_springBone/colliderGroups";
constexpr row::TableOf sphere_table{{own_numbers("offset", 3), row::factor("radius", 0), row::boolean("inside")}};
constexpr row::TableOf capsule_table{{own_numbers("offset", 3), row::factor("radius", 0), own_numbers("tail", 3), row::boolean("inside")}};
constexpr row::TableOf plane_table{{own_numbers("offset", 3), own_numbers("normal", 3)}};
constexpr row::TableOf shape_table{{facts("sphere", sphere_table), facts("capsule", capsule_table)}};
constexpr row::TableOf wide_shape_table{{facts("sphere", sphere_table), facts("capsule", capsule_table), facts("plane", plane_table)}};
constexpr row::TableOf wide_collider_table{{version_row, facts("shape", wide_shape_table, row::Need::required)}};
constexpr row::TableOf collider_table{{
    row::index("node", Reference::node, row::Need::required),
    facts("shape", shape_table, row::Need::required),
}};
constexpr row::TableOf group_table{{row::name, row::required(row::indices_of_list("colliders", colliders_list))}};
constexpr row::TableOf joint_table{{
    row::index("node", Reference::node, row::Need::required),
    row::factor("hitRadius", 0),
    row::factor("stiffness", 1),
    row::factor("gravityPower", 0),
    row::numbers("gravityDir", 3),
    row::fraction("dragForce", 0.5),
}};
constexpr row::TableOf spring_table{{
    row::name,
    row::objects("joints", joint_table, row::Need::required),
    row::indices_of_list("colliderGroups", groups_list),
    row::index("center", Reference::node),
}};
constexpr row::TableOf springs_table{{
    version_row,
    row::joined(Joining::once, may_be_empty(row::objects("colliders", collider_table))),
    row::joined(Joining::once, may_be_empty(row::objects("colliderGroups", group_table))),
    may_be_empty(row::objects("springs", spring_table)),
}};

constexpr Property source_row = row::index("source", Reference::node, row::Need::required);
constexpr std::string_view axes[] = {"X", "Y", "Z"};
constexpr std::string_view directions[] = {"PositiveX", "NegativeX", "PositiveY", "NegativeY", "PositiveZ", "NegativeZ"};
constexpr row::TableOf roll_table{{source_row, row::choice("rollAxis", axes, row::Need::required), row::fraction("weight", 1)}};
constexpr row::TableOf aim_table{{source_row, row::choice("aimAxis", directions, row::Need::required), row::fraction("weight", 1)}};
constexpr row::TableOf rotation_table{{source_row, row::fraction("weight", 1)}};
constexpr row::TableOf constraint_table{{
    row::object("roll", roll_table),
    row::object("aim", aim_table),
    row::object("rotation", rotation_table),
}};
constexpr row::TableOf constrained_table{{version_row, row::object("constraint", constraint_table, row::Need::required)}};

constexpr row::TableOf shifting_texture_table{{row::texture_index, row::texture_coordinates, row::number("scale", 1)}};
constexpr std::string_view outline_modes[] = {"none", "worldCoordinates", "screenCoordinates"};
constexpr double any = std::numeric_limits<double>::infinity();
constexpr auto toon_rows = row::with_common({
    version_row,
    row::texture("shadeMultiplyTexture"),
    row::object("shadingShiftTexture", shifting_texture_table),
    row::texture("matcapTexture"),
    row::texture("rimMultiplyTexture"),
    row::texture("outlineWidthMultiplyTexture"),
    row::texture("uvAnimationMaskTexture"),
    row::boolean("transparentWithZWrite"),
    {.name = "renderQueueOffsetNumber", .type = PropertyType::integer, .minimum = -9, .maximum = 9},
    row::colour("shadeColorFactor", 3),
    row::factor("shadingShiftFactor", 0, -1, 1),
    row::fraction("shadingToonyFactor", 0.9),
    row::fraction("giEqualizationFactor", 0.9),
    row::colour("matcapFactor", 3, any),
    row::colour("parametricRimColorFactor", 3, any),
    row::fraction("rimLightingMixFactor", 1),
    row::factor("parametricRimFresnelPowerFactor", 5),
    row::number("parametricRimLiftFactor", 0),
    row::choice("outlineWidthMode", outline_modes),
    row::factor("outlineWidthFactor", 0),
    row::colour("outlineColorFactor", 3),
    row::fraction("outlineLightingMixFactor", 1),
    row::number("uvAnimationScrollXSpeedFactor", 0),
    row::number("uvAnimationScrollYSpeedFactor", 0),
    row::number("uvAnimationRotationSpeedFactor", 0),
});
constexpr Table toon_table{.rows = toon_rows, .ending = &any_texture_row};

constexpr row::TableOf gaze_table{{row::index("node", Reference::node), own_numbers("offsetFromHeadBone", 3)}};
constexpr row::TableOf played_expressions_table{{row::object("preset", to_nodes_table), row::object("custom", to_nodes_table)}};
constexpr row::TableOf motion_table{{
    version_row,
    row::joined(Joining::first, row::object("humanoid", humanoid_table)),
    row::joined(Joining::first, row::object("expressions", played_expressions_table)),
    row::joined(Joining::first, row::object("lookAt", gaze_table)),
}};

// A chain that the body has already swings there.
bool swings_apart(std::string_view list, JsonValue element, const std::function<bool(JsonValue node)>& is_shared) {
  if (list != "springs") return true;
  for (const JsonValue joint : element["joints"].elements())
    if (!is_shared(joint["node"])) return true;
  return false;
}

constexpr Extension list[] = {
    {.name = "VRMC_vrm",
     .use = carried,
     .effect = poses,
     .places = {{.holder = &root_table, .object = &avatar_table}},
     .one_per_file = true,
     .other_version = "VRM",
     .converted_part = converted_avatar,
     .fate = ExtensionFate::uncertain},  // refers to meshes
    {.name = "VRMC_springBone",
     .use = carried,
     .effect = poses,
     .places = {{.holder = &root_table, .object = &springs_table}},
     .other_version = "VRM",
     .goes_along = swings_apart,
     .fate = ExtensionFate::uncertain},  // refers to joints
    {.name = "VRMC_springBone_extended_collider",
     .use = carried,
     .effect = poses,
     .places = {{.holder = &collider_table, .object = &wide_collider_table}, {.holder = &joint_table, .object = &no_references_table}}},
    {.name = "VRMC_node_constraint",
     .use = carried,
     .effect = ExtensionEffect::sampled,
     .places = {{.holder = &node_table, .object = &constrained_table}},
     .fate = ExtensionFate::uncertain},  // refers to joints
    {.name = "VRMC_materials_mtoon", .use = carried, .places = {{.holder = &material_table, .object = &toon_table}}},
    {.name = "VRMC_materials_*", .use = carried, .places = {{.holder = &material_table, .object = &textures_table}}},
    {.name = "VRMC_vrm_animation",  // describes clips that other data contains
     .use = carried,
     .places = {{.holder = &root_table, .object = &motion_table}},
     .one_per_file = true},
    {.name = "VRMC_*", .use = carried, .effect = poses, .fate = ExtensionFate::uncertain},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::vrmc
