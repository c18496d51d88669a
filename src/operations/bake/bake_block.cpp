// SPDX-License-Identifier: MIT
#include "operations/bake/bake_block.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/guard.hpp"
#include "operations/repair/mend_normals.hpp"

#include "sinew/deform.hpp"

namespace sinew::operations {
namespace {

Rows rows_in(std::vector<float>& values, std::size_t first, std::size_t count, std::size_t width) {
  return {std::span(values).subspan(first * width, count * width), width};
}

/// Replaces tangents of length 0 by any direction perpendicular to the normal, and w by its sign.
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

/// Returns the values with their blend offsets.
Array blend(const Attribute& attribute, std::span<const double> amounts) {
  std::vector<float> values = need(deform::blend_attribute(attribute, amounts));
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

}  // namespace sinew::operations
