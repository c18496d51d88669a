// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/read/reading.hpp"

namespace sinew::gltf::skeleton_bone {

inline constexpr std::string_view extension = "KHR_skeleton_bone";

/// What a node's extension object says of it as a bone.
[[nodiscard]] Bone read_bone(Reading& reading, JsonValue value);

}  // namespace sinew::gltf::skeleton_bone
