// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "operations/flex/checks.hpp"
#include "operations/flex/solid.hpp"
#include "operations/weights/vec.hpp"

namespace sinew::operations::bend::crossings {

namespace {

using weights::cross;
using weights::dot;
using weights::Vec;
using weights::operator-;

constexpr double touch = 1e-6;  // barycentric: touching is no crossing

using Corners = std::array<Vec, 3>;

Corners corners_of(const Figure& figure, std::span<const double> at, Number triangle) {
  Corners out;
  for (std::size_t i = 0; i < 3; ++i) {
    const double* const p = &at[figure.simplexes[triangle * 3 + i] * 3];
    out[i] = {p[0], p[1], p[2]};
  }
  return out;
}

/// Returns whether the segment from p to q passes through the inside of a triangle (Möller and Trumbore, 1997).
bool pierces(const Vec& p, const Vec& q, const Corners& t) {
  const Vec along = q - p, side = t[1] - t[0], other = t[2] - t[0];
  const Vec h = cross(along, other);
  const double det = dot(side, h);
  const double size = weights::norm(along) * weights::norm(side) * weights::norm(other);
  if (std::abs(det) <= 1e-12 * size) return false;
  const Vec s = p - t[0];
  const double u = dot(s, h) / det;
  if (u <= touch || u >= 1 - touch) return false;
  const Vec k = cross(s, side);
  const double v = dot(along, k) / det;
  if (v <= touch || u + v >= 1 - touch) return false;
  const double w = dot(other, k) / det;
  return w > touch && w < 1 - touch;
}

bool cross_each_other(const Corners& a, const Corners& b) {
  for (std::size_t i = 0; i < 3; ++i)
    if (pierces(a[i], a[(i + 1) % 3], b) || pierces(b[i], b[(i + 1) % 3], a)) return true;
  return false;
}

struct Box {
  Vec low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  Number triangle = 0;
  bool of_zone = false;

  void add(const Vec& p) {
    low = lowest(low, p);
    high = highest(high, p);
  }
  [[nodiscard]] bool meets(const Box& other) const {
    for (std::size_t i = 0; i < 3; ++i)
      if (low[i] > other.high[i] || high[i] < other.low[i]) return false;
    return true;
  }
};

Box box_of(const Figure& figure, std::span<const double> at, Number triangle) {
  Box box;
  box.triangle = triangle;
  for (const Vec& corner : corners_of(figure, at, triangle)) box.add(corner);
  return box;
}

bool share_place(const Figure& figure, Number a, Number b) {
  for (const Number x : figure.simplex(a))
    for (const Number y : figure.simplex(b))
      if (figure.place_of[x] == figure.place_of[y]) return true;
  return false;
}

Number part_of(const Figure& figure, Number triangle) { return figure.part_of[figure.place_of[figure.simplex(triangle)[0]]]; }

/// Boxes in the cells of a grid. The few that are much larger than the others are kept apart.
class Grid {
 public:
  explicit Grid(const std::vector<Box>& boxes) : boxes_(boxes) {
    Box whole;
    double sum = 0;
    for (const Box& box : boxes) {
      whole.add(box.low);
      whole.add(box.high);
      sum += std::max({box.high[0] - box.low[0], box.high[1] - box.low[1], box.high[2] - box.low[2]});
    }
    origin_ = whole.low;
    const double cell = std::max(1.5 * sum / static_cast<double>(boxes.size() + 1), 1e-9);
    for (std::size_t i = 0; i < 3; ++i) {
      const double cells = boxes.empty() ? 1 : std::clamp((whole.high[i] - whole.low[i]) / cell, 1.0, 60.0);
      size_[i] = static_cast<std::size_t>(cells) + 1;
      scale_[i] = boxes.empty() || !(whole.high[i] > whole.low[i]) ? 0 : cells / (whole.high[i] - whole.low[i]);
    }
    std::vector<Number> cell_of, item;
    for (Number b = 0; b < boxes.size(); ++b) {
      const Cells range = cells_of(boxes[b]);
      if (range.count() > 64) {
        large_.push_back(b);
        continue;
      }
      for_each_cell(range, [&](std::size_t at) {
        cell_of.push_back(static_cast<Number>(at));
        item.push_back(b);
      });
    }
    lists_ = Lists::group(size_[0] * size_[1] * size_[2], cell_of);
    for (Number& i : lists_.items) i = item[i];
  }

  /// Calls use(other) once for each box that meets a box.
  template <class Use>
  void for_each_meeting(const Box& box, const Use& use) const {
    const Cells range = cells_of(box);
    for_each_cell(range, [&](std::size_t at) {
      for (const Number b : lists_[at]) {
        if (!boxes_[b].meets(box)) continue;
        const Cells other = cells_of(boxes_[b]);
        std::array<std::size_t, 3> first;  // of the cells that both are in
        for (std::size_t i = 0; i < 3; ++i) first[i] = std::max(range.low[i], other.low[i]);
        if (index(first) == at) use(boxes_[b]);
      }
    });
    for (const Number b : large_)
      if (boxes_[b].meets(box)) use(boxes_[b]);
  }

 private:
  struct Cells {
    std::array<std::size_t, 3> low, high;
    [[nodiscard]] std::size_t count() const { return (high[0] - low[0] + 1) * (high[1] - low[1] + 1) * (high[2] - low[2] + 1); }
  };
  [[nodiscard]] Cells cells_of(const Box& box) const {
    Cells out;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto most = static_cast<double>(size_[i] - 1);
      out.low[i] = static_cast<std::size_t>(std::clamp((box.low[i] - origin_[i]) * scale_[i], 0.0, most));
      out.high[i] = static_cast<std::size_t>(std::clamp((box.high[i] - origin_[i]) * scale_[i], 0.0, most));
    }
    return out;
  }
  [[nodiscard]] std::size_t index(const std::array<std::size_t, 3>& cell) const {
    return (cell[2] * size_[1] + cell[1]) * size_[0] + cell[0];
  }
  template <class Use>
  void for_each_cell(const Cells& range, const Use& use) const {
    for (std::size_t z = range.low[2]; z <= range.high[2]; ++z)
      for (std::size_t y = range.low[1]; y <= range.high[1]; ++y)
        for (std::size_t x = range.low[0]; x <= range.high[0]; ++x) use(index({x, y, z}));
  }

  const std::vector<Box>& boxes_;
  Vec origin_{};
  std::array<std::size_t, 3> size_{1, 1, 1};
  std::array<double, 3> scale_{};
  Lists lists_;
  std::vector<Number> large_;
};

}  // namespace

}  // namespace sinew::operations::bend::crossings

namespace sinew::operations::bend {

std::vector<Crossing> find_crossings(const Figure& figure, std::span<const Number> zone, std::span<const double> at) {
  using namespace crossings;
  std::vector<Box> boxes;
  Box whole;
  std::vector<char> in_zone(figure.count()), part(figure.parts);
  for (const Number triangle : zone) {
    if (figure.rigid[figure.piece_of[figure.simplex(triangle)[0]]] != nothing) continue;
    Box& box = boxes.emplace_back(box_of(figure, at, triangle));
    box.of_zone = true;
    whole.add(box.low);
    whole.add(box.high);
    in_zone[triangle] = part[part_of(figure, triangle)] = 1;
  }
  const std::vector<Box> asked = boxes;
  for (Number triangle = 0; triangle < figure.count(); ++triangle) {
    if (in_zone[triangle] || !part[part_of(figure, triangle)] || figure.rigid[figure.piece_of[figure.simplex(triangle)[0]]] != nothing)
      continue;
    const Box box = box_of(figure, at, triangle);
    if (box.meets(whole)) boxes.push_back(box);
  }
  const Grid grid(boxes);
  std::vector<Crossing> out;
  for (const Box& box : asked)
    grid.for_each_meeting(box, [&](const Box& other) {
      const Number a = box.triangle, b = other.triangle;
      if (a == b || (other.of_zone && b < a) || part_of(figure, a) != part_of(figure, b) || share_place(figure, a, b)) return;
      if (!cross_each_other(corners_of(figure, at, a), corners_of(figure, at, b))) return;
      if (!cross_each_other(corners_of(figure, figure.at, a), corners_of(figure, figure.at, b))) out.push_back({a, b});
    });
  return out;
}

}  // namespace sinew::operations::bend
