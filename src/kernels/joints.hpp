// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace sinew::kernels {

/// The local transforms of eight joints in three dimensions between two keys: each part is interpolated by `t` between `from` and `to`.
/// Rotations are quaternions (x, y, z, w) and use slerp (geometry.hpp); the other parts are interpolated linearly.
struct JointKeys {
  static constexpr std::size_t joints = 8;
  enum Part : std::size_t { translation, rotation, scale, parts };
  using Rows = std::array<std::array<double, 4>, joints>;

  alignas(64) std::array<Rows, parts> from{};
  std::array<Rows, parts> to{};
  std::array<std::array<double, joints>, parts> t{};
};

/// Two maps, by their indices in two tables.
struct MapPair {
  std::uint32_t left, right;
};

}  // namespace sinew::kernels
