// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/guard.hpp"
#include "operations/compare/comparer.hpp"
#include "operations/compare/larger.hpp"

namespace sinew::operations {

namespace {

using weights::Triangle;
using weights::Vec;

/// Returns the triangles of each surface as rows over all blocks of the mesh; nothing if it has other parts.
std::optional<std::vector<std::vector<Triangle>>> surface_triangles(const Mesh& mesh) {
  std::vector<std::size_t> first_of_block;
  std::size_t rows = 0;
  for (const VertexBlock& block : mesh.blocks) {
    first_of_block.push_back(rows);
    rows += block.vertices;
  }
  std::vector<std::vector<Triangle>> all;
  if (rows > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  for (const Surface& surface : mesh.surfaces) {
    std::vector<Triangle>& triangles = all.emplace_back();
    const Elements elements = surface.defect == none ? need(elements_of(mesh, surface, 3)) : Elements{};
    if (elements.corners != 3) return std::nullopt;
    const auto first = static_cast<std::uint32_t>(first_of_block[surface.block]);
    for (std::size_t i = 0; i + 2 < elements.indices.size(); i += 3)
      triangles.push_back({first + elements.indices[i], first + elements.indices[i + 1], first + elements.indices[i + 2]});
  }
  return all;
}

std::vector<std::uint32_t> rows_used(const std::vector<Triangle>& triangles) {
  std::vector<std::uint32_t> rows;
  for (const Triangle& triangle : triangles) rows.insert(rows.end(), triangle.begin(), triangle.end());
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

/// Returns points of rows in double precision; those that are not used stay 0. Nothing if a used one is not finite.
std::optional<std::vector<Vec>> points_of(std::span<const float> rows, std::span<const std::uint32_t> used) {
  std::vector<Vec> points(rows.size() / 3);
  for (const std::uint32_t row : used)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      points[row][axis] = static_cast<double>(rows[3 * std::size_t{row} + axis]);
      if (!std::isfinite(points[row][axis])) return std::nullopt;
    }
  return points;
}

}  // namespace

bool Comparer::pair_surfaces(std::size_t i) {
  InstancePair& pair = result_.instances[i];
  if (!options_.surfaces || a_.model().dimension != 3) return false;
  auto a = surface_triangles(a_.mesh(work_[i].a)), b = surface_triangles(b_.mesh(work_[i].b));
  if (!a || !b) return false;
  if (a->size() != b->size())  // the parts of a mesh may be joined in one of the files
    for (auto* const side : {&*a, &*b}) {
      std::vector<Triangle> all;
      for (const std::vector<Triangle>& triangles : *side) all.insert(all.end(), triangles.begin(), triangles.end());
      side->assign(1, std::move(all));
    }
  for (std::size_t s = 0; s < a->size(); ++s)
    if ((*a)[s].empty() != (*b)[s].empty()) return false;
  for (std::size_t s = 0; s < a->size(); ++s) {
    PairedSurface& made = work_[i].surfaces.emplace_back();
    made.used_a = rows_used((*a)[s]);
    made.used_b = rows_used((*b)[s]);
    made.distance = std::make_unique<SurfaceDistance>(std::move((*a)[s]), std::move((*b)[s]));
    pair.pairs += made.distance->triangles();
  }
  pair.pairing = Pairing::surfaces;
  if (options_.distances) pair.distances.assign(pair.vertices_a, 0);
  return true;
}

void Comparer::measure_surfaces(std::size_t i, std::size_t look) {
  Work& work = work_[i];
  InstancePair& pair = result_.instances[i];
  const std::size_t part = moments_[look].part;
  Distance& worst = pair.parts[part].distance;
  const auto rows_a = a_.rows(work.a), rows_b = b_.rows(work.b);
  double known = options_.surface_known * result_.diagonal;
  if (!options_.distances)
    for (const Part& other : pair.parts) known = std::max(known, other.distance.max);
  for (PairedSurface& surface : work.surfaces) {
    SurfaceDistance::Found found;
    found.most = found.squares = std::numeric_limits<double>::infinity();
    const auto a = rows_a ? points_of(*rows_a, surface.used_a) : std::nullopt,
               b = rows_b ? points_of(*rows_b, surface.used_b) : std::nullopt;
    if (a && b) found = surface.distance->measure(*a, *b, known, pair.distances, options_.threads);
    work.squares[part] += found.squares;
    worst.max = std::max(worst.max, found.most);
    if (!options_.distances) known = std::max(known, found.most);
    too_far_ = too_far_ || (options_.surface_stop > 0 && !(found.most <= options_.surface_stop * result_.diagonal));
    if (!larger(found.most, work.located[part])) continue;
    work.located[part] = found.most;
    worst.seconds = moments_[look].a.seconds;
    worst.vertex_a = found.vertex_a;
    worst.vertex_b = found.vertex_b;
  }
  worst.measured += pair.pairs;
}

}  // namespace sinew::operations
