// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

namespace sinew {

/// A k-d tree of rows. A node is a range of `order_`, split in the middle of its longest axis.
template <class Real>
class RowTree {
 public:
  static constexpr std::uint32_t nothing = ~0U;

  /// Refers to the rows. Takes a step from `left` for each row that a search visits; without steps a search ends.
  RowTree(std::span<const Real> rows, std::size_t width, std::uint64_t& left)
      : rows_(rows), width_(width), left_(left), order_(rows.size() / width), axes_(order_.size()) {
    std::iota(order_.begin(), order_.end(), 0U);
    build(0, order_.size());
  }

  struct Nearest {
    double square = 0;  ///< of the distance
    std::uint32_t row = nothing;
  };
  /// Returns the nearest row within a squared distance; one of several.
  [[nodiscard]] Nearest nearest(const Real* point, double square = std::numeric_limits<double>::infinity()) const {
    Nearest best{square};
    search(point, 0, order_.size(), best, nullptr, 0);
    return best;
  }
  /// Adds at most `most` rows within a squared distance.
  void within(const Real* point, double square, std::size_t most, std::vector<std::uint32_t>& out) const {
    Nearest reach{square};
    search(point, 0, order_.size(), reach, &out, most);
  }

 private:
  static constexpr std::uint32_t equal_rows = ~0U;  ///< instead of an axis: copies of one row, which a search must not visit one by one

  void build(std::size_t begin, std::size_t end) {
    if (end - begin < 2) return;
    std::size_t axis = 0;
    Real widest = -1;
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

  // Without `out`: moves `best` to the nearest row. Otherwise collects rows within its distance.
  void search(const Real* point, std::size_t begin, std::size_t end, Nearest& best, std::vector<std::uint32_t>* out,
              std::size_t most) const {
    if (begin >= end || (out != nullptr && out->size() >= most) || left_ == 0) return;
    --left_;
    const std::size_t middle = begin + (end - begin) / 2;
    const Real* row = &rows_[order_[middle] * width_];
    double distance = 0;
    for (std::size_t c = 0; c < width_ && distance <= best.square; ++c) {
      const double d = static_cast<double>(point[c]) - static_cast<double>(row[c]);
      distance += d * d;
    }
    const bool equal = end - begin == 1 || axes_[middle] == equal_rows;
    if (out != nullptr && distance <= best.square)
      for (std::size_t i = equal ? begin : middle, last = equal ? end : middle + 1; i != last && out->size() < most; ++i)
        out->push_back(order_[i]);
    else if (distance < best.square || (distance <= best.square && best.row == nothing))
      best = {distance, order_[middle]};
    if (equal) return;
    const double side = static_cast<double>(point[axes_[middle]]) - static_cast<double>(row[axes_[middle]]);
    const bool low = side < 0;
    low ? search(point, begin, middle, best, out, most) : search(point, middle + 1, end, best, out, most);
    if (out == nullptr ? side * side < best.square : side * side <= best.square)
      low ? search(point, middle + 1, end, best, out, most) : search(point, begin, middle, best, out, most);
  }

  std::span<const Real> rows_;
  std::size_t width_;
  std::uint64_t& left_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> axes_;  ///< by middle of a range
};

}  // namespace sinew
