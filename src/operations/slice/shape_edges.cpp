// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/guard.hpp"

#include "sinew/project.hpp"

namespace sinew::operations {

namespace {

/// Sine of the smallest angle between directions that count as different.
constexpr double least_bend = 1e-3;

/// The space spanned by directions, which are added one by one.
class Span {
 public:
  explicit Span(std::size_t dimension) : dimension_(dimension) {}

  void clear() { basis_.clear(); }
  [[nodiscard]] std::size_t rank() const { return basis_.size() / dimension_; }

  /// `direction` has length 1, or 0 if there is none.
  void add(std::span<const double> direction) {
    rest_.assign(direction.begin(), direction.end());
    for (std::size_t first = 0; first < basis_.size(); first += dimension_) {
      double along = 0;
      for (std::size_t i = 0; i < dimension_; ++i) along += rest_[i] * basis_[first + i];
      for (std::size_t i = 0; i < dimension_; ++i) rest_[i] -= along * basis_[first + i];
    }
    double squared = 0;
    for (const double x : rest_) squared += x * x;
    if (!(squared > least_bend * least_bend)) return;
    for (const double x : rest_) basis_.push_back(x / std::sqrt(squared));
  }

 private:
  std::size_t dimension_;
  std::vector<double> basis_, rest_;
};

void make_unit(std::span<double> vector) {
  double squared = 0;
  for (const double x : vector) squared += x * x;
  if (squared > 0)
    for (double& x : vector) x /= std::sqrt(squared);
}

/// A part of a simplex.
struct Part {
  std::uint32_t simplex;
  std::uint8_t out;  ///< of a facet: the corner that it lacks
};

/// The directions across which a simplex ends or bends: its normal, and for every facet without a neighbour, the outward direction across
/// it.
class Directions {
 public:
  Directions(strided_view<const double> positions, std::span<const std::uint32_t> simplexes)
      : n_(positions.width()), positions_(positions), simplexes_(simplexes), normals_(simplexes.size()), outward_(n_) {
    for (std::size_t s = 0; s < count(); ++s) {
      const auto normal = std::span(normals_).subspan(s * n_, n_);
      simplex_normal(positions_, corners(s), normal);
      make_unit(normal);
    }
    find_open();
  }

  [[nodiscard]] std::size_t count() const { return simplexes_.size() / n_; }
  [[nodiscard]] std::span<const std::uint32_t> corners(std::size_t simplex) const { return simplexes_.subspan(simplex * n_, n_); }

  /// Adds the directions of the simplex around one of its edges.
  void add(std::size_t simplex, const Edge& edge, Span& around) {
    around.add(std::span(normals_).subspan(simplex * n_, n_));
    if (open_.empty()) return;
    for (std::size_t out = 0; out < n_; ++out) {
      const std::uint32_t missing = corners(simplex)[out];
      if (open_[simplex * n_ + out] && missing != edge[0] && missing != edge[1]) around.add(way_out(simplex, out));
    }
  }

 private:
  void find_open() {
    std::vector<Part> facets;
    for (std::uint32_t s = 0; s < count(); ++s)
      for (std::size_t out = 0; out < n_; ++out) facets.push_back({s, static_cast<std::uint8_t>(out)});
    std::vector<std::uint32_t> rows(facets.size() * (n_ - 1));
    for (std::size_t f = 0; f < facets.size(); ++f) {
      const auto row = std::span(rows).subspan(f * (n_ - 1), n_ - 1);
      auto to = row.begin();
      for (std::size_t c = 0; c < n_; ++c)
        if (c != facets[f].out) *to++ = corners(facets[f].simplex)[c];
      std::ranges::sort(row);
    }
    const auto row_of = [&](std::uint32_t f) { return std::span(rows).subspan(f * (n_ - 1), n_ - 1); };
    std::vector<std::uint32_t> order(facets.size());
    for (std::uint32_t f = 0; f < order.size(); ++f) order[f] = f;
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) { return std::ranges::lexicographical_compare(row_of(a), row_of(b)); });
    for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
      while (last < order.size() && std::ranges::equal(row_of(order[first]), row_of(order[last]))) ++last;
      if (last - first != 1) continue;
      open_.resize(simplexes_.size());
      open_[order[first]] = true;
    }
  }

  /// Returns the outward direction: within the simplex, perpendicular to its facet.
  std::span<const double> way_out(std::size_t simplex, std::size_t out) {
    std::vector<double> vectors;
    const std::uint32_t from = corners(simplex)[out == 0 ? 1 : 0];
    for (std::size_t c = 0; c < n_; ++c) {
      if (c == out || corners(simplex)[c] == from) continue;
      for (std::size_t i = 0; i < n_; ++i) vectors.push_back(positions_[corners(simplex)[c]][i] - positions_[from][i]);
      make_unit(std::span(vectors).last(n_));
    }
    const auto normal = std::span(normals_).subspan(simplex * n_, n_);
    vectors.insert(vectors.end(), normal.begin(), normal.end());
    std::ranges::fill(outward_, 0.0);
    if (vectors.size() == n_ * (n_ - 1)) perpendicular(n_, vectors, outward_);
    make_unit(outward_);
    return outward_;
  }

  std::size_t n_;
  strided_view<const double> positions_;
  std::span<const std::uint32_t> simplexes_;
  std::vector<double> normals_, outward_;
  std::vector<bool> open_;  ///< by simplex and omitted corner: whether the facet has no neighbour; empty: all have one
};

}  // namespace

Result<std::vector<Edge>> shape_edges(strided_view<const double> positions, std::span<const std::uint32_t> simplexes) SINEW_TRY {
  const std::size_t n = positions.width();
  if (simplexes.empty()) return {};
  Directions directions(positions, simplexes);
  std::vector<std::pair<Edge, std::uint32_t>> uses;
  for (std::uint32_t s = 0; s < directions.count(); ++s) {
    const auto corners = directions.corners(s);
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = a + 1; b < n; ++b)
        if (corners[a] != corners[b]) uses.push_back({{std::min(corners[a], corners[b]), std::max(corners[a], corners[b])}, s});
  }
  std::ranges::sort(uses);
  std::vector<Edge> edges;
  Span around(n);
  for (auto first = uses.begin(), last = first; first != uses.end(); first = last) {
    around.clear();
    for (; last != uses.end() && last->first == first->first; ++last)
      if (around.rank() + 1 < n) directions.add(last->second, first->first, around);
    if (around.rank() + 1 >= n) edges.push_back(first->first);
  }
  return edges;
}
SINEW_CATCH()

}  // namespace sinew::operations
