// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/extensions/extension.hpp"

namespace sinew::gltf {

inline constexpr std::string_view visibility_extension = "KHR_node_visibility";

inline constexpr row::TableOf visibility_table{{
    row::boolean("visible", 1),
}};
using VisibilityObject = ObjectOf<visibility_table>;

}  // namespace sinew::gltf
