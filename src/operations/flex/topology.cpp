// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "base/deadline.hpp"
#include "base/disjoint_sets.hpp"
#include "operations/flex/figure.hpp"

namespace sinew::operations::bend {

namespace {

constexpr double same_weights = 0.02;   // sum of absolute differences of twins
constexpr double rigid_weight = 0.995;  // of the joint that a rigid part follows
constexpr double counts = 1e-4;         // weights below are noise

/// Returns the place of each vertex. Sweeps along a direction that no flat or round model is perpendicular to, and compares each vertex
/// with the first vertices of the places near it.
std::vector<Number> weld(const RawVertices& raw, std::size_t n, std::size_t& places) {
  const std::size_t count = raw.at.size() / n;
  std::vector<double> along(count), direction(n);
  double squares = 0;
  for (std::size_t i = 0; i < n; ++i) {
    direction[i] = 1 + 0.618033988749895 * static_cast<double>(i) + 0.1 * std::sin(5.0 * static_cast<double>(i));
    squares += direction[i] * direction[i];
  }
  for (std::size_t v = 0; v < count; ++v)
    for (std::size_t i = 0; i < n; ++i) along[v] += raw.at[v * n + i] * direction[i] / std::sqrt(squares);
  std::vector<Number> order(count), place(count, nothing);
  std::iota(order.begin(), order.end(), Number{0});
  std::ranges::sort(order, [&](Number a, Number b) { return along[a] != along[b] ? along[a] < along[b] : a < b; });
  std::vector<Number> firsts;  // the first vertex of each place, in the order of the sweep
  std::size_t near = 0;
  for (const Number v : order) {
    while (near < firsts.size() && along[firsts[near]] < along[v] - raw.weld) ++near;
    for (std::size_t i = near; i < firsts.size() && place[v] == nothing; ++i) {
      double distance = 0;
      for (std::size_t k = 0; k < n; ++k) {
        const double d = raw.at[v * n + k] - raw.at[firsts[i] * n + k];
        distance += d * d;
      }
      if (distance <= raw.weld * raw.weld) place[v] = static_cast<Number>(i);
    }
    if (place[v] != nothing) continue;
    place[v] = static_cast<Number>(firsts.size());
    firsts.push_back(v);
    if ((firsts.size() & 1023U) == 0) ask_deadline();
  }
  places = firsts.size();
  return place;
}

double difference(std::span<const Influence> a, std::span<const Influence> b) {
  double sum = 0;
  std::size_t i = 0, k = 0;
  while (i < a.size() || k < b.size()) {
    if (k == b.size() || (i < a.size() && a[i].joint < b[k].joint))
      sum += std::abs(a[i++].weight);
    else if (i == a.size() || b[k].joint < a[i].joint)
      sum += std::abs(b[k++].weight);
    else
      sum += std::abs(a[i++].weight - b[k++].weight);
  }
  return sum;
}

void add_twin(const RawVertices& raw, Number vertex, Number place, Figure& figure) {
  const std::size_t n = figure.n;
  figure.at.insert(figure.at.end(), raw.at.begin() + static_cast<std::ptrdiff_t>(vertex * n),
                   raw.at.begin() + static_cast<std::ptrdiff_t>((vertex + 1) * n));
  figure.place_of.push_back(place);
  Number strongest = nothing, strong = 0;
  double most = -1;
  for (std::size_t i = raw.first_influence[vertex]; i < raw.first_influence[vertex + 1]; ++i) {
    const Influence& influence = raw.influences[i];
    figure.influences.push_back(influence);
    strong += std::abs(influence.weight) > counts ? 1 : 0;
    if (influence.weight > most) most = influence.weight, strongest = influence.joint;
  }
  figure.first_influence.push_back(static_cast<Number>(figure.influences.size()));
  figure.strongest.push_back(strongest);
  figure.mixed.push_back(strong > 1);
}

void add_twins(const RawVertices& raw, const Lists& vertices_of, Figure& figure) {
  const auto influences_of = [&](Number vertex) {
    return std::span(raw.influences).subspan(raw.first_influence[vertex], raw.first_influence[vertex + 1] - raw.first_influence[vertex]);
  };
  figure.first_influence.push_back(0);
  figure.twin_of.assign(figure.vertices.size(), nothing);
  std::vector<Number> firsts;  // the first vertex of each twin
  for (std::size_t place = 0; place < vertices_of.size(); ++place) {
    const std::size_t begin = firsts.size();
    for (const Number vertex : vertices_of[place]) {
      for (std::size_t twin = begin; twin < firsts.size() && figure.twin_of[vertex] == nothing; ++twin)
        if (difference(influences_of(firsts[twin]), influences_of(vertex)) < same_weights)
          figure.twin_of[vertex] = static_cast<Number>(twin);
      if (figure.twin_of[vertex] != nothing) continue;
      figure.twin_of[vertex] = static_cast<Number>(firsts.size());
      firsts.push_back(vertex);
      add_twin(raw, vertex, static_cast<Number>(place), figure);
    }
  }
  figure.members = Lists::group(firsts.size(), figure.twin_of);
  figure.twins_of = Lists::group(vertices_of.size(), figure.place_of);
}

void add_simplexes(const std::vector<Number>& of_vertices, Figure& figure) {
  const std::size_t corners = figure.corners;
  for (std::size_t begin = 0; begin + corners <= of_vertices.size(); begin += corners) {
    bool flat = false;
    for (std::size_t i = 0; i < corners; ++i)
      for (std::size_t k = 0; k < i; ++k)
        flat |= figure.place_of[figure.twin_of[of_vertices[begin + i]]] == figure.place_of[figure.twin_of[of_vertices[begin + k]]];
    if (flat) continue;
    for (std::size_t i = 0; i < corners; ++i) {
      figure.simplex_vertex.push_back(of_vertices[begin + i]);
      figure.simplexes.push_back(figure.twin_of[of_vertices[begin + i]]);
    }
  }
}

void connect(Figure& figure) {
  const std::size_t corners = figure.corners, count = figure.count();
  std::vector<std::pair<Number, Number>> edges;
  std::vector<std::pair<Number, Number>> uses;
  DisjointSets pieces(figure.twins()), parts(figure.places());
  for (std::size_t s = 0; s < count; ++s)
    for (std::size_t i = 0; i < corners; ++i) {
      const Number a = figure.simplexes[s * corners + i];
      uses.emplace_back(a, static_cast<Number>(s));
      for (std::size_t k = 0; k < i; ++k) {
        const Number b = figure.simplexes[s * corners + k];
        edges.emplace_back(a, b);
        edges.emplace_back(b, a);
        pieces.join(a, b);
        parts.join(figure.place_of[a], figure.place_of[b]);
      }
    }
  const auto lists = [&](std::vector<std::pair<Number, Number>>& pairs) {
    std::ranges::sort(pairs);
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    Lists out;
    out.first.assign(figure.twins() + 1, 0);
    for (const auto& [from, to] : pairs) {
      ++out.first[from + 1];
      out.items.push_back(to);
    }
    std::partial_sum(out.first.begin(), out.first.end(), out.first.begin());
    return out;
  };
  figure.next = lists(edges);
  figure.around = lists(uses);
  const auto number = [](DisjointSets& sets, std::size_t size, std::vector<Number>& out) {
    std::vector<Number> name(size, nothing);
    Number found = 0;
    for (std::size_t i = 0; i < size; ++i) {
      Number& one = name[sets.find(i)];
      if (one == nothing) one = found++;
      out.push_back(one);
    }
    return found;
  };
  figure.parts = number(parts, figure.places(), figure.part_of);
  figure.part_places.assign(figure.parts, 0);
  for (const Number part : figure.part_of) ++figure.part_places[part];
  const Number found = number(pieces, figure.twins(), figure.piece_of);
  figure.rigid.assign(found, nothing);
  std::vector<bool> known(found), soft(found);
  for (Number twin = 0; twin < figure.twins(); ++twin) {
    const Number piece = figure.piece_of[twin], joint = figure.strongest[twin];
    if (figure.weight_of(twin, joint) <= rigid_weight || (known[piece] && figure.rigid[piece] != joint)) soft[piece] = true;
    known[piece] = true;
    figure.rigid[piece] = joint;
  }
  for (Number piece = 0; piece < found; ++piece)
    if (soft[piece]) figure.rigid[piece] = nothing;
}

}  // namespace

void add_topology(RawVertices raw, Figure& figure) {
  std::size_t places = 0;
  const std::vector<Number> place = weld(raw, figure.n, places);
  add_twins(raw, Lists::group(places, place), figure);
  add_simplexes(raw.simplexes, figure);
  connect(figure);
}

}  // namespace sinew::operations::bend
