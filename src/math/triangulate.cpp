// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "math/dimension.hpp"
#include "math/elimination.hpp"

#include "sinew/geometry.hpp"

namespace sinew {

namespace {

using Vertices = std::vector<std::uint32_t>;

/// The vectors from a simplex's first corner to the `count` others, one after another.
struct SideVectors {
  std::size_t count = 0;
  std::array<double, max_dimension * max_dimension> values;
};

/// The state of an item. The boundary of its simplexes, each with the sign of its order, is Σ sign · part.
struct Item {
  enum class State : std::uint8_t { unknown, cut, refused };
  State state = State::unknown;
  std::vector<std::int8_t> signs;  ///< of its parts
  Vertices vertices;               ///< ascending
  Vertices simplexes;
};

void swap_last_two(std::span<std::uint32_t> simplex) { std::swap(simplex[simplex.size() - 1], simplex[simplex.size() - 2]); }

/// Returns the signs with which a face's edges, each in its stored direction, form a closed loop; empty if they do not.
std::vector<std::int8_t> loop_signs(const Polytopes& polytopes, std::span<const std::uint32_t> face) {
  if (face.size() < 3) return {};
  const Edge &first = polytopes.edges[face[0]], &second = polytopes.edges[face[1]];
  const bool forward = first[1] == second[0] || first[1] == second[1];
  const std::uint32_t start = first[forward ? 0 : 1];
  std::uint32_t at = start;
  std::vector<std::int8_t> signs;
  for (const std::uint32_t part : face) {
    const Edge& edge = polytopes.edges[part];
    if (edge[0] != at && edge[1] != at) return {};
    signs.push_back(edge[0] == at ? 1 : -1);
    at = edge[edge[0] == at ? 1 : 0];
  }
  return at == start ? signs : std::vector<std::int8_t>{};
}

class Cutter {
 public:
  Cutter(const Polytopes& polytopes, std::size_t tiers, strided_view<const double> positions, std::size_t limit)
      : polytopes_(polytopes), positions_(positions), left_(limit) {
    for (std::size_t t = 0; t < tiers; ++t) items_.emplace_back(polytopes.tiers[t].size());
  }

  /// Cuts an item and its parts. Its simplexes then have the orientation `facing`, unless that is empty. Returns false if the limit is
  /// reached.
  [[nodiscard]] bool cut(std::size_t tier, std::uint32_t index, std::span<const std::uint32_t> facing, Item*& out) {
    Item& item = items_[tier][index];
    out = &item;
    if (item.state != Item::State::unknown) return true;
    item.state = Item::State::refused;
    const auto parts = polytopes_.tiers[tier][index];
    for (const std::uint32_t part : parts) {
      if (left_-- == 0) return false;
      Item* below = nullptr;
      if (tier > 0 && !cut(tier - 1, part, {}, below)) return false;
      if (below != nullptr && below->state == Item::State::refused) return true;
      if (below != nullptr)
        item.vertices.insert(item.vertices.end(), below->vertices.begin(), below->vertices.end());
      else
        item.vertices.insert(item.vertices.end(), polytopes_.edges[part].begin(), polytopes_.edges[part].end());
    }
    std::sort(item.vertices.begin(), item.vertices.end());
    item.vertices.erase(std::unique(item.vertices.begin(), item.vertices.end()), item.vertices.end());
    item.signs = tier == 0 ? loop_signs(polytopes_, parts) : boundary_signs(tier, parts);
    if (item.signs.empty()) return true;
    for (const std::uint32_t pivot : item.vertices) {
      if (!cone(tier, parts, pivot, item)) return false;
      if (!keep_if_visible(tier + 3, facing, item)) continue;
      item.state = Item::State::cut;
      return true;
    }
    item.simplexes.clear();
    return true;
  }

 private:
  /// Returns the signs with which the parts close: every part of a part occurs twice, once in each direction. Walks from part to
  /// neighbouring part.
  [[nodiscard]] std::vector<std::int8_t> boundary_signs(std::size_t tier, std::span<const std::uint32_t> parts) const {
    struct Side {
      std::size_t part;
      std::int8_t sign;
    };
    std::unordered_map<std::uint32_t, std::vector<Side>> ridges;
    const auto each_side = [&](std::size_t part, auto function) {
      const auto list = polytopes_.tiers[tier - 1][parts[part]];
      const std::vector<std::int8_t>& signs = items_[tier - 1][parts[part]].signs;
      for (std::size_t i = 0; i < list.size(); ++i) function(list[i], signs[i]);
    };
    for (std::size_t part = 0; part < parts.size(); ++part)
      each_side(part, [&](std::uint32_t ridge, std::int8_t sign) { ridges[ridge].push_back({part, sign}); });

    std::vector<std::int8_t> signs(parts.size());
    std::vector<std::size_t> open;
    if (!parts.empty()) signs[0] = 1, open.push_back(0);
    std::size_t reached = open.size();
    bool closed = true;
    while (!open.empty() && closed) {
      const std::size_t part = open.back();
      open.pop_back();
      each_side(part, [&](std::uint32_t ridge, std::int8_t sign) {
        const std::vector<Side>& sides = ridges[ridge];
        closed = closed && sides.size() == 2;
        if (!closed) return;
        const Side& other = sides[sides[0].part == part ? 1 : 0];
        const auto wanted = static_cast<std::int8_t>(-signs[part] * sign * other.sign);
        if (signs[other.part] == 0) {
          signs[other.part] = wanted;
          ++reached;
          open.push_back(other.part);
        }
        closed = closed && signs[other.part] == wanted;
      });
    }
    if (!closed || reached != parts.size()) signs.clear();
    return signs;
  }

  /// Adds the simplexes between a vertex and all parts that do not contain it. Returns false if the limit is reached.
  [[nodiscard]] bool cone(std::size_t tier, std::span<const std::uint32_t> parts, std::uint32_t pivot, Item& item) {
    item.simplexes.clear();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const bool edge = tier == 0;
      const Edge ends = edge ? polytopes_.edges[parts[i]] : Edge{};
      const Item* below = edge ? nullptr : &items_[tier - 1][parts[i]];
      if (edge ? ends[0] == pivot || ends[1] == pivot : std::binary_search(below->vertices.begin(), below->vertices.end(), pivot)) continue;
      const std::span<const std::uint32_t> bases = edge ? std::span<const std::uint32_t>(ends) : below->simplexes;
      const std::size_t width = tier + 2;
      for (std::size_t first = 0; first + width <= bases.size(); first += width) {
        if (left_-- == 0) return false;
        item.simplexes.push_back(pivot);
        const auto base = bases.subspan(first, width);
        item.simplexes.insert(item.simplexes.end(), base.begin(), base.end());
        if (item.signs[i] < 0) swap_last_two(std::span(item.simplexes).last(width));
      }
    }
    return true;
  }

  void sides_of(std::span<const std::uint32_t> simplex, double scale, SideVectors& out) const {
    const std::size_t n = positions_.width();
    out.count = simplex.size() - 1;
    for (std::size_t j = 0; j < out.count; ++j)
      for (std::size_t i = 0; i < n; ++i) out.values[j * n + i] = (positions_[simplex[j + 1]][i] - positions_[simplex[0]][i]) / scale;
  }

  /// Returns det(AᵀB).
  [[nodiscard]] double product(const SideVectors& a, const SideVectors& b) const {
    const std::size_t n = positions_.width();
    std::array<double, max_dimension * max_dimension> products;
    for (std::size_t j = 0; j < b.count; ++j)
      for (std::size_t i = 0; i < a.count; ++i)
        products[j * a.count + i] = std::inner_product(&a.values[i * n], &a.values[i * n] + n, &b.values[j * n], 0.0);
    return determinant_of(a.count, products.data());
  }

  /// Returns whether all simplexes have the same orientation in the item's own plane: det(AᵀB) is the signed product of the volumes of A
  /// and B. Drops simplexes without volume (unless all are) and orients the rest as `facing`.
  [[nodiscard]] bool keep_if_visible(std::size_t corners, std::span<const std::uint32_t> facing, Item& item) const {
    double scale = 0;
    for (const std::uint32_t vertex : item.vertices)
      for (std::size_t i = 0; i < positions_.width(); ++i)
        scale = std::max(scale, std::abs(positions_[vertex][i] - positions_[item.vertices[0]][i]));
    if (!(scale > 0)) return true;
    const auto simplex = [&](std::size_t first) { return std::span(item.simplexes).subspan(first, corners); };

    SideVectors largest, sides;
    double square = 0;
    for (std::size_t first = 0; first < item.simplexes.size(); first += corners) {
      sides_of(simplex(first), scale, sides);
      const double own = product(sides, sides);
      if (own > square) square = own, largest = sides;
    }
    if (!(square > 0)) return true;

    constexpr double flat = 1e-9;  // relative to the largest volume: rounding for parts in one plane with the first vertex
    Vertices kept;
    for (std::size_t first = 0; first < item.simplexes.size(); first += corners) {
      sides_of(simplex(first), scale, sides);
      const double together = product(sides, largest);
      if (together < -flat * square) return false;
      if (together > flat * square) kept.insert(kept.end(), simplex(first).begin(), simplex(first).end());
    }
    if (facing.size() == corners) sides_of(facing, scale, sides);
    if (facing.size() == corners && product(sides, largest) < 0)
      for (std::size_t first = 0; first < kept.size(); first += corners) swap_last_two(std::span(kept).subspan(first, corners));
    item.simplexes = std::move(kept);
    return true;
  }

  const Polytopes& polytopes_;
  strided_view<const double> positions_;
  std::size_t left_;
  std::vector<std::vector<Item>> items_;
};

}  // namespace

Result<Triangulation> triangulate(const Polytopes& polytopes, std::size_t tier, strided_view<const double> positions,
                                  std::size_t limit) SINEW_TRY {
  assert(tier < polytopes.tiers.size() && tier + 2 <= positions.width() && positions.width() <= max_dimension);
  auto facing = orientation_simplexes(polytopes, tier, limit);
  if (!facing) return Unexpected(std::move(facing).error());
  Triangulation out;
  out.corners = tier + 3;
  Cutter cutter(polytopes, tier + 1, positions, limit);
  for (std::uint32_t i = 0; i < polytopes.tiers[tier].size(); ++i) {
    out.first.push_back(out.simplexes.size() / out.corners);
    Item* item = nullptr;
    if (!cutter.cut(tier, i, (*facing)[i], item)) return Unexpected(error("SINEW_GEOMETRY_LIMIT"_code, Failure::limit, {}, limit));
    if (item->state == Item::State::refused) out.refused.push_back(i);
    out.simplexes.insert(out.simplexes.end(), item->simplexes.begin(), item->simplexes.end());
  }
  out.first.push_back(out.simplexes.size() / out.corners);
  return out;
}
SINEW_CATCH()

}  // namespace sinew
