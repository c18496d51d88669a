// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::vrm {

namespace {

// VRM 0.x: one object at the root. An index of -1 means none.

constexpr row::TableOf bone_table{{row::index("node", Reference::node, row::Need::required)}};
constexpr row::TableOf humanoid_table{{row::objects("humanBones", bone_table)}};
constexpr row::TableOf annotation_table{{row::index("mesh", Reference::mesh, row::Need::required)}};
constexpr row::TableOf first_person_table{{
    row::index("firstPersonBone", Reference::node),
    row::objects("meshAnnotations", annotation_table),
}};
constexpr row::TableOf bind_table{{row::index("mesh", Reference::mesh, row::Need::required)}};  // and a blend shape of that mesh
constexpr row::TableOf value_table{{row::name_of("materialName", Reference::material)}};
constexpr row::TableOf group_table{{row::objects("binds", bind_table), row::objects("materialValues", value_table)}};
constexpr row::TableOf groups_table{{row::joined(Joining::named, row::objects("blendShapeGroups", group_table))}};
constexpr row::TableOf swing_table{{
    row::indices("bones", Reference::node),
    row::index("center", Reference::node),
    row::indices_of_list("colliderGroups", "VRM/secondaryAnimation/colliderGroups"),
}};
constexpr row::TableOf collider_table{{row::index("node", Reference::node, row::Need::required)}};
constexpr row::TableOf springs_table{
    {row::joined(Joining::once, row::objects("colliderGroups", collider_table)), row::objects("boneGroups", swing_table)}};
constexpr Property texture_row = row::index("", Reference::texture);
constexpr Table texture_properties_table{.others = &texture_row};
constexpr row::TableOf material_properties_table{
    {row::name_of("name", Reference::material), row::object("textureProperties", texture_properties_table)}};
constexpr row::TableOf meta_table{{row::index("texture", Reference::texture)}};
constexpr row::TableOf avatar_table{{
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
    {.key = "shader", .value = FillerMember::Value::text, .text = "VRM_USE_GLTFSHADER"},
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
     .fate = ExtensionFate::uncertain},  // refers to meshes
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::vrm
