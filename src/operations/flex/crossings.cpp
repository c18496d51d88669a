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

/// What may cross: triangles, and in the plane the edges of the outline.
class Sheet {
 public:
  Sheet(const Figure& figure, std::span<const Piece> outline) : f_(figure), outline_(outline), flat_(figure.n == 2) {}

  [[nodiscard]] Number size() const { return static_cast<Number>(flat_ ? outline_.size() : f_.count()); }
  [[nodiscard]] Number simplex(Number i) const { return flat_ ? outline_[i].simplex : i; }
  [[nodiscard]] std::span<const Number> twins(Number i) const {
    return flat_ ? std::span<const Number>(outline_[i].corner).first(2) : f_.simplex(i);
  }
  [[nodiscard]] Corners corners(std::span<const double> at, Number i) const {
    Corners out{};
    const std::span<const Number> list = twins(i);
    for (std::size_t k = 0; k < list.size(); ++k) out[k] = vec_at(f_, at, list[k]);
    return out;
  }
  [[nodiscard]] bool cross_each_other(std::span<const double> at, Number a, Number b) const;
  [[nodiscard]] bool share_place(Number a, Number b) const {
    for (const Number x : twins(a))
      for (const Number y : twins(b))
        if (f_.place_of[x] == f_.place_of[y]) return true;
    return false;
  }
  [[nodiscard]] Number part(Number i) const { return f_.part_of[f_.place_of[twins(i)[0]]]; }
  [[nodiscard]] bool is_rigid(Number i) const { return f_.rigid[f_.piece_of[twins(i)[0]]] != nothing; }

 private:
  const Figure& f_;
  std::span<const Piece> outline_;
  bool flat_;
};

/// Returns whether the segment from p to q passes through the inside of a triangle (Möller and Trumbore, 1997).
bool pierces(const Vec& p, const Vec& q, const Corners& t) {
  const Vec along = q - p, side = t[1] - t[0], other = t[2] - t[0];
  const Vec h = cross(along, other);
  const double det = dot(side, h);
  if (det == 0) return false;
  const Vec s = p - t[0];
  const double u = dot(s, h) / det;
  if (u <= touch || u >= 1 - touch) return false;
  const Vec k = cross(s, side);
  const double v = dot(along, k) / det;
  if (v <= touch || u + v >= 1 - touch) return false;
  const double w = dot(other, k) / det;
  if (!(w > touch && w < 1 - touch)) return false;
  const double size = weights::norm(along) * weights::norm(side) * weights::norm(other);
  return !(std::abs(det) <= 1e-12 * size);  // last, because few come here
}

/// Returns whether two segments of the plane cross, inside of both.
bool segments_cross(const Corners& a, const Corners& b) {
  const Vec along = a[1] - a[0], other = b[1] - b[0], between = b[0] - a[0];
  const double det = cross(along, other)[2];
  if (std::abs(det) <= 1e-12 * weights::norm(along) * weights::norm(other)) return false;
  const double s = cross(between, other)[2] / det, t = cross(between, along)[2] / det;
  return s > touch && s < 1 - touch && t > touch && t < 1 - touch;
}

bool Sheet::cross_each_other(std::span<const double> at, Number i, Number k) const {
  const Corners a = corners(at, i), b = corners(at, k);
  if (flat_) return segments_cross(a, b);
  for (std::size_t side = 0; side < 3; ++side)
    if (pierces(a[side], a[(side + 1) % 3], b) || pierces(b[side], b[(side + 1) % 3], a)) return true;
  return false;
}

struct Box {
  Vec low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  Number number = 0;  ///< in the sheet
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

Box box_of(const Sheet& sheet, std::span<const double> at, Number number) {
  Box box;
  box.number = number;
  const Corners corners = sheet.corners(at, number);
  for (std::size_t i = 0; i < sheet.twins(number).size(); ++i) box.add(corners[i]);
  return box;
}

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
    ranges_.reserve(boxes.size());
    for (Number b = 0; b < boxes.size(); ++b) {
      const Cells range = cells_of(boxes[b]);
      ranges_.push_back(range);
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
        const Cells& other = ranges_[b];
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
  std::vector<Cells> ranges_;  ///< of the boxes
  Lists lists_;
  std::vector<Number> large_;
};

}  // namespace

}  // namespace sinew::operations::bend::crossings

namespace sinew::operations::bend {

std::vector<Crossing> find_crossings(const Figure& figure, std::span<const Piece> outline, std::span<const Number> zone,
                                     std::span<const double> at) {
  using namespace crossings;
  const Sheet sheet(figure, outline);
  std::vector<Box> boxes;
  Box whole;
  std::vector<char> in_zone(figure.count()), part(figure.parts);
  for (const Number triangle : zone) in_zone[triangle] = 1;
  for (Number i = 0; i < sheet.size(); ++i) {
    if (in_zone[sheet.simplex(i)] == 0 || sheet.is_rigid(i)) continue;
    Box& box = boxes.emplace_back(box_of(sheet, at, i));
    box.of_zone = true;
    whole.add(box.low);
    whole.add(box.high);
    part[sheet.part(i)] = 1;
  }
  const std::vector<Box> asked = boxes;
  for (Number i = 0; i < sheet.size(); ++i) {
    if (in_zone[sheet.simplex(i)] != 0 || part[sheet.part(i)] == 0 || sheet.is_rigid(i)) continue;
    const Box box = box_of(sheet, at, i);
    if (box.meets(whole)) boxes.push_back(box);
  }
  const Grid grid(boxes);
  std::vector<Crossing> out;
  for (const Box& box : asked)
    grid.for_each_meeting(box, [&](const Box& other) {
      const Number a = box.number, b = other.number;
      if (a == b || (other.of_zone && b < a) || sheet.part(a) != sheet.part(b) || sheet.share_place(a, b)) return;
      if (!sheet.cross_each_other(at, a, b)) return;
      if (!sheet.cross_each_other(figure.at, a, b)) out.push_back({sheet.simplex(a), sheet.simplex(b)});
    });
  return out;
}

}  // namespace sinew::operations::bend
