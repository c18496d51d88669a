// SPDX-License-Identifier: MIT
#include "operations/bake/bake_surface.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/guard.hpp"
#include "model/narrowed.hpp"

#include "sinew/model.hpp"

namespace sinew::operations {
namespace {

/// Limit for visited entries of a topology, the same as in deform.
constexpr std::size_t walk_limit = std::size_t{1} << 28;

/// Returns unit normals as formats require them: zeros become the last axis.
Array normals_of(const std::shared_ptr<std::vector<float>>& moved, std::size_t first, std::size_t count, std::size_t width,
                 Winding winding) {
  for (std::size_t row = first; row < first + count; ++row) {
    const auto normal = std::span(*moved).subspan(row * width, width);
    if (std::ranges::all_of(normal, [](float value) { return value == 0; })) normal.back() = 1;
    if (winding == Winding::reversed)
      for (float& value : normal) value = -value;
  }
  return rows_of(moved, first, count, width);
}

std::vector<Attribute> bake_attributes(const std::vector<Attribute>& from, std::span<const double> amounts, const auto& normals) {
  std::vector<Attribute> baked;
  for (const Attribute& attribute : from) {
    if (attribute.semantic == Semantic::normal)
      baked.push_back({Semantic::normal, 0, {}, normals(), {}, {}});
    else
      baked.push_back(carried(attribute, amounts));
  }
  return baked;
}

/// Moves row order[i] to row i.
void reorder(std::vector<Attribute>& attributes, std::span<const std::uint32_t> order) {
  for (Attribute& attribute : attributes) {
    std::vector<std::uint32_t> index(order.begin(), order.end());
    if (!attribute.index.empty()) {
      const std::vector<std::uint32_t> rows = attribute.index.read<std::uint32_t>();
      std::ranges::transform(order, index.begin(), [&](std::uint32_t corner) { return rows[corner]; });
    }
    attribute.index = Array::own(std::move(index), 1);
  }
}

/// Reverses simplexes (with strips and fans expanded) and the attributes of their corners. The first corner of each stays, as
/// polytope_simplexes requires. Does nothing for points and lines.
void reverse_simplexes(const Mesh& mesh, std::size_t dimension, Surface& surface) {
  if (surface.primitive < Primitive::simplexes) return;
  Elements elements = need(elements_of(mesh, surface, dimension));
  std::vector<std::uint32_t> order(surface.attributes.empty() ? 0 : elements.indices.size());
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t last = elements.corners; last <= elements.indices.size(); last += elements.corners) {
    std::swap(elements.indices[last - 2], elements.indices[last - 1]);
    if (!order.empty()) std::swap(order[last - 2], order[last - 1]);
  }
  reorder(surface.attributes, order);
  surface.primitive = Primitive::simplexes;
  surface.indexed = true;
  surface.elements = narrowed_indices(std::move(elements.indices));
}

/// Reverses the orientation of the boundary items in the stream, which their first two parts define. The edges of a face form a cycle.
void reverse_items(std::vector<std::uint32_t>& stream, bool faces) {
  for (std::size_t i = 0; i < stream.size(); i += stream[i] + 1) {
    if (stream[i] < 2) continue;
    const auto begin = stream.begin() + static_cast<std::ptrdiff_t>(i + 1), end = begin + static_cast<std::ptrdiff_t>(stream[i]);
    if (faces) {
      std::reverse(begin, end);
      std::rotate(begin, end - 2, end);
    } else {
      std::iter_swap(begin, begin + 1);
    }
  }
}

/// Reverses the boundary items, and the attributes of their corners.
Result<> reverse_topology(std::size_t dimension, Surface& surface) {
  const std::size_t boundary = boundary_tier(dimension);
  Topology& topology = *surface.topology;
  if (topology.tiers.size() <= boundary) return {};
  const auto before = topology_corners(surface, dimension, walk_limit);
  if (!before) return Unexpected(before.error());
  std::vector<std::uint32_t> stream = topology.tiers[boundary].read<std::uint32_t>();
  reverse_items(stream, boundary == 0);
  topology.tiers[boundary] = Array::own(std::move(stream), 1);
  auto after = topology_corners(surface, dimension, walk_limit);
  if (!after) return Unexpected(std::move(after.error()));
  std::vector<std::uint32_t> order;
  order.reserve(after->indices.size());
  for (std::size_t item = 0; item < after->size(); ++item) {
    const std::span<const std::uint32_t> old = (*before)[item];
    for (const std::uint32_t vertex : (*after)[item])
      order.push_back(
          static_cast<std::uint32_t>(before->first[item] + static_cast<std::size_t>(std::ranges::find(old, vertex) - old.begin())));
  }
  reorder(topology.attributes, order);
  topology.instances = Array::own(std::move(after->indices), 1);
  return {};
}

}  // namespace

Result<Surface> bake_surface(const SurfaceOf& from, const Moved& moved, std::span<const double> amounts, Winding winding) {
  Surface baked = from.mesh.surfaces[from.surface];
  const std::size_t corners = corner_count(from.mesh, baked, from.dimension);
  baked.attributes = bake_attributes(baked.attributes, amounts,
                                     [&] { return normals_of(moved.corner_normals, from.first_corner, corners, from.dimension, winding); });
  if (winding == Winding::reversed) reverse_simplexes(from.mesh, from.dimension, baked);
  if (!baked.topology) return baked;
  const std::size_t instances = baked.topology->instances.size();
  baked.topology->attributes = bake_attributes(baked.topology->attributes, amounts, [&] {
    return normals_of(moved.topology_normals, from.first_topology_corner, instances, from.dimension, winding);
  });
  if (winding == Winding::reversed)
    if (auto done = reverse_topology(from.dimension, baked); !done) return Unexpected(std::move(done.error()));
  return baked;
}

}  // namespace sinew::operations
