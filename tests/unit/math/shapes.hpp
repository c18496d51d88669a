// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "sinew/geometry.hpp"

namespace sinew::test {

/// Points of N-space and the parts over them.
struct Shape {
  std::size_t n;
  std::vector<double> points;
  Polytopes polytopes;

  [[nodiscard]] strided_view<const double> positions() const { return {points.data(), points.size() / n, n}; }
};

inline void add_item(IndexRows& tier, const std::vector<std::uint32_t>& parts) {
  tier.indices.insert(tier.indices.end(), parts.begin(), parts.end());
  tier.end_row();
}

/// Returns the cube [−1, 1]^N with all parts up to its cells, faces as loops. A part is identified by (free axes, corner where it starts).
inline Shape cube(std::size_t n) {
  Shape shape{n, {}, {}};
  for (std::uint32_t corner = 0; corner < (1u << n); ++corner)
    for (std::size_t axis = 0; axis < n; ++axis) shape.points.push_back((corner >> axis & 1) != 0 ? 1 : -1);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> number;
  for (std::size_t dimension = 1; dimension < n; ++dimension) {
    if (dimension > 1) shape.polytopes.tiers.emplace_back();
    std::uint32_t next = 0;
    for (std::uint32_t axes = 0; axes < (1u << n); ++axes) {
      if (static_cast<std::size_t>(std::popcount(axes)) != dimension) continue;
      for (std::uint32_t corner = 0; corner < (1u << n); ++corner) {
        if ((corner & axes) != 0) continue;
        number[{axes, corner}] = next++;
        if (dimension == 1) {
          shape.polytopes.edges.push_back({corner, corner | axes});
          continue;
        }
        std::vector<std::uint32_t> parts;
        if (dimension == 2) {
          const std::uint32_t a = axes & (0u - axes), b = axes ^ a;
          parts = {number[{a, corner}], number[{b, corner | a}], number[{a, corner | b}], number[{b, corner}]};
        } else {
          for (std::uint32_t axis = 1; axis < (1u << n); axis <<= 1)
            if ((axes & axis) != 0)
              for (const std::uint32_t side : {0u, axis}) parts.push_back(number[{axes ^ axis, corner | side}]);
          std::swap(parts[1], parts[2]);  // the first two parts must meet, so they must not be opposite
        }
        add_item(shape.polytopes.tiers.back(), parts);
      }
    }
  }
  return shape;
}

/// The 24-cell: vertices (±1, ±1, 0, 0) in all orders, edges of length √2, triangles, octahedra around ±axes and (±½, ±½, ±½, ±½).
inline Shape cell24() {
  Shape shape{4, {}, {}};
  std::vector<std::array<double, 4>> vertices, centres;
  for (std::size_t i = 0; i < 4; ++i) {
    for (const double s : {-1.0, 1.0}) {
      std::array<double, 4> centre{};
      centre[i] = s;
      centres.push_back(centre);
      for (std::size_t j = 0; j < i; ++j)
        for (const double t : {-1.0, 1.0}) {
          std::array<double, 4> vertex{};
          vertex[i] = s, vertex[j] = t;
          vertices.push_back(vertex);
        }
    }
  }
  for (int signs = 0; signs < 16; ++signs) {
    std::array<double, 4> centre;
    for (std::size_t i = 0; i < 4; ++i) centre[i] = (signs >> i & 1) != 0 ? 0.5 : -0.5;
    centres.push_back(centre);
  }
  for (const auto& vertex : vertices) shape.points.insert(shape.points.end(), vertex.begin(), vertex.end());

  const auto dot = [](const std::array<double, 4>& a, const std::array<double, 4>& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  };
  const auto near = [&](std::uint32_t a, std::uint32_t b) { return std::abs(dot(vertices[a], vertices[b]) - 1) < 1e-12; };
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> edge;
  for (std::uint32_t a = 0; a < 24; ++a)
    for (std::uint32_t b = a + 1; b < 24; ++b)
      if (near(a, b)) {
        edge[{a, b}] = static_cast<std::uint32_t>(shape.polytopes.edges.size());
        shape.polytopes.edges.push_back({a, b});
      }
  shape.polytopes.tiers.resize(2);
  std::map<std::set<std::uint32_t>, std::uint32_t> face;
  for (const auto& centre : centres) {
    std::vector<std::uint32_t> cell, faces;
    for (std::uint32_t v = 0; v < 24; ++v)
      if (std::abs(dot(vertices[v], centre) - 1) < 1e-12) cell.push_back(v);
    for (std::size_t i = 0; i < cell.size(); ++i)
      for (std::size_t j = i + 1; j < cell.size(); ++j)
        for (std::size_t k = j + 1; k < cell.size(); ++k) {
          const std::uint32_t a = cell[i], b = cell[j], c = cell[k];
          if (!near(a, b) || !near(b, c) || !near(a, c)) continue;
          const auto [found, added] = face.try_emplace({a, b, c}, static_cast<std::uint32_t>(face.size()));
          if (added) add_item(shape.polytopes.tiers[0], {edge[{a, b}], edge[{b, c}], edge[{a, c}]});
          faces.push_back(found->second);
        }
    add_item(shape.polytopes.tiers[1], faces);
  }
  return shape;
}

/// Returns a positive number if a simplex faces away from the origin.
inline double outward(const Shape& shape, std::span<const std::uint32_t> simplex) {
  std::vector<double> normal(shape.n);
  simplex_normal(shape.positions(), simplex, normal);
  double sum = 0;
  for (std::size_t i = 0; i < shape.n; ++i) sum += normal[i] * shape.positions()[simplex[0]][i];
  return sum;
}

/// Orders the parts of every boundary item so that it faces away from the origin. Returns how many items were changed.
inline std::size_t turn_outward(Shape& shape) {
  IndexRows& cells = shape.polytopes.tiers[boundary_tier(shape.n)];
  const IndexRows facing = *orientation_simplexes(shape.polytopes, boundary_tier(shape.n), 1 << 20);
  std::size_t turned = 0;
  for (std::size_t cell = 0; cell < cells.size(); ++cell)
    if (outward(shape, facing[cell]) < 0) {
      const auto first = cells.indices.begin() + static_cast<std::ptrdiff_t>(cells.first[cell]);
      if (shape.n == 3)
        std::reverse(first, cells.indices.begin() + static_cast<std::ptrdiff_t>(cells.first[cell + 1]));  // faces stay loops
      else
        std::swap(first[0], first[1]);
      ++turned;
    }
  return turned;
}

}  // namespace sinew::test
