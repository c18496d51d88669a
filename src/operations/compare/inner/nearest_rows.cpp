// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "base/deadline.hpp"
#include "math/row_tree.hpp"
#include "operations/compare/compare_vertices.hpp"

namespace sinew::operations {

namespace {

constexpr std::size_t most_candidates = 16;

template <class Make>
void add_nearest(std::span<const float> from, const RowTree<float>& to, std::size_t width, double slack, Candidates& out, Make make) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t row = 0; row < from.size() / width; ++row) {
    ask_deadline();
    const float* point = &from[row * width];
    const double reach = std::sqrt(to.nearest(point).square) + slack;
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
  add_nearest(a, RowTree<float>(b, width, left), width, slack, out,
              [](std::uint32_t row, std::uint32_t other) { return RowPair{row, other}; });
  add_nearest(b, RowTree<float>(a, width, left), width, slack, out,
              [](std::uint32_t row, std::uint32_t other) { return RowPair{other, row}; });
  return out;
}

bool all_near(std::span<const float> a, std::span<const float> b, std::size_t width, double reach, SearchSteps& left) {
  if (width == 0 || b.size() < width) return a.empty();
  const RowTree<float> tree(b, width, left);
  for (std::size_t row = 0; row < a.size(); row += width, ask_deadline())
    if (!(tree.nearest(&a[row]).square <= reach * reach)) return false;
  return true;
}

}  // namespace sinew::operations
