// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "base/deadline.hpp"
#include "operations/compare/compare_vertices.hpp"

namespace sinew::operations {

namespace {

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

}  // namespace sinew::operations
