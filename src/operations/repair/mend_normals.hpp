// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "operations/bake/bake_block.hpp"

namespace sinew::operations {

using Vec3 = std::array<double, 3>;

[[nodiscard]] Vec3 cross(const Vec3& a, const Vec3& b);
[[nodiscard]] inline Vec3 load(const float* row) { return {row[0], row[1], row[2]}; }
/// Scales a row to length 1; returns whether that was possible.
bool normalize(std::span<float> row);
/// Returns whether a row is zero or not finite, so that it has no direction.
[[nodiscard]] bool vanished(std::span<const float> row);

/// The rows of one block, to be fixed in place.
struct Rows {
  std::span<float> values;
  std::size_t width;
  [[nodiscard]] std::size_t size() const { return width == 0 ? 0 : values.size() / width; }
  [[nodiscard]] std::span<float> operator[](std::size_t row) const { return values.subspan(row * width, width); }
};

/// Replaces normals without direction (the stored one was zero too) by the area-weighted normal of the vertex's triangles, or by the last
/// axis if there is none. Afterwards every row has a direction.
void mend_normals(const BlockOf& from, const Rows& positions, const Rows& normals);

}  // namespace sinew::operations
