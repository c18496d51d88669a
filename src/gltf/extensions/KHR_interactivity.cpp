// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::khr_interactivity {

namespace {

// Literal steps of a pointer template, and values of type ref, are pointers. A step in square brackets is filled from a number that nobody
// can tell from others: such a pointer is not readable. Other numbers in a graph refer to the graph itself.
constexpr row::TableOf pointers_table{{row::pointer("value")}};
constexpr row::TableOf picked_table{{row::loose(row::index("value", Reference::node))}};
constexpr row::TableOf configuration_table{{row::object("pointer", pointers_table), row::object("nodeIndex", picked_table)}};
constexpr Property value_row = row::loose(row::object("", pointers_table));
constexpr Table values_table{.others = &value_row};
constexpr row::TableOf operation_table{
    {row::object("configuration", configuration_table), row::loose(row::object("values", values_table))}};
constexpr row::TableOf graph_table{{row::objects("nodes", operation_table), row::objects("variables", pointers_table)}};
constexpr row::TableOf graphs_table{{row::objects("graphs", graph_table)}};

constexpr Extension list[] = {
    {.name = "KHR_interactivity", .effect = poses, .places = {{.holder = &root_table, .object = &graphs_table}}, .one_per_file = true},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::khr_interactivity
