// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/guard.hpp"

#include "sinew/model.hpp"

namespace sinew {

std::size_t vertex_count(const Mesh& mesh) noexcept {
  std::size_t count = 0;
  for (const VertexBlock& block : mesh.blocks) count += block.vertices;
  return count;
}

std::size_t most_influences(const Mesh& mesh) noexcept {
  std::size_t most = 0;
  for (const VertexBlock& block : mesh.blocks) {
    most = std::max(most, 4 * block.influences.sets.size());
    for (std::size_t v = 1; v < block.influences.first.size(); ++v)
      most = std::max<std::size_t>(most, block.influences.first[v] - block.influences.first[v - 1]);
  }
  return most;
}

std::size_t corner_count(const Mesh& mesh, const Surface& surface, std::size_t dimension) noexcept {
  const std::size_t count = surface.indexed ? surface.elements.size() * surface.elements.width() : mesh.blocks[surface.block].vertices;
  const auto whole = [&](std::size_t corners) { return count - count % corners; };
  switch (surface.primitive) {
    case Primitive::points:
      return count;
    case Primitive::lines:
      return whole(2);
    case Primitive::line_strip:
      return count < 2 ? 0 : 2 * (count - 1);
    case Primitive::line_loop:
      return count < 2 ? 0 : 2 * count;
    case Primitive::simplexes:
      return whole(std::max<std::size_t>(dimension, 3));
    case Primitive::simplex_strip:
    case Primitive::simplex_fan:
      return count < 3 ? 0 : 3 * (count - 2);
  }
  return 0;
}

Result<Polytopes> polytopes_of(const Surface& surface) SINEW_TRY {
  Polytopes out;
  const std::vector<std::uint32_t> ends = surface.edges.read<std::uint32_t>();
  for (std::size_t i = 0; i + 1 < ends.size(); i += 2) out.edges.push_back({ends[i], ends[i + 1]});
  if (surface.topology)
    for (const Array& tier : surface.topology->tiers)
      out.tiers.push_back(need(unpack_tier(tier.read<std::uint32_t>())).value_or(IndexRows{}));
  return out;
}
SINEW_CATCH()

Result<IndexRows> topology_corners(const Surface& surface, std::size_t dimension, std::size_t limit) SINEW_TRY {
  if (!surface.topology || surface.topology->tiers.size() <= boundary_tier(dimension)) return IndexRows{};
  return item_vertices(need(polytopes_of(surface)), boundary_tier(dimension), limit);
}
SINEW_CATCH()

Result<Triangulation> simplexes_from_topology(const Mesh& mesh, const Surface& surface, std::size_t dimension,
                                              std::size_t limit) SINEW_TRY {
  const std::size_t boundary = boundary_tier(dimension);
  const VertexBlock& block = mesh.blocks[surface.block];
  const Attribute* positions = find_attribute(block.attributes, Semantic::position);
  if (!surface.topology || surface.topology->tiers.size() <= boundary || positions == nullptr)
    return Triangulation{boundary + 3, {}, {0}, {}};
  const std::size_t width = positions->values.width();
  const std::vector<double> stored = positions->values.read<double>();
  const std::vector<std::uint32_t> index = positions->index.read<std::uint32_t>();
  std::vector<double> rows(block.vertices * dimension);  // missing coordinates are 0, surplus ones are ignored
  for (std::size_t v = 0; v < block.vertices; ++v)
    for (std::size_t i = 0; i < std::min(width, dimension); ++i)
      rows[v * dimension + i] = stored[(index.empty() ? v : index[v]) * width + i];
  return triangulate(need(polytopes_of(surface)), boundary, {rows.data(), block.vertices, dimension}, limit);
}
SINEW_CATCH()

}  // namespace sinew
