// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "operations/compare/comparer.hpp"

namespace sinew::operations {

namespace {

/// Where an attribute is stored: per vertex of a block, per corner of a surface.
struct Stored {
  bool by_vertex = false, by_corner = false;
};
Stored stored(const Mesh& mesh, Semantic semantic, Index set) {
  Stored found;
  for (const VertexBlock& block : mesh.blocks) found.by_vertex |= find_attribute(block.attributes, semantic, set) != nullptr;
  for (const Surface& surface : mesh.surfaces) found.by_corner |= find_attribute(surface.attributes, semantic, set) != nullptr;
  return found;
}

/// Returns why an attribute cannot be compared; empty: it can.
std::string obstacle(const Stored& a, const Stored& b) {
  if (a.by_vertex && b.by_vertex) return {};
  if (!a.by_vertex && !a.by_corner) return "only the second file has it";
  if (!b.by_vertex && !b.by_corner) return "only the first file has it";
  return "it is stored per corner";
}

/// Returns two numbers per vertex over all blocks; NaN for blocks without these coordinates.
std::vector<float> texture_coordinates(const Mesh& mesh, Index set, std::span<const double> amounts) {
  std::vector<float> rows;
  for (const VertexBlock& block : mesh.blocks) {
    std::vector<float> of_block(2 * block.vertices, std::numeric_limits<float>::quiet_NaN());
    if (const Attribute* const found = find_attribute(block.attributes, Semantic::texcoord, set)) {
      const std::vector<float> values = deform::blend_rows(*found, amounts, block.vertices);
      if (values.size() == of_block.size()) of_block = values;
    }
    rows.insert(rows.end(), of_block.begin(), of_block.end());
  }
  return rows;
}

Index texture_sets(const Mesh& mesh) {
  Index sets = 0;
  const auto count = [&sets](const std::vector<Attribute>& attributes) {
    for (const Attribute& attribute : attributes)
      if (attribute.semantic == Semantic::texcoord) sets = std::max(sets, attribute.set + 1);
  };
  for (const VertexBlock& block : mesh.blocks) count(block.attributes);
  for (const Surface& surface : mesh.surfaces) count(surface.attributes);
  return sets;
}

}  // namespace

std::vector<AttributeDifference> Comparer::compare_attributes(std::size_t i) {
  const Work& work = work_[i];
  const Mesh &mesh_a = a_.mesh(work.a), &mesh_b = b_.mesh(work.b);
  std::vector<AttributeDifference> list;
  const auto measure = [&](AttributeDifference& difference, std::span<const float> a, std::span<const float> b, std::size_t width) {
    const auto apart = [&](const RowPair& rows) {
      const float *of_a = &a[rows.a * width], *of_b = &b[rows.b * width];
      return std::isnan(of_a[0]) && std::isnan(of_b[0]) ? 0 : distance(of_a, of_b, width);  // 0: neither has a value
    };
    // A seam has several vertices at one position. With `match`, each is paired with the one that has the most similar value.
    const bool grouped = !work.alike.pairs.empty();
    const std::vector<RowPair>& pairs = grouped ? work.alike.pairs : work.candidates.pairs;
    const std::size_t rows = grouped ? work.alike.first.size() - 1 : pairs.size();
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t first = grouped ? work.alike.first[row] : row, last = grouped ? work.alike.first[row + 1] : row + 1;
      const RowPair* nearest = nullptr;
      double least = 0;
      for (std::size_t k = first; k < last; ++k)
        if (const double d = apart(pairs[k]); nearest == nullptr || d < least) least = d, nearest = &pairs[k];
      if (nearest == nullptr || !(least > difference.max)) continue;
      difference.max = least;
      difference.vertex_a = nearest->a;
      difference.vertex_b = nearest->b;
    }
  };
  const auto compare = [&](std::string name, Semantic semantic, Index set, auto rows_of, std::size_t width) {
    const Stored a = stored(mesh_a, semantic, set), b = stored(mesh_b, semantic, set);
    if (!a.by_vertex && !a.by_corner && !b.by_vertex && !b.by_corner) return;
    AttributeDifference& difference = list.emplace_back();
    difference.name = std::move(name);
    difference.why_not = obstacle(a, b);
    if (difference.why_not.empty()) measure(difference, rows_of(a_, work.a), rows_of(b_, work.b), width);
  };
  const std::size_t n = a_.model().dimension;
  compare("NORMAL", Semantic::normal, 0, [](Side& side, std::size_t instance) { return side.normals_at_rest(instance); }, n);
  if (!list.empty()) list.back().max = 2 * std::asin(std::min(1.0, list.back().max / 2));  // the angle of unit vectors
  const Index sets = std::max(texture_sets(mesh_a), texture_sets(mesh_b));
  for (Index set = 0; set < sets; ++set)
    compare(
        fmt::format("TEXCOORD_{}", set), Semantic::texcoord, set,
        [set](const Side& side, std::size_t instance) {
          return texture_coordinates(side.mesh(instance), set, side.model().rest_pose.amounts[side.instances()[instance].node]);
        },
        2);
  return list;
}

}  // namespace sinew::operations
