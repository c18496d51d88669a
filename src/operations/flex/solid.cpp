// SPDX-License-Identifier: MIT
#include "operations/flex/solid.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace sinew::operations::bend {

namespace {

constexpr std::size_t leaf = 8;
constexpr double far_away = 2;  // radii from which a branch counts as a dipole

using weights::cross;
using weights::dot;
using weights::norm;
using weights::operator-;
using weights::operator+;
using weights::operator*;

Vec vec_at(std::span<const double> at, Number twin) { return {at[twin * 3], at[twin * 3 + 1], at[twin * 3 + 2]}; }

/// Returns the solid angle of a triangle, seen from the origin (Van Oosterom and Strackee, 1983).
double solid_angle(const Vec& a, const Vec& b, const Vec& c) {
  const double x = norm(a), y = norm(b), z = norm(c);
  const double volume = dot(a, cross(b, c));
  return 2 * std::atan2(volume, x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y);
}

/// Returns the square of the distance from the origin to a triangle.
double square_to(const Vec& a, const Vec& b, const Vec& c) {
  const Vec ab = b - a, ac = c - a, normal = cross(ab, ac);
  const double area = dot(normal, normal);
  const auto to_side = [](const Vec& p, const Vec& q) {
    const Vec side = q - p;
    const double length = dot(side, side);
    const double t = length > 0 ? std::clamp(-dot(p, side) / length, 0.0, 1.0) : 0;
    const Vec nearest = p + t * side;
    return dot(nearest, nearest);
  };
  if (area > 0) {
    const Vec inside_a = cross(b, c), inside_b = cross(c, a), inside_c = cross(a, b);
    if (dot(inside_a, normal) >= 0 && dot(inside_b, normal) >= 0 && dot(inside_c, normal) >= 0) {
      const double height = dot(a, normal);
      return height * height / area;
    }
  }
  return std::min({to_side(a, b), to_side(b, c), to_side(c, a)});
}

double square_to_box(const Solid::Node& node, const Vec& p) {
  double squares = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double d = std::max({node.low[i] - p[i], p[i] - node.high[i], 0.0});
    squares += d * d;
  }
  return squares;
}

}  // namespace

Solid::Solid(const Figure& figure, Number part, std::vector<Number> triangles)
    : figure_(figure), part_(part), triangles_(std::move(triangles)) {
  std::vector<Vec> centers;
  for (const Number t : triangles_) {
    const std::span<const Number> c = figure.simplex(t);
    centers.push_back(vec_at(figure.at, c[0]) + vec_at(figure.at, c[1]) + vec_at(figure.at, c[2]));
  }
  // `triangles_` holds positions in `centers` while the tree is built.
  std::vector<Number> simplexes = triangles_;
  for (std::size_t i = 0; i < triangles_.size(); ++i) triangles_[i] = static_cast<Number>(i);
  if (!triangles_.empty()) build(0, triangles_.size(), centers);
  for (Number& t : triangles_) t = simplexes[t];
}

Number Solid::build(std::size_t first, std::size_t last, const std::vector<Vec>& centers) {
  const auto number = static_cast<Number>(branches_.size());
  branches_.push_back({static_cast<Number>(first), static_cast<Number>(last - first), 0});
  if (last - first <= leaf) return number;
  Vec low = centers[triangles_[first]], high = low;
  for (std::size_t i = first; i < last; ++i) {
    low = lowest(low, centers[triangles_[i]]);
    high = highest(high, centers[triangles_[i]]);
  }
  std::size_t axis = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (high[k] - low[k] > high[axis] - low[axis]) axis = k;
  const std::size_t middle = (first + last) / 2;
  const auto begin = triangles_.begin();
  std::nth_element(begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(middle),
                   begin + static_cast<std::ptrdiff_t>(last),
                   [&](Number a, Number b) { return centers[a][axis] != centers[b][axis] ? centers[a][axis] < centers[b][axis] : a < b; });
  build(first, middle, centers);
  const Number right = build(middle, last, centers);
  branches_[number].right = right;
  return number;
}

void Solid::fit(std::span<const double> at, Fit& out) const {
  out.resize(branches_.size());
  for (std::size_t b = branches_.size(); b-- > 0;) {  // children follow their parent
    const Branch& branch = branches_[b];
    Node& node = out[b];
    node.low.fill(1e300);
    node.high.fill(-1e300);
    node.dipole.fill(0);
    node.center.fill(0);
    if (branch.right != 0) {
      for (const Node* child : {&out[b + 1], &out[branch.right]}) {
        node.dipole = node.dipole + child->dipole;
        node.center = node.center + 0.5 * child->center;
        node.low = lowest(node.low, child->low);
        node.high = highest(node.high, child->high);
      }
    } else {
      double all = 0;
      for (Number i = branch.first; i < branch.first + branch.count; ++i) {
        const std::span<const Number> corner = figure_.simplex(triangles_[i]);
        const Vec a = vec_at(at, corner[0]), b2 = vec_at(at, corner[1]), c = vec_at(at, corner[2]);
        const Vec normal = 0.5 * cross(b2 - a, c - a);
        const double area = norm(normal) + 1e-30;
        node.dipole = node.dipole + normal;
        node.center = node.center + area / 3 * (a + b2 + c);
        all += area;
        for (const Vec& p : {a, b2, c}) {
          node.low = lowest(node.low, p);
          node.high = highest(node.high, p);
        }
      }
      node.center = 1 / all * node.center;
    }
    Vec farthest;
    for (std::size_t k = 0; k < 3; ++k) farthest[k] = std::max(node.high[k] - node.center[k], node.center[k] - node.low[k]);
    node.radius = norm(farthest);
  }
}

double Solid::winding(const Fit& fit, std::span<const double> at, const Vec& point) const {
  if (branches_.empty()) return 0;
  double sum = 0;
  std::array<Number, 128> open;
  std::size_t count = 0;
  open[count++] = 0;
  while (count > 0) {
    const Number b = open[--count];
    const Vec away = fit[b].center - point;
    const double distance = norm(away);
    if (distance > far_away * fit[b].radius) {
      sum += dot(fit[b].dipole, away) / (distance * distance * distance);
      continue;
    }
    if (branches_[b].right != 0) {
      open[count++] = branches_[b].right;
      open[count++] = b + 1;
      continue;
    }
    for (Number i = branches_[b].first; i < branches_[b].first + branches_[b].count; ++i) {
      const std::span<const Number> c = figure_.simplex(triangles_[i]);
      sum += solid_angle(vec_at(at, c[0]) - point, vec_at(at, c[1]) - point, vec_at(at, c[2]) - point);
    }
  }
  return sum / (4 * std::numbers::pi);
}

Solid::Near Solid::nearest(const Fit& fit, std::span<const double> at, const Vec& point, double within) const {
  Near best{within, nothing};
  if (branches_.empty()) return best;
  double square = within * within;
  std::array<Number, 128> open;
  std::size_t count = 0;
  open[count++] = 0;
  while (count > 0) {
    const Number b = open[--count];
    if (square_to_box(fit[b], point) > square) continue;
    if (branches_[b].right != 0) {
      Number near = b + 1, far = branches_[b].right;
      if (square_to_box(fit[far], point) < square_to_box(fit[near], point)) std::swap(near, far);
      open[count++] = far;
      open[count++] = near;
      continue;
    }
    for (Number i = branches_[b].first; i < branches_[b].first + branches_[b].count; ++i) {
      const std::span<const Number> c = figure_.simplex(triangles_[i]);
      const double d = square_to(vec_at(at, c[0]) - point, vec_at(at, c[1]) - point, vec_at(at, c[2]) - point);
      if (d < square || (d == square && best.triangle == nothing)) {
        square = d;
        best.triangle = triangles_[i];
      }
    }
  }
  best.distance = std::sqrt(square);
  return best;
}

}  // namespace sinew::operations::bend
