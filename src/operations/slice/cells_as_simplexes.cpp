// SPDX-License-Identifier: MIT
#include "operations/slice/cells_as_simplexes.hpp"

#include <algorithm>
#include <utility>

#include "base/message.hpp"
#include "model/edit_reporter.hpp"

#include "sinew/model.hpp"

namespace sinew::operations {

namespace {

/// Limit for visited entries of a topology, the same as in deform.
constexpr std::size_t walk_limit = std::size_t{1} << 28;

/// Returns, for each corner of the simplexes, the row of the topology's corners.
std::vector<std::uint32_t> rows_of_corners(const Triangulation& simplexes, const IndexRows& cells) {
  std::vector<std::uint32_t> rows;
  rows.reserve(simplexes.simplexes.size());
  for (std::size_t cell = 0; cell + 1 < simplexes.first.size(); ++cell) {
    const std::span<const std::uint32_t> vertices = cells[cell];
    for (std::size_t i = simplexes.first[cell] * simplexes.corners; i < simplexes.first[cell + 1] * simplexes.corners; ++i)
      rows.push_back(static_cast<std::uint32_t>(
          cells.first[cell] + static_cast<std::size_t>(std::ranges::find(vertices, simplexes.simplexes[i]) - vertices.begin())));
  }
  return rows;
}

Result<std::size_t> fill(const Mesh& mesh, std::size_t dimension, Surface& surface) {
  auto simplexes = simplexes_from_topology(mesh, surface, dimension, walk_limit);
  if (!simplexes) return Unexpected(std::move(simplexes.error()));
  const auto cells = topology_corners(surface, dimension, walk_limit);
  if (!cells) return Unexpected(cells.error());
  const std::vector<std::uint32_t> rows = rows_of_corners(*simplexes, *cells);
  surface.attributes.clear();
  for (const Attribute& from : surface.topology->attributes) {
    if (from.values.empty()) continue;  // offsets of flat normals are dropped: simplexes have flat normals
    Attribute& attribute = surface.attributes.emplace_back(from);
    std::vector<std::uint32_t> index = rows;
    if (!from.index.empty()) {
      const std::vector<std::uint32_t> shared = from.index.read<std::uint32_t>();
      std::ranges::transform(rows, index.begin(), [&](std::uint32_t row) { return shared[row]; });
    }
    attribute.index = Array::own(std::move(index), 1);
  }
  surface.topology.reset();
  surface.primitive = Primitive::simplexes;
  surface.indexed = true;
  surface.elements = Array::own(std::move(simplexes->simplexes), simplexes->corners);
  return simplexes->refused.size();
}

}  // namespace

Result<Model> cells_as_simplexes(const Model& model, FindingSink& losses) {
  Model filled = model;
  for (Mesh& mesh : filled.meshes) {
    if (mesh.defect != none) continue;
    for (Surface& surface : mesh.surfaces) {
      if (!only_cells(surface)) continue;
      const auto refused = fill(mesh, model.dimension, surface);
      if (!refused) return Unexpected(refused.error());
      if (*refused != 0)
        EditReporter(model, losses)
            .lost(surface, format_text("{} cells cannot be divided into simplexes: they are not closed, or no vertex sees the whole cell",
                                       *refused));
    }
  }
  return filled;
}

}  // namespace sinew::operations
