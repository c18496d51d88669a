// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/extensions/extension.hpp"

namespace sinew::gltf {

inline constexpr std::string_view draco_extension = "KHR_draco_mesh_compression";

inline constexpr row::TableOf draco_table{{
    row::index("bufferView", Reference::buffer_view, row::Need::required),
    row::value("attributes", PropertyType::object, row::Need::required),
}};
using DracoObject = ObjectOf<draco_table>;

}  // namespace sinew::gltf
