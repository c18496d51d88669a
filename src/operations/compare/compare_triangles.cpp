// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/guard.hpp"
#include "operations/compare/comparer.hpp"

namespace sinew::operations {

namespace {

using Triangle = std::array<std::uint32_t, 3>;
constexpr auto no_corner = static_cast<std::uint32_t>(-1);

/// Returns, for each vertex of a mesh, the first one at the same position: the vertices of a seam are one corner.
std::vector<std::uint32_t> corners_of(const deform::Prepared& prepared) {
  const PackedMesh packed(prepared);
  const std::size_t size = prepared.packed().dimension * sizeof(float);
  std::vector<std::uint32_t> corners(prepared.vertices());
  std::iota(corners.begin(), corners.end(), 0U);
  std::unordered_map<std::string_view, std::uint32_t> known;
  for (std::uint32_t row = 0; row < corners.size(); ++row)
    if (const float* const at = packed.position(packed.vertex(row)))
      corners[row] = known.try_emplace({reinterpret_cast<const char*>(at), size}, row).first->second;
  return corners;
}

/// Returns all triangles with an area, sorted. Each begins with its least corner, so that equal ones are equal with their direction only.
std::vector<Triangle> triangles_of(const Mesh& mesh, std::size_t dimension, const std::vector<std::uint32_t>& corner) {
  std::vector<Triangle> triangles;
  std::vector<std::size_t> first_of_block;
  std::size_t rows = 0;
  for (const VertexBlock& block : mesh.blocks) {
    first_of_block.push_back(rows);
    rows += find_attribute(block.attributes, Semantic::position) == nullptr ? 0 : block.vertices;
  }
  for (const Surface& surface : mesh.surfaces) {
    if (surface.defect != none) continue;
    const Elements elements = need(elements_of(mesh, surface, dimension));
    if (elements.corners != 3) continue;
    const std::size_t first = first_of_block[surface.block];
    for (std::size_t i = 0; i + 2 < elements.indices.size(); i += 3) {
      Triangle triangle{};
      bool known = true;
      for (std::size_t c = 0; c < 3; ++c) {
        const std::size_t row = first + elements.indices[i + c];
        known = known && row < corner.size() && corner[row] != no_corner;
        if (known) triangle[c] = corner[row];
      }
      if (!known || triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0]) continue;
      std::ranges::rotate(triangle, std::ranges::min_element(triangle));
      triangles.push_back(triangle);
    }
  }
  std::ranges::sort(triangles);
  return triangles;
}

std::size_t without_counterpart(const std::vector<Triangle>& of, const std::vector<Triangle>& others) {
  std::vector<Triangle> alone;
  std::ranges::set_difference(of, others, std::back_inserter(alone));
  return alone.size();
}

}  // namespace

void Comparer::compare_triangles(std::size_t i) {
  InstancePair& pair = result_.instances[i];
  if (pair.pairing != Pairing::index && pair.pairing != Pairing::permutation) return;
  const Work& work = work_[i];
  const std::vector<std::uint32_t> corner_a = corners_of(a_.prepared(work.a));
  std::vector<std::uint32_t> corner_b(b_.prepared(work.b).vertices(), no_corner);
  for (const RowPair& rows : work.candidates.pairs) corner_b[rows.b] = corner_a[rows.a];
  const std::vector<Triangle> a = triangles_of(a_.mesh(work.a), a_.model().dimension, corner_a);
  const std::vector<Triangle> b = triangles_of(b_.mesh(work.b), b_.model().dimension, corner_b);
  pair.triangles = TriangleDifference{a.size(), b.size(), without_counterpart(a, b), without_counterpart(b, a)};
}

}  // namespace sinew::operations
