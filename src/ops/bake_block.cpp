// SPDX-License-Identifier: MIT
#include "ops/bake_block.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sinew/blend_attribute.hpp"

namespace sinew::ops {
namespace {

using Vec3 = std::array<double, 3>;

Vec3 cross(const Vec3& a, const Vec3& b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }
Vec3 load(const float* row) { return {row[0], row[1], row[2]}; }

/// Scales to length 1; whether that was possible.
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

/// The rows of one block, to be mended in place.
struct Rows {
  std::span<float> values;
  std::size_t width;
  [[nodiscard]] std::size_t size() const { return width == 0 ? 0 : values.size() / width; }
  [[nodiscard]] std::span<float> operator[](std::size_t row) const { return values.subspan(row * width, width); }
};
Rows rows_in(std::vector<float>& values, std::size_t first, std::size_t count, std::size_t width) {
  return {std::span(values).subspan(first * width, count * width), width};
}

/// Normals without direction (the stored one was zero too) become the area-weighted normal of the vertex's triangles, or the last axis
/// where there is none: every row has a direction afterwards.
void mend_normals(const BlockOf& from, const Rows& positions, const Rows& normals) {
  std::vector<std::uint8_t> lost(normals.size());
  bool any = false;
  for (std::size_t v = 0; v < normals.size(); ++v) any |= (lost[v] = vanished(normals[v])) != 0;
  if (!any) return;
  for (std::size_t v = 0; v < normals.size(); ++v)
    if (lost[v]) std::ranges::fill(normals[v], 0.0F);
  if (from.dimension == 3) {
    for (const Surface& surface : from.mesh.surfaces) {
      if (surface.block != from.block || surface.primitive < Primitive::simplexes) continue;
      const Elements triangles = elements_of(from.mesh, surface, from.dimension);
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

/// Tangents without direction become any direction across the normal; w becomes the sign that it stands for.
void mend_tangents(const Rows& normals, const Rows& tangents) {
  for (std::size_t v = 0; v < tangents.size(); ++v) {
    const std::span<float> tangent = tangents[v];
    tangent[3] = tangent[3] < 0 ? -1.0F : 1.0F;
    if (!vanished(tangent.first(3))) continue;
    const Vec3 normal = load(normals[v].data());
    const Vec3 axis = std::abs(normal[0]) < 0.5 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 across = cross(normal, axis);
    for (std::size_t x = 0; x < 3; ++x) tangent[x] = static_cast<float>(across[x]);
    normalize(tangent.first(3));
  }
}

void negate(std::span<float> values) {
  for (float& value : values) value = -value;
}

/// The values with their blend offsets.
Array blend(const Attribute& attribute, std::span<const double> amounts) {
  std::vector<float> values = deform::blend_attribute(attribute, amounts);
  if (attribute.semantic == Semantic::color)
    for (float& value : values) value = std::clamp(value, 0.0F, 1.0F);
  return Array::own(std::move(values), attribute.values.width());
}

}  // namespace

Array rows_of(const std::shared_ptr<std::vector<float>>& values, std::size_t first, std::size_t count, std::size_t width) {
  return Array::borrow(values->data() + first * width, count, width, width * sizeof(float), ComponentType::float32, false, values);
}

Attribute carried(const Attribute& from, std::span<const double> amounts) {
  const bool moved = std::ranges::any_of(
      from.offsets, [&](const Offsets& offsets) { return offsets.shape < amounts.size() && amounts[offsets.shape] != 0; });
  return {from.semantic, from.set, from.custom, moved ? blend(from, amounts) : from.values, from.index, {}};
}

VertexBlock bake_block(const BlockOf& from, const Moved& moved, std::size_t first, std::span<const double> amounts, Winding winding) {
  const VertexBlock& block = from.mesh.blocks[from.block];
  const std::size_t count = block.vertices, dimension = from.dimension;
  const bool has_normals = !moved.normals->empty() && find_attribute(block.attributes, Semantic::normal) != nullptr;
  const Rows normals = has_normals ? rows_in(*moved.normals, first, count, dimension) : Rows{{}, dimension};
  if (has_normals) mend_normals(from, rows_in(*moved.positions, first, count, dimension), normals);
  if (winding == Winding::reversed) negate(normals.values);

  VertexBlock baked;
  baked.vertices = count;
  for (const Attribute& attribute : block.attributes) {
    const auto add = [&](Array values) { baked.attributes.push_back({attribute.semantic, 0, {}, std::move(values), {}, {}}); };
    switch (attribute.semantic) {
      case Semantic::position:
        add(rows_of(moved.positions, first, count, dimension));
        break;
      case Semantic::normal:
        if (has_normals) add(rows_of(moved.normals, first, count, dimension));
        break;
      case Semantic::tangent: {
        if (!has_normals || moved.tangents->empty()) break;
        const Rows tangents = rows_in(*moved.tangents, first, count, 4);
        mend_tangents(normals, tangents);
        if (winding == Winding::reversed)
          for (std::size_t v = 0; v < count; ++v) tangents[v][3] = -tangents[v][3];
        add(rows_of(moved.tangents, first, count, 4));
        break;
      }
      case Semantic::texcoord:
      case Semantic::color:
      case Semantic::custom:
        baked.attributes.push_back(carried(attribute, amounts));
        break;
    }
  }
  return baked;
}

}  // namespace sinew::ops
