// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace sinew::gltf {

inline constexpr std::string_view instancing_extension = "EXT_mesh_gpu_instancing";

}  // namespace sinew::gltf
