// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/extensions/extension.hpp"

namespace sinew::gltf {

inline constexpr std::string_view bounds_extension = "SINEW_bounds";

/// docs/SINEW_bounds.md.
inline constexpr row::TableOf stored_box_table{{
    row::index("node", Reference::node),
    row::index("joint", Reference::node),
    row::index("animation", Reference::animation),
    row::boolean("rest"),
    row::required(row::numbers("min", 3)),
    row::required(row::numbers("max", 3)),
}};
using StoredBoxObject = ObjectOf<stored_box_table>;

}  // namespace sinew::gltf
