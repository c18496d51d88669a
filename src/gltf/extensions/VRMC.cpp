// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::vrmc {

namespace {

// VRM 1.0 and its parts.

constexpr row::TableOf to_node_table{{row::index("node", Reference::node, row::Need::required)}};
constexpr Property to_node_row = row::object("", to_node_table);
constexpr Table to_nodes_table{.others = &to_node_row};  // by the name of a bone or an expression
constexpr row::TableOf humanoid_table{{row::object("humanBones", to_nodes_table)}};
constexpr row::TableOf first_person_table{{row::objects("meshAnnotations", to_node_table)}};
constexpr row::TableOf to_material_table{{row::index("material", Reference::material, row::Need::required)}};
constexpr row::TableOf expression_table{{
    row::objects("morphTargetBinds", to_node_table),  // and a blend shape of the node's mesh
    row::objects("materialColorBinds", to_material_table),
    row::objects("textureTransformBinds", to_material_table),
}};
constexpr Property expression_row = row::object("", expression_table);
constexpr Table by_name_table{.others = &expression_row};
constexpr row::TableOf expressions_table{{row::object("preset", by_name_table), row::object("custom", by_name_table)}};
constexpr row::TableOf meta_table{{row::index("thumbnailImage", Reference::image)}};
constexpr row::TableOf avatar_table{{
    row::joined(Joining::first, row::object("humanoid", humanoid_table)),
    row::object("firstPerson", first_person_table),
    row::object("expressions", expressions_table),
    row::joined(Joining::first, row::object("meta", meta_table)),
    row::joined(Joining::first, {.name = "lookAt"}),
}};

constexpr std::string_view colliders_list = "VRMC_springBone/colliders", groups_list = "VRMC_springBone/colliderGroups";
constexpr row::TableOf collider_table{{row::index("node", Reference::node, row::Need::required)}};
constexpr row::TableOf group_table{{row::indices_of_list("colliders", colliders_list)}};
constexpr row::TableOf joint_table{{row::index("node", Reference::node, row::Need::required)}};
constexpr row::TableOf spring_table{{
    row::objects("joints", joint_table),
    row::indices_of_list("colliderGroups", groups_list),
    row::index("center", Reference::node),
}};
constexpr row::TableOf springs_table{{
    row::joined(Joining::once, row::objects("colliders", collider_table)),
    row::joined(Joining::once, row::objects("colliderGroups", group_table)),
    row::objects("springs", spring_table),
}};

constexpr row::TableOf source_table{{row::index("source", Reference::node)}};
constexpr row::TableOf constraint_table{{
    row::object("roll", source_table),
    row::object("aim", source_table),
    row::object("rotation", source_table),
}};
constexpr row::TableOf constrained_table{{row::object("constraint", constraint_table)}};

constexpr row::TableOf played_expressions_table{{row::object("preset", to_nodes_table), row::object("custom", to_nodes_table)}};
constexpr row::TableOf motion_table{{
    row::joined(Joining::first, row::object("humanoid", humanoid_table)),
    row::joined(Joining::first, row::object("expressions", played_expressions_table)),
    row::joined(Joining::first, row::object("lookAt", to_node_table)),
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
     .places = {{.holder = &collider_table, .object = &no_references_table}, {.holder = &joint_table, .object = &no_references_table}}},
    {.name = "VRMC_node_constraint",
     .use = carried,
     .effect = ExtensionEffect::sampled,
     .places = {{.holder = &node_table, .object = &constrained_table}},
     .fate = ExtensionFate::uncertain},  // refers to joints
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
