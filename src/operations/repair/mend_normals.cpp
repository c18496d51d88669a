// SPDX-License-Identifier: MIT
#include "operations/repair/mend_normals.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/guard.hpp"

namespace sinew::operations {

Vec3 cross(const Vec3& a, const Vec3& b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }

bool normalize(std::span<float> row) {
  double squared = 0;
  for (const float value : row) squared += double{value} * double{value};
  if (!(squared > 0) || !std::isfinite(squared)) return false;
  const double factor = 1 / std::sqrt(squared);
  for (float& value : row) value = static_cast<float>(value * factor);
  return true;
}

bool vanished(std::span<const float> row) {
  bool zero = true;
  for (const float value : row) {
    if (!std::isfinite(value)) return true;
    zero = zero && value == 0;
  }
  return zero;
}

void mend_normals(const BlockOf& from, const Rows& positions, const Rows& normals) {
  std::vector<std::uint8_t> lost(normals.size());
  bool any = false;
  for (std::size_t v = 0; v < normals.size(); ++v) any |= (lost[v] = vanished(normals[v])) != 0;
  if (!any) return;
  for (std::size_t v = 0; v < normals.size(); ++v)
    if (lost[v]) std::ranges::fill(normals[v], 0.0F);
  if (from.dimension == 3) {
    for (const Surface* const surface : from.surfaces) {
      if (surface->primitive < Primitive::simplexes) continue;
      const Elements triangles = need(elements_of(from.mesh, *surface, from.dimension));
      for (std::size_t i = 0; i + 3 <= triangles.indices.size(); i += 3) {
        const auto corner = [&](std::size_t c) { return load(positions[triangles.indices[i + c]].data()); };
        const Vec3 a = corner(0), b = corner(1), c = corner(2);
        const Vec3 normal = cross({b[0] - a[0], b[1] - a[1], b[2] - a[2]}, {c[0] - a[0], c[1] - a[1], c[2] - a[2]});
        for (std::size_t k = 0; k < 3; ++k) {
          const std::uint32_t v = triangles.indices[i + k];
          if (!lost[v]) continue;
          for (std::size_t x = 0; x < 3; ++x) normals[v][x] += static_cast<float>(normal[x]);
        }
      }
    }
  }
  for (std::size_t v = 0; v < normals.size(); ++v) {
    if (!lost[v] || normalize(normals[v])) continue;
    std::ranges::fill(normals[v], 0.0F);
    normals[v].back() = 1;
  }
}

}  // namespace sinew::operations
