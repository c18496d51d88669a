// SPDX-License-Identifier: MIT
#include "gltf/extensions/SINEW_bounds.hpp"

namespace sinew::gltf::sinew_bounds {

namespace {

constexpr row::TableOf boxes_table{{row::objects("boxes", stored_box_table)}};

constexpr Extension list[] = {
    {.name = "SINEW_bounds",
     .use = carried,
     .places = {{.holder = &root_table, .object = &boxes_table}},
     .of_vertices = true,
     .fate = ExtensionFate::ended},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::sinew_bounds
