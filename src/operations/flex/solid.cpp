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

/// Returns the solid angle of a triangle, seen from the origin (Van Oosterom and Strackee, 1983).
double solid_angle(const Vec& a, const Vec& b, const Vec& c) {
  const double x = norm(a), y = norm(b), z = norm(c);
  const double volume = dot(a, cross(b, c));
  return 2 * std::atan2(volume, x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y);
}

/// Returns the square of the distance from the origin to a side.
double square_to_side(const Vec& p, const Vec& q) {
  const Vec side = q - p;
  const double length = dot(side, side);
  const double t = length > 0 ? std::clamp(-dot(p, side) / length, 0.0, 1.0) : 0;
  const Vec nearest = p + t * side;
  return dot(nearest, nearest);
}

/// Returns the square of the distance from the origin to a triangle.
double square_to_triangle(const Vec& a, const Vec& b, const Vec& c) {
  const Vec ab = b - a, ac = c - a, normal = cross(ab, ac);
  const double area = dot(normal, normal);
  if (area > 0) {
    const Vec inside_a = cross(b, c), inside_b = cross(c, a), inside_c = cross(a, b);
    if (dot(inside_a, normal) >= 0 && dot(inside_b, normal) >= 0 && dot(inside_c, normal) >= 0) {
      const double height = dot(a, normal);
      return height * height / area;
    }
  }
  return std::min({square_to_side(a, b), square_to_side(b, c), square_to_side(c, a)});
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

std::vector<Piece> pieces_of(const Figure& figure, std::span<const Number> triangles) {
  std::vector<Piece> out;
  for (const Number triangle : triangles) {
    const std::span<const Number> c = figure.simplex(triangle);
    out.push_back({{c[0], c[1], c[2]}, triangle});
  }
  return out;
}

std::vector<Piece> outline_of(const Figure& figure, std::span<const Number> triangles) {
  struct Edge {
    std::array<Number, 2> places;
    Piece piece;
  };
  std::vector<Edge> edges;
  for (const Number triangle : triangles) {
    const std::span<const Number> c = figure.simplex(triangle);
    const Vec a = vec_at(figure, figure.at, c[0]);
    const bool left = cross(vec_at(figure, figure.at, c[1]) - a, vec_at(figure, figure.at, c[2]) - a)[2] > 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const Number from = c[i], to = c[(i + 1) % 3], p = figure.place_of[from], q = figure.place_of[to];
      edges.push_back({{std::min(p, q), std::max(p, q)}, {{left ? from : to, left ? to : from, from}, triangle}});
    }
  }
  std::ranges::sort(
      edges, [](const Edge& a, const Edge& b) { return a.places != b.places ? a.places < b.places : a.piece.simplex < b.piece.simplex; });
  std::vector<Piece> out;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const bool before = i > 0 && edges[i - 1].places == edges[i].places;
    const bool after = i + 1 < edges.size() && edges[i + 1].places == edges[i].places;
    if (!before && !after) out.push_back(edges[i].piece);
  }
  std::ranges::sort(out,
                    [](const Piece& a, const Piece& b) { return a.simplex != b.simplex ? a.simplex < b.simplex : a.corner < b.corner; });
  return out;
}

Solid::Solid(const Figure& figure, Number part, std::vector<Piece> pieces, std::size_t corners)
    : figure_(figure), part_(part), corners_(corners) {
  std::vector<std::pair<Vec, Piece>> centered;
  for (const Piece& piece : pieces) {
    Vec sum{};
    for (std::size_t i = 0; i < corners; ++i) sum = sum + vec_at(figure, figure.at, piece.corner[i]);
    centered.emplace_back(sum, piece);
  }
  if (!centered.empty()) build(0, centered.size(), centered);
  for (const auto& [center, piece] : centered) pieces_.push_back(piece);
}

Number Solid::build(std::size_t first, std::size_t last, std::vector<std::pair<Vec, Piece>>& pieces) {
  const auto number = static_cast<Number>(branches_.size());
  branches_.push_back({static_cast<Number>(first), static_cast<Number>(last - first), 0});
  if (last - first <= leaf) return number;
  Vec low = pieces[first].first, high = low;
  for (std::size_t i = first; i < last; ++i) {
    low = lowest(low, pieces[i].first);
    high = highest(high, pieces[i].first);
  }
  std::size_t axis = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (high[k] - low[k] > high[axis] - low[axis]) axis = k;
  const std::size_t middle = (first + last) / 2;
  const auto begin = pieces.begin();
  std::nth_element(begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(middle),
                   begin + static_cast<std::ptrdiff_t>(last), [&](const auto& a, const auto& b) {
                     if (a.first[axis] != b.first[axis]) return a.first[axis] < b.first[axis];
                     return a.second.simplex != b.second.simplex ? a.second.simplex < b.second.simplex : a.second.corner < b.second.corner;
                   });
  build(first, middle, pieces);
  const Number right = build(middle, last, pieces);
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
        const Piece& piece = pieces_[i];
        const Vec a = vec_at(figure_, at, piece.corner[0]), along = vec_at(figure_, at, piece.corner[1]) - a;
        const bool flat = corners_ == 2;
        const Vec normal = flat ? Vec{along[1], -along[0], 0} : 0.5 * cross(along, vec_at(figure_, at, piece.corner[2]) - a);
        const double area = norm(normal) + 1e-30;
        node.dipole = node.dipole + normal;
        all += area;
        for (std::size_t k = 0; k < corners_; ++k) {
          const Vec p = vec_at(figure_, at, piece.corner[k]);
          node.center = node.center + area / static_cast<double>(corners_) * p;
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
  const bool flat = corners_ == 2;
  double sum = 0;
  std::array<Number, 128> open;
  std::size_t count = 0;
  open[count++] = 0;
  while (count > 0) {
    const Number b = open[--count];
    const Vec away = fit[b].center - point;
    const double distance = norm(away);
    if (distance > far_away * fit[b].radius) {
      sum += dot(fit[b].dipole, away) / (distance * distance * (flat ? 1 : distance));
      continue;
    }
    if (branches_[b].right != 0) {
      open[count++] = branches_[b].right;
      open[count++] = b + 1;
      continue;
    }
    for (Number i = branches_[b].first; i < branches_[b].first + branches_[b].count; ++i) {
      const std::array<Number, 3>& c = pieces_[i].corner;
      const Vec from = vec_at(figure_, at, c[0]) - point, to = vec_at(figure_, at, c[1]) - point;
      sum += flat ? std::atan2(cross(from, to)[2], dot(from, to)) : solid_angle(from, to, vec_at(figure_, at, c[2]) - point);
    }
  }
  return sum / ((flat ? 2 : 4) * std::numbers::pi);
}

double Solid::square_to(const Piece& piece, std::span<const double> at, const Vec& point) const {
  const Vec a = vec_at(figure_, at, piece.corner[0]) - point, b = vec_at(figure_, at, piece.corner[1]) - point;
  return corners_ == 2 ? square_to_side(a, b) : square_to_triangle(a, b, vec_at(figure_, at, piece.corner[2]) - point);
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
      const double d = square_to(pieces_[i], at, point);
      if (d < square || (d == square && best.triangle == nothing)) {
        square = d;
        best.triangle = pieces_[i].simplex;
      }
    }
  }
  best.distance = std::sqrt(square);
  return best;
}

}  // namespace sinew::operations::bend
