// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "base/guard.hpp"
#include "base/message.hpp"
#include "operations/compare/comparer.hpp"

namespace sinew::operations {

namespace {

/// Where an attribute is stored: per vertex of a block, per corner of a surface.
struct Stored {
  bool by_vertex = false, by_corner = false;
};
/// Returns where each set of an attribute is stored.
std::map<Index, Stored> stored(const Mesh& mesh, Semantic semantic) {
  std::map<Index, Stored> found;
  for (const VertexBlock& block : mesh.blocks)
    for (const Attribute& attribute : block.attributes)
      if (attribute.semantic == semantic) found[attribute.set].by_vertex = true;
  for (const Surface& surface : mesh.surfaces)
    for (const Attribute& attribute : surface.attributes)
      if (attribute.semantic == semantic) found[attribute.set].by_corner = true;
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
      const std::vector<float> values = need(deform::blend_rows(*found, amounts, block.vertices));
      if (values.size() == of_block.size()) of_block = values;
    }
    rows.insert(rows.end(), of_block.begin(), of_block.end());
  }
  return rows;
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
    // A seam has several vertices at one position. Where positions decide, each is paired with the one that has the most similar value.
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
  const auto compare = [&](std::string name, const Stored& a, const Stored& b, auto rows_of, std::size_t width) {
    if (!a.by_vertex && !a.by_corner && !b.by_vertex && !b.by_corner) return;
    AttributeDifference& difference = list.emplace_back();
    difference.name = std::move(name);
    difference.why_not = obstacle(a, b);
    if (difference.why_not.empty()) measure(difference, rows_of(a_, work.a), rows_of(b_, work.b), width);
  };
  const std::size_t n = a_.model().dimension;
  compare(
      "NORMAL", stored(mesh_a, Semantic::normal)[0], stored(mesh_b, Semantic::normal)[0],
      [](Side& side, std::size_t instance) { return side.normals_at_rest(instance); }, n);
  if (!list.empty()) list.back().max = 2 * std::asin(std::min(1.0, list.back().max / 2));  // the angle of unit vectors
  std::map<Index, Stored> sets_a = stored(mesh_a, Semantic::texcoord), sets_b = stored(mesh_b, Semantic::texcoord), sets = sets_a;
  sets.insert(sets_b.begin(), sets_b.end());
  for (const auto& [index, where] : sets)
    compare(
        format_text("TEXCOORD_{}", index), sets_a[index], sets_b[index],
        [set = index](const Side& side, std::size_t instance) {
          return texture_coordinates(side.mesh(instance), set, side.model().rest_pose.amounts[side.instances()[instance].node]);
        },
        2);
  return list;
}

}  // namespace sinew::operations
