// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::khr_character {

namespace {

// The parts of an expression number the channels of its animation.
constexpr row::TableOf expression_table{{row::index("animation", Reference::animation, row::Need::optional, Usage::channels)}};
constexpr row::TableOf expressions_table{{row::objects("expressions", expression_table)}};
constexpr row::TableOf character_table{{row::index("rootNode", Reference::node)}};
constexpr Property mapped_row = row::loose(row::index("", Reference::node));
constexpr Table mapped_table{.others = &mapped_row};
constexpr Property mapping_row = row::object("", mapped_table);
constexpr Table mapping_table{.others = &mapping_row};
constexpr row::TableOf mappings_table{{row::joined(Joining::first, row::object("skeletalRigMappings", mapping_table))}};

constexpr Extension list[] = {
    {.name = "KHR_character", .places = {{.holder = &root_table, .object = &character_table}}, .one_per_file = true},
    {.name = "KHR_character_expression", .places = {{.holder = &root_table, .object = &expressions_table}}},
    {.name = "KHR_character_expression_joint", .places = {{.holder = &expression_table, .object = &no_references_table}}},
    {.name = "KHR_character_expression_mapping", .places = {{.holder = &root_table, .object = &no_references_table}}, .one_per_file = true},
    {.name = "KHR_character_expression_mask", .places = {{.holder = &expression_table, .object = &no_references_table}}},
    {.name = "KHR_character_expression_morphtarget", .places = {{.holder = &expression_table, .object = &no_references_table}}},
    {.name = "KHR_character_expression_texture", .places = {{.holder = &expression_table, .object = &no_references_table}}},
    {.name = "KHR_character_reference_pose", .places = {{.holder = &animation_table, .object = &no_references_table}}},
    {.name = "KHR_character_skeleton_mapping", .places = {{.holder = &root_table, .object = &mappings_table}}, .one_per_file = true},
    {.name = "KHR_character*"},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::khr_character
