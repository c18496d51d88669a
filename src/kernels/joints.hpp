// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace sinew::kernels {

/// What the local transforms of eight joints in three dimensions are made of: each part lies `t` of the way `from` one row `to` the other.
/// Rotations are quaternions (x, y, z, w) and follow the arc between both (slerp in geometry.hpp); the rest goes straight.
struct JointKeys {
  static constexpr std::size_t joints = 8;
  enum Part : std::size_t { translation, rotation, scale, parts };
  using Rows = std::array<std::array<double, 4>, joints>;

  alignas(64) std::array<Rows, parts> from{};
  std::array<Rows, parts> to{};
  std::array<std::array<double, joints>, parts> t{};
};

/// Two maps by their places in two tables.
struct MapPair {
  std::uint32_t left, right;
};

}  // namespace sinew::kernels
