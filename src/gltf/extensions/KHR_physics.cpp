// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::khr_physics {

namespace {

constexpr row::TableOf shapes_table{{row::objects("shapes", mesh_shape_table)}};

constexpr std::string_view filters_list = "KHR_physics_rigid_bodies/collisionFilters";
constexpr row::TableOf geometry_table{{
    row::of_list("shape", "KHR_implicit_shapes/shapes"), row::index("node", Reference::node),
    row::index("mesh", Reference::mesh),  // of older texts
}};
constexpr row::TableOf collider_table{{
    row::object("geometry", geometry_table),
    row::of_list("physicsMaterial", "KHR_physics_rigid_bodies/physicsMaterials"),
    row::of_list("collisionFilter", filters_list),
}};
constexpr row::TableOf trigger_table{{
    row::object("geometry", geometry_table),
    row::indices("nodes", Reference::node),
    row::of_list("collisionFilter", filters_list),
}};
constexpr row::TableOf joint_table{{
    row::index("connectedNode", Reference::node),
    row::of_list("joint", "KHR_physics_rigid_bodies/physicsJoints"),
}};
constexpr row::TableOf body_table{{
    row::object("collider", collider_table),
    row::object("trigger", trigger_table),
    row::object("joint", joint_table),
}};
constexpr row::TableOf physics_table{{
    row::objects("physicsMaterials", no_references_table),
    row::objects("collisionFilters", no_references_table),
    row::objects("physicsJoints", no_references_table),
}};

constexpr Extension list[] = {
    {.name = "KHR_collision_shapes", .places = {{.holder = &root_table, .object = &shapes_table}}},
    {.name = "KHR_implicit_shapes", .places = {{.holder = &root_table, .object = &shapes_table}}},
    {.name = "KHR_physics_rigid_bodies",
     .effect = poses,
     .places = {{.holder = &root_table, .object = &physics_table}, {.holder = &node_table, .object = &body_table}}},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::khr_physics
