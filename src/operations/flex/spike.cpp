// SPDX-License-Identifier: MIT
#include "operations/flex/spike.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

namespace sinew::operations::bend {

namespace {

bool between(double theta, double end) { return end > 0 ? theta >= 0 && theta <= end : theta <= 0 && theta >= end; }

double square(const Figure& figure, std::span<const double> at, Number a, Number b) {
  double squares = 0;
  for (std::size_t i = 0; i < figure.n; ++i) {
    const double d = at[a * figure.n + i] - at[b * figure.n + i];
    squares += d * d;
  }
  return squares;
}
double distance(const Figure& figure, std::span<const double> at, Number a, Number b) { return std::sqrt(square(figure, at, a, b)); }

}  // namespace

double Stretch::at(double theta) const { return std::sqrt(std::max(0.0, constant + cosine * std::cos(theta) + sine * std::sin(theta))); }

double Stretch::most(double theta) const {
  const double ends = std::max(at(0), at(theta));
  const double top = std::sqrt(std::max(0.0, constant + std::hypot(cosine, sine)));
  return top > ends && between(std::atan2(sine, cosine), theta) ? top : ends;
}

double length_at_rest(const Figure& figure, Number a, Number b) { return std::max(distance(figure, figure.at, a, b), limit::shortest); }

Stretch stretch_of(const Figure& figure, const Turn& turn, Number a, Number b, double s_a, double s_b) {
  const double *p = figure.place(a), *q = figure.place(b);
  double edge_x = 0, edge_y = 0, ax = 0, ay = 0, bx = 0, by = 0, squares = 0;
  for (std::size_t i = 0; i < figure.n; ++i) {
    const double e = p[i] - q[i];
    squares += e * e;
    edge_x += e * turn.from[i];
    edge_y += e * turn.to[i];
    ax += (p[i] - turn.center[i]) * turn.from[i];
    ay += (p[i] - turn.center[i]) * turn.to[i];
    bx += (q[i] - turn.center[i]) * turn.from[i];
    by += (q[i] - turn.center[i]) * turn.to[i];
  }
  const double x = s_a * ax - s_b * bx, y = s_a * ay - s_b * by;  // what turns; the rest of the edge stays
  const double rest_x = edge_x - x, rest_y = edge_y - y;
  const double length = length_at_rest(figure, a, b), scale = 1 / (length * length);
  return {scale * (squares - edge_x * edge_x - edge_y * edge_y + rest_x * rest_x + rest_y * rest_y + x * x + y * y),
          2 * scale * (rest_x * x + rest_y * y), -2 * scale * (rest_x * y - rest_y * x)};
}

Peak highest_least(std::span<const Stretch> stretches, double theta) {
  std::vector<double> candidates{0, theta};
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    candidates.push_back(std::atan2(stretches[i].sine, stretches[i].cosine));
    for (std::size_t k = 0; k < i; ++k) {
      const double a = stretches[i].constant - stretches[k].constant, b = stretches[i].cosine - stretches[k].cosine,
                   c = stretches[i].sine - stretches[k].sine, size = std::hypot(b, c);
      if (!(size > std::abs(a))) continue;
      const double turn = std::acos(-a / size), middle = std::atan2(c, b);
      for (const double at : {middle + turn, middle - turn})
        for (const double whole : {-2 * std::numbers::pi, 0.0, 2 * std::numbers::pi}) candidates.push_back(at + whole);
    }
  }
  Peak best;
  for (const double at : candidates) {
    if (!between(at, theta)) continue;
    double least = std::numeric_limits<double>::infinity();
    for (const Stretch& stretch : stretches) least = std::min(least, stretch.at(at));
    if (least > best.value) best = {least, at};
  }
  return best;
}

SpikeFinder::SpikeFinder(const Figure& figure, double least) : figure_(figure) {
  const double shortest = least * limit::shortest * least * limit::shortest;
  for (Number a = 0; a < figure.twins(); ++a)
    for (const Number b : figure.next[a]) {
      if (b < a || (!figure.mixed[a] && !figure.mixed[b] && figure.strongest[a] == figure.strongest[b] && figure.shapes.empty())) continue;
      const double rest = std::max(square(figure, figure.at, a, b), limit::shortest * limit::shortest);
      edges_.push_back({a, b, std::max(least * least * rest, shortest)});
    }
}

std::vector<std::pair<Number, Found>> SpikeFinder::find(std::span<const double> at) const {
  const Figure& figure = figure_;
  std::vector<std::array<Number, 2>> edges;
  for (const Edge& edge : edges_)
    if (square(figure, at, edge.a, edge.b) >= edge.square) edges.push_back({edge.a, edge.b});
  std::map<Number, Found> by_joint;
  for (const Jump& jump : find_jumps(figure, edges)) {
    double value = std::numeric_limits<double>::infinity();
    std::array<Number, 2> joints{nothing, nothing};
    double most = -1;
    for (const auto& [a, b] : jump.leaving) {
      value = std::min(value, distance(figure, at, a, b) / length_at_rest(figure, a, b));
      for (const Influence& i : figure.influences_of(a))
        if (const double more = i.weight - figure.weight_of(b, i.joint); more > most) most = more, joints[0] = i.joint;
    }
    Found& found = by_joint[joints[0]];
    found.value = std::max(found.value, value);
    for (const Number twin : jump.twins)
      for (const Number vertex : figure.members[twin]) found.marks.push_back({value, vertex});
  }
  return {by_joint.begin(), by_joint.end()};
}

}  // namespace sinew::operations::bend
