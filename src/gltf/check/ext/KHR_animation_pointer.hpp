// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/read/reading.hpp"

/// KHR_animation_pointer: channels that move what a JSON pointer names. Nothing but checks.
namespace sinew::gltf::animation_pointer {

inline constexpr std::string_view extension = "KHR_animation_pointer";

/// The targets of all channels.
void check(Reading& reading);

}  // namespace sinew::gltf::animation_pointer
