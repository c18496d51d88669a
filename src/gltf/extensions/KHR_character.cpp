// SPDX-License-Identifier: MIT
#include "gltf/extensions/VRM.hpp"

namespace sinew::gltf::khr_character {

namespace {

// The draft has two texts (A: July 2026, C: September 2026). An index of C may be a label in A.

using vrm::facts;
using vrm::text;

constexpr Property channels_row = {
    .name = "channels", .type = PropertyType::integer, .need = row::Need::required, .shape = Property::Shape::list, .minimum = 0};
constexpr row::TableOf part_table{{channels_row}};
constexpr row::TableOf mask_table{{
    row::value("target", PropertyType::any, row::Need::required),
    text("type"),
    row::fraction("amount", 1),
    row::fraction("threshold", 0),
}};
constexpr row::TableOf masks_table{{row::loose(row::objects("masks", mask_table, row::Need::required))}};
// The parts of an expression number the channels of its animation.
constexpr row::TableOf expression_table{{
    text("expression", row::Need::required),
    row::index("animation", Reference::animation, row::Need::optional, Usage::channels),
}};
constexpr row::TableOf expressions_table{{row::objects("expressions", expression_table, row::Need::required)}};
constexpr row::TableOf character_table{{row::index("rootNode", Reference::node, row::Need::required)}};
constexpr Property mapped_row = row::loose(row::index("", Reference::node));
constexpr Table mapped_table{.others = &mapped_row};
constexpr Property mapping_row = row::object("", mapped_table);
constexpr Table mapping_table{.others = &mapping_row};
constexpr row::TableOf mappings_table{
    {row::joined(Joining::first, row::object("skeletalRigMappings", mapping_table, row::Need::required))}};
constexpr row::TableOf entry_table{{
    row::value("source", PropertyType::any),
    row::value("target", PropertyType::any),
    row::number("weight", 1),
    row::name,
}};
constexpr Property entries_row = row::loose(row::objects("", entry_table));
constexpr Table entries_table{.others = &entries_row};
constexpr Property set_row = facts("", entries_table);
constexpr Table sets_table{.others = &set_row};
constexpr row::TableOf set_mappings_table{{facts("expressionSetMappings", sets_table), facts("expressionSetInputMappings", sets_table)}};
constexpr row::TableOf pose_table{{text("poseType")}};

constexpr Extension list[] = {
    {.name = "KHR_character", .places = {{.holder = &root_table, .object = &character_table}}, .one_per_file = true},
    {.name = "KHR_character_expression", .places = {{.holder = &root_table, .object = &expressions_table}}},
    {.name = "KHR_character_expression_joint", .places = {{.holder = &expression_table, .object = &part_table}}},
    {.name = "KHR_character_expression_mapping", .places = {{.holder = &root_table, .object = &set_mappings_table}}, .one_per_file = true},
    {.name = "KHR_character_expression_mask", .places = {{.holder = &expression_table, .object = &masks_table}}},
    {.name = "KHR_character_expression_morphtarget", .places = {{.holder = &expression_table, .object = &part_table}}},
    {.name = "KHR_character_expression_texture", .places = {{.holder = &expression_table, .object = &part_table}}},
    {.name = "KHR_character_reference_pose", .places = {{.holder = &animation_table, .object = &pose_table}}},
    {.name = "KHR_character_skeleton_mapping", .places = {{.holder = &root_table, .object = &mappings_table}}, .one_per_file = true},
    {.name = "KHR_character*"},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::khr_character
