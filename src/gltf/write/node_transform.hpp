// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>

#include "sinew/model.hpp"

namespace sinew::gltf {

/// A node's transform in the two forms that glTF has; what is neutral is absent.
struct NodeTransform {
  std::optional<std::array<double, 16>> matrix;
  std::optional<std::array<double, 3>> translation;
  std::optional<std::array<double, 4>> rotation;  ///< (x, y, z, w)
  std::optional<std::array<double, 3>> scale;
  const char* note = nullptr;  ///< what could not be said as it is
};
/// Of a transform of dimension 3.
[[nodiscard]] NodeTransform node_transform(const LocalTransform& local);

}  // namespace sinew::gltf
