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
    Elements elements = elements_of(mesh, surface, dimension);
    if (elements.indices.empty()) continue;
    for (std::uint32_t& row : elements.indices) row += first[surface.block];
    list.push_back({elements.corners, std::move(elements.indices)});
  }
  return list;
}

/// A k-d tree of rows. A node is a range of `order_`, split in the middle of its longest axis.
class RowTree {
 public:
  /// Takes a step from `left` for each row that a search visits.
  RowTree(std::span<const float> rows, std::size_t width, SearchSteps& left)
      : rows_(rows), width_(width), left_(left), order_(rows.size() / width), axes_(order_.size()) {
    std::iota(order_.begin(), order_.end(), 0U);
    build(0, order_.size());
  }

  /// Returns the squared distance to the nearest row.
  [[nodiscard]] double nearest(const float* point) const {
    double best = std::numeric_limits<double>::infinity();
    std::vector<std::uint32_t> unused;
    search(point, 0, order_.size(), best, 0, unused);
    return best;
  }
  /// Returns at most `most` rows within a squared distance.
  void within(const float* point, double square, std::size_t most, std::vector<std::uint32_t>& out) const {
    search(point, 0, order_.size(), square, most, out);
  }

 private:
  static constexpr std::uint32_t equal_rows = ~0U;  ///< instead of an axis: copies of one row, which a search must not visit one by one

  void build(std::size_t begin, std::size_t end) {
    if (end - begin < 2) return;
    std::size_t axis = 0;
    float widest = -1;
    bool equal = true;
    for (std::size_t c = 0; c < width_; ++c) {
      const auto of = [&](std::uint32_t row) { return rows_[row * width_ + c]; };
      const auto [least, most] = std::ranges::minmax(std::span(order_).subspan(begin, end - begin), {}, of);
      if (of(most) - of(least) > widest) widest = of(most) - of(least), axis = c;
      equal &= of(most) - of(least) == 0;
    }
    const std::size_t middle = begin + (end - begin) / 2;
    if (equal) {
      axes_[middle] = equal_rows;
      return;
    }
    const auto at = [this](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(begin), at(middle), at(end),
                     [&](std::uint32_t a, std::uint32_t b) { return rows_[a * width_ + axis] < rows_[b * width_ + axis]; });
    axes_[middle] = static_cast<std::uint32_t>(axis);
    build(begin, middle);
    build(middle + 1, end);
  }

  // `most` 0: reduces `square` to that of the nearest row. Otherwise collects rows.
  void search(const float* point, std::size_t begin, std::size_t end, double& square, std::size_t most,
              std::vector<std::uint32_t>& out) const {
    if (begin >= end || (most != 0 && out.size() >= most) || left_ == 0) return;
    --left_;
    const std::size_t middle = begin + (end - begin) / 2;
    const float* row = &rows_[order_[middle] * width_];
    double distance = 0;
    for (std::size_t c = 0; c < width_ && distance <= square; ++c) {
      const double d = static_cast<double>(point[c]) - static_cast<double>(row[c]);
      distance += d * d;
    }
    const bool equal = end - begin == 1 || axes_[middle] == equal_rows;
    if (most == 0)
      square = std::min(square, distance);
    else if (distance <= square)
      for (std::size_t i = equal ? begin : middle, last = equal ? end : middle + 1; i != last && out.size() < most; ++i)
        out.push_back(order_[i]);
    if (equal) return;
    const double side = static_cast<double>(point[axes_[middle]]) - static_cast<double>(row[axes_[middle]]);
    const bool low = side < 0;
    low ? search(point, begin, middle, square, most, out) : search(point, middle + 1, end, square, most, out);
    if (most == 0 ? side * side < square : side * side <= square)
      low ? search(point, middle + 1, end, square, most, out) : search(point, begin, middle, square, most, out);
  }

  std::span<const float> rows_;
  std::size_t width_;
  SearchSteps& left_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> axes_;  ///< by middle of a range
};

constexpr std::size_t most_candidates = 16;

template <class Make>
void add_nearest(std::span<const float> from, const RowTree& to, std::size_t width, double slack, Candidates& out, Make make) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t row = 0; row < from.size() / width; ++row) {
    ask_deadline();
    const float* point = &from[row * width];
    const double reach = std::sqrt(to.nearest(point)) + slack;
    found.clear();
    to.within(point, reach * reach * (1 + 1e-12), most_candidates, found);
    std::ranges::sort(found);
    for (const std::uint32_t other : found) out.pairs.push_back(make(row, other));
    out.first.push_back(static_cast<std::uint32_t>(out.pairs.size()));
  }
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

Candidates nearest_rows(std::span<const float> a, std::span<const float> b, std::size_t width, double slack, SearchSteps& left) {
  Candidates out;
  add_nearest(a, RowTree(b, width, left), width, slack, out, [](std::uint32_t row, std::uint32_t other) { return RowPair{row, other}; });
  add_nearest(b, RowTree(a, width, left), width, slack, out, [](std::uint32_t row, std::uint32_t other) { return RowPair{other, row}; });
  return out;
}

bool all_near(std::span<const float> a, std::span<const float> b, std::size_t width, double reach, SearchSteps& left) {
  if (width == 0 || b.size() < width) return a.empty();
  const RowTree tree(b, width, left);
  for (std::size_t row = 0; row < a.size(); row += width, ask_deadline())
    if (!(tree.nearest(&a[row]) <= reach * reach)) return false;
  return true;
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

double distance(const float* a, const float* b, std::size_t width) {
  double sum = 0;
  for (std::size_t c = 0; c < width; ++c) {
    const double d = static_cast<double>(a[c]) - static_cast<double>(b[c]);
    sum += d * d;
  }
  return std::isfinite(sum) ? std::sqrt(sum) : std::numeric_limits<double>::infinity();
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
