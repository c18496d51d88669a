// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "gltf/check/checker.hpp"

namespace sinew::gltf {

// The rules about the transforms of nodes.

/// A matrix of four columns: not the identity, and made of translation, rotation and scale.
void check_matrix(Checker& checker, JsonValue at, std::span<const double, 16> matrix);
/// A quaternion (x, y, z, w): of unit length.
void check_rotation(Checker& checker, JsonValue at, std::span<const double, 4> quaternion);
/// Whether nothing is moved.
[[nodiscard]] bool is_identity(const LocalTransform& local);

}  // namespace sinew::gltf
