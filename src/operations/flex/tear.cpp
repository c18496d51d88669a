// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "operations/flex/checks.hpp"

namespace sinew::operations::bend {

namespace {

/// A side of a simplex: what remains without one corner, ordered by places.
struct Ridge {
  std::array<Number, 16> place{}, twin{}, vertex{};
  Number simplex = 0;
};

Ridge ridge_of(const Figure& figure, std::size_t simplex, std::size_t without) {
  Ridge ridge;
  ridge.simplex = static_cast<Number>(simplex);
  std::array<std::array<Number, 3>, 16> corners{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < figure.corners; ++i) {
    if (i == without) continue;
    const Number twin = figure.simplexes[simplex * figure.corners + i];
    corners[count++] = {figure.place_of[twin], twin, figure.simplex_vertex[simplex * figure.corners + i]};
  }
  std::sort(corners.begin(), corners.begin() + static_cast<std::ptrdiff_t>(count));
  for (std::size_t i = 0; i < count; ++i) {
    ridge.place[i] = corners[i][0];
    ridge.twin[i] = corners[i][1];
    ridge.vertex[i] = corners[i][2];
  }
  return ridge;
}

/// Calls use(first, last) for runs of ridges at the same places.
template <class Use>
void for_each_place(const std::vector<Ridge>& ridges, const Use& use) {
  for (std::size_t first = 0; first < ridges.size();) {
    std::size_t last = first + 1;
    while (last < ridges.size() && ridges[last].place == ridges[first].place) ++last;
    use(first, last);
    first = last;
  }
}

bool rigid(const Figure& figure, Number twin) { return figure.rigid[figure.piece_of[twin]] != nothing; }

/// Returns whether several twins share the place of a twin.
bool is_split(const Figure& figure, Number twin) { return figure.twins_of[figure.place_of[twin]].size() > 1; }

}  // namespace

std::vector<SeamPair> find_seams(const Figure& figure) {
  std::vector<Ridge> ridges;
  for (std::size_t s = 0; s < figure.count(); ++s)
    for (std::size_t without = 0; without < figure.corners; ++without) {
      bool split = false;
      for (std::size_t i = 0; i < figure.corners; ++i) split |= i != without && is_split(figure, figure.simplexes[s * figure.corners + i]);
      if (split) ridges.push_back(ridge_of(figure, s, without));
    }
  std::ranges::sort(
      ridges, [](const Ridge& a, const Ridge& b) { return std::tie(a.place, a.twin, a.simplex) < std::tie(b.place, b.twin, b.simplex); });
  std::vector<std::pair<Number, Number>> pairs;
  for_each_place(ridges, [&](std::size_t first, std::size_t last) {
    std::vector<std::size_t> open;  // those of one simplex only
    for (std::size_t i = first; i < last; ++i) {
      const bool before = i > first && ridges[i - 1].twin == ridges[i].twin, after = i + 1 < last && ridges[i + 1].twin == ridges[i].twin;
      if (!before && !after && open.size() < 16) open.push_back(i);
    }
    for (std::size_t i = 0; i < open.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        for (std::size_t c = 0; c + 1 < figure.corners; ++c) {
          const Number a = ridges[open[k]].twin[c], b = ridges[open[i]].twin[c];
          if (a != b) pairs.push_back(std::minmax(a, b));
        }
  });
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  std::vector<SeamPair> out;
  for (const auto& [a, b] : pairs) out.push_back({a, b, rigid(figure, a) && rigid(figure, b)});
  return out;
}

void find_shape_tears(const Figure& figure, std::span<const double> offset, const FlexPose& pose, Findings& out) {
  const std::size_t n = figure.n;
  const auto apart = [&](Number a, Number b) {
    double squares = 0;
    for (std::size_t i = 0; i < n; ++i) squares += std::pow(offset[a * n + i] - offset[b * n + i], 2);
    return std::sqrt(squares);
  };
  std::vector<bool> split(figure.places());
  bool any = false;
  for (std::size_t place = 0; place < figure.places(); ++place) {
    Number first = nothing;
    for (const Number twin : figure.twins_of[place])
      for (const Number vertex : figure.members[twin]) {
        if (first == nothing) first = vertex;
        if (apart(first, vertex) >= limit::tear / 2) any = split[place] = true;
      }
  }
  if (!any) return;
  std::vector<Ridge> ridges;
  for (std::size_t s = 0; s < figure.count(); ++s)
    for (std::size_t without = 0; without < figure.corners; ++without) {
      bool touches = false;
      for (std::size_t i = 0; i < figure.corners; ++i)
        touches |= i != without && split[figure.place_of[figure.simplexes[s * figure.corners + i]]];
      if (touches) ridges.push_back(ridge_of(figure, s, without));
    }
  std::ranges::sort(ridges, [](const Ridge& a, const Ridge& b) { return std::tie(a.place, a.simplex) < std::tie(b.place, b.simplex); });
  const auto together = [&](const Ridge& a, const Ridge& b) {
    for (std::size_t c = 0; c + 1 < figure.corners; ++c)
      if (a.twin[c] != b.twin[c] || apart(a.vertex[c], b.vertex[c]) >= limit::tear / 2) return false;
    return true;
  };
  Found found{FlexKind::tear, Severity::information, nothing, 0, limit::tear, "diagonal", pose, true, 0, {}, {}};
  for_each_place(ridges, [&](std::size_t first, std::size_t last) {
    if (last - first > 16) return;
    std::vector<std::size_t> open;
    for (std::size_t i = first; i < last; ++i) {
      bool alone = true;
      for (std::size_t k = first; k < last; ++k) alone &= i == k || !together(ridges[i], ridges[k]);
      if (alone) open.push_back(i);
    }
    for (std::size_t i = 0; i < open.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        for (std::size_t c = 0; c + 1 < figure.corners; ++c) {
          const Number a = ridges[open[k]].vertex[c], b = ridges[open[i]].vertex[c];
          const double gap = apart(a, b);
          if (gap < limit::tear) continue;
          found.value = std::max(found.value, gap);
          found.marks.push_back({gap, a});
          found.marks.push_back({gap, b});
        }
  });
  if (found.marks.empty()) return;
  found.severity = severity_of(found.value, limit::tear, limit::tear_error);
  out.offer(std::move(found));
}

}  // namespace sinew::operations::bend
