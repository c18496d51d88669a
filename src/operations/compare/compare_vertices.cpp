// SPDX-License-Identifier: MIT
#include "operations/compare/compare_vertices.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/deadline.hpp"
#include "base/guard.hpp"
#include "model/influences.hpp"

namespace sinew::operations {

namespace {

/// The corners of all surfaces that have corners, as rows over all blocks.
struct SurfaceCorners {
  std::size_t corners = 0;  ///< per element
  std::vector<std::uint32_t> rows;
};

std::vector<SurfaceCorners> corners_of(const Mesh& mesh, std::size_t dimension) {
  std::vector<std::uint32_t> first{0};
  for (const VertexBlock& block : mesh.blocks) first.push_back(first.back() + static_cast<std::uint32_t>(block.vertices));
  std::vector<SurfaceCorners> list;
  for (const Surface& surface : mesh.surfaces) {
    Elements elements = need(elements_of(mesh, surface, dimension));
    if (elements.indices.empty()) continue;
    for (std::uint32_t& row : elements.indices) row += first[surface.block];
    list.push_back({elements.corners, std::move(elements.indices)});
  }
  return list;
}

}  // namespace

std::vector<RowPair> pairs_by_index(std::size_t rows) {
  std::vector<RowPair> pairs(rows);
  for (std::uint32_t row = 0; row < rows; ++row) pairs[row] = {row, row};
  return pairs;
}

std::optional<std::vector<RowPair>> pairs_by_corners(const Mesh& a, const Mesh& b, std::size_t dimension) {
  const std::vector<SurfaceCorners> of_a = corners_of(a, dimension), of_b = corners_of(b, dimension);
  if (of_a.size() != of_b.size()) return std::nullopt;
  std::vector<RowPair> pairs;
  for (std::size_t s = 0; s < of_a.size(); ++s) {
    if (of_a[s].corners != of_b[s].corners || of_a[s].rows.size() != of_b[s].rows.size()) return std::nullopt;
    for (std::size_t i = 0; i < of_a[s].rows.size(); ++i) pairs.push_back({of_a[s].rows[i], of_b[s].rows[i]});
  }
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

std::vector<std::uint32_t> motion_classes(const Mesh& mesh) {
  std::vector<std::string> keys;
  for (const VertexBlock& block : mesh.blocks) {
    const std::size_t start = keys.size();
    keys.resize(start + block.vertices);
    const auto add = [&](std::size_t row, const void* bytes, std::size_t size) {
      if (row < block.vertices) keys[start + row].append(static_cast<const char*>(bytes), size);
    };
    const auto add_row = [&](std::size_t row, const Array& array, std::size_t from) {
      add(row, array.data() + from * array.stride(), array.width() * byte_size(array.type()));
    };
    for (const Attribute& attribute : block.attributes) {
      if (attribute.semantic != Semantic::position) continue;
      if (!attribute.index.empty())  // rows are not vertices: each is a class of its own
        for (std::size_t row = 0; row < block.vertices; ++row) add(row, &row, sizeof row);
      for (std::size_t row = 0; row < attribute.values.size(); ++row) add_row(row, attribute.values, row);
      for (const Offsets& offsets : attribute.offsets) {
        const std::vector<std::uint32_t> rows = offsets.sparse() ? offsets.indices.read<std::uint32_t>() : std::vector<std::uint32_t>();
        for (std::size_t k = 0; k < offsets.values.size() && (!offsets.sparse() || k < rows.size()); ++k) {
          const std::size_t row = offsets.sparse() ? rows[k] : k;
          if (offsets.sparse()) add(row, &offsets.shape, sizeof offsets.shape);
          add_row(row, offsets.values, k);
        }
      }
    }
    if (block.influences.empty()) continue;
    const InfluenceTable influences(block.influences);
    for (std::size_t row = 0; row < influences.size(); ++row)
      for (const Influence& one : influences[row]) {
        add(row, &one.slot, sizeof one.slot);
        add(row, &one.weight, sizeof one.weight);
      }
  }
  std::unordered_map<std::string_view, std::uint32_t> known;
  std::vector<std::uint32_t> classes;
  for (const std::string& key : keys) classes.push_back(known.try_emplace(key, static_cast<std::uint32_t>(known.size())).first->second);
  return classes;
}

std::vector<bool> odd_weight_sums(const Mesh& mesh) {
  constexpr double most = 1e-6;  // more than the rounding of float weights, and harmless within the default tolerance
  std::vector<bool> odd;
  for (const VertexBlock& block : mesh.blocks) {
    if (block.influences.sets.empty())
      odd.resize(odd.size() + block.vertices);
    else
      for (const double sum : weight_sums(block.influences)) odd.push_back(!(std::abs(sum - 1) <= most));
  }
  return odd;
}

}  // namespace sinew::operations
