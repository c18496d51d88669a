// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/read/reading.hpp"

/// KHR_lights_punctual: lights of the file, one per node. Nothing but checks.
namespace sinew::gltf::lights {

inline constexpr std::string_view extension = "KHR_lights_punctual";

/// The lights of the file and the nodes that carry them.
void check(Reading& reading);

}  // namespace sinew::gltf::lights
