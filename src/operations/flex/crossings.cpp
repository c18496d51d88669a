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

/// Boxes sorted along one axis, in levels of powers of two by their length, so that few long ones do not slow down the search.
class Sweep {
 public:
  Sweep(std::vector<Box> boxes, std::size_t axis) : axis_(axis) {
    for (Box& box : boxes) {
      const double length = box.high[axis] - box.low[axis];
      const int level = length > 0 ? std::clamp(static_cast<int>(std::floor(std::log2(length))), -24, 0) : -24;
      levels_[static_cast<std::size_t>(level + 24)].push_back(box);
    }
    for (auto& level : levels_) std::ranges::sort(level, [&](const Box& a, const Box& b) { return a.low[axis] < b.low[axis]; });
  }
  template <class Use>
  void for_each_meeting(const Box& box, const Use& use) const {
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      const double longest = i == 24 ? 1e300 : std::ldexp(1.0, static_cast<int>(i) - 23);
      const auto less = [&](const Box& a, double value) { return a.low[axis_] < value; };
      for (auto at = std::lower_bound(levels_[i].begin(), levels_[i].end(), box.low[axis_] - longest, less); at != levels_[i].end(); ++at) {
        if (at->low[axis_] > box.high[axis_]) break;
        if (at->meets(box)) use(*at);
      }
    }
  }

 private:
  std::size_t axis_;
  std::array<std::vector<Box>, 25> levels_;
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
  std::size_t axis = 0;
  for (std::size_t i = 1; i < 3; ++i)
    if (whole.high[i] - whole.low[i] > whole.high[axis] - whole.low[axis]) axis = i;
  const Sweep sweep(std::move(boxes), axis);
  std::vector<Crossing> out;
  for (const Box& box : asked)
    sweep.for_each_meeting(box, [&](const Box& other) {
      const Number a = box.triangle, b = other.triangle;
      if (a == b || (other.of_zone && b < a) || part_of(figure, a) != part_of(figure, b) || share_place(figure, a, b)) return;
      if (!cross_each_other(corners_of(figure, at, a), corners_of(figure, at, b))) return;
      if (!cross_each_other(corners_of(figure, figure.at, a), corners_of(figure, figure.at, b))) out.push_back({a, b});
    });
  return out;
}

}  // namespace sinew::operations::bend
