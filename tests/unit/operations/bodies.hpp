// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <vector>

#include "sinew/geometry.hpp"

namespace sinew::test {

using Simplex = std::vector<std::uint32_t>;

/// A body of N-space made of simplexes of N+1 corners, all positive: (edges from the first corner) is a right-handed basis.
struct Body {
  std::size_t n;
  std::vector<double> points;
  std::vector<Simplex> simplexes;

  [[nodiscard]] std::size_t size() const { return points.size() / n; }
  [[nodiscard]] std::vector<float> positions() const { return {points.begin(), points.end()}; }
};

inline double signed_volume_of(const Body& body, const Simplex& simplex) {
  return signed_volume(strided_view<const double>(body.points.data(), body.size(), body.n), simplex);
}

inline void make_positive(Body& body) {
  for (Simplex& simplex : body.simplexes)
    if (signed_volume_of(body, simplex) < 0) std::swap(simplex[0], simplex[1]);
}

/// Counts simplexes by their sorted corners; odd permutations count negatively.
using Chain = std::map<Simplex, int>;

inline void add_to(Chain& chain, Simplex simplex, int times) {
  for (std::size_t i = 1; i < simplex.size(); ++i)
    for (std::size_t j = i; j > 0 && simplex[j] < simplex[j - 1]; --j) {
      std::swap(simplex[j], simplex[j - 1]);
      times = -times;
    }
  if ((chain[simplex] += times) == 0) chain.erase(simplex);
}

/// Returns the facets of simplexes. If a simplex is positive, its facets face away from their opposite corner.
inline Chain boundary(const std::vector<Simplex>& simplexes) {
  Chain chain;
  for (const Simplex& simplex : simplexes)
    for (std::size_t out = 0; out < simplex.size(); ++out) {
      Simplex facet = simplex;
      facet.erase(facet.begin() + static_cast<std::ptrdiff_t>(out));
      // Moving the opposite corner to the end changes the sign of the simplex by the number of corners that it passes. Then (edges of the
      // facet, towards that corner) is positive, and the facet faces away if (edges, normal) is.
      add_to(chain, facet, (simplex.size() - 1 - out) % 2 == 0 ? -1 : 1);
    }
  return chain;
}

/// Returns the corners of the chain; repeated simplexes are listed repeatedly.
inline std::vector<std::uint32_t> listed(const Chain& chain) {
  std::vector<std::uint32_t> list;
  for (const auto& [sorted, times] : chain)
    for (int i = 0; i < std::abs(times); ++i) {
      Simplex simplex = sorted;
      if (times < 0) std::swap(simplex[0], simplex[1]);
      list.insert(list.end(), simplex.begin(), simplex.end());
    }
  return list;
}

inline std::vector<std::uint32_t> surface_of(const Body& body) { return listed(boundary(body.simplexes)); }

/// Returns A × B.
inline Body product(const Body& a, const Body& b) {
  Body body{a.n + b.n, {}, {}};
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) {
      body.points.insert(body.points.end(), &a.points[i * a.n], &a.points[i * a.n] + a.n);
      body.points.insert(body.points.end(), &b.points[j * b.n], &b.points[j * b.n] + b.n);
    }
  for (Simplex s : a.simplexes)
    for (Simplex t : b.simplexes) {
      std::ranges::sort(s);
      std::ranges::sort(t);
      for (std::uint32_t steps = 0; steps < 1u << body.n; ++steps) {  // staircases: bit = a step along a
        std::size_t i = 0, j = 0;
        Simplex simplex;
        for (std::size_t step = 0; i < s.size() && j < t.size(); ++step) {
          simplex.push_back(static_cast<std::uint32_t>(s[i] * b.size() + t[j]));
          ((steps >> step & 1) != 0 ? i : j) += 1;
          if (step == body.n) break;
        }
        if (simplex.size() == body.n + 1) body.simplexes.push_back(simplex);
      }
    }
  make_positive(body);
  return body;
}

inline Body segment(double from, double to) { return {1, {from, to}, {{0, 1}}}; }

/// Returns [−1, 1]^N.
inline Body box(std::size_t n) {
  Body body = segment(-1, 1);
  while (body.n < n) body = product(body, segment(-1, 1));
  return body;
}

/// Returns a regular polygon with that many corners on the unit circle, the first at angle 0.
inline Body polygon(std::size_t corners) {
  Body body{2, {0, 0}, {}};
  for (std::uint32_t i = 0; i < corners; ++i) {
    const double angle = 2 * std::numbers::pi * i / static_cast<double>(corners);
    for (const double x : {std::cos(angle), std::sin(angle)}) body.points.push_back(std::abs(x) < 1e-9 ? 0 : x);
    body.simplexes.push_back({0, i + 1, static_cast<std::uint32_t>((i + 1) % corners + 1)});
  }
  make_positive(body);
  return body;
}

/// Returns a unit ball: the octahedron's faces, each split into four `splits` times, projected to the sphere and joined to its centre.
inline Body ball(int splits) {
  Body body{3, {0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1}, {}};
  std::vector<Simplex> faces;
  for (const std::uint32_t x : {1u, 2u})
    for (const std::uint32_t y : {3u, 4u})
      for (const std::uint32_t z : {5u, 6u}) faces.push_back({x, y, z});
  for (; splits > 0; --splits) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
      const auto [found, added] = middles.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(body.size()));
      if (!added) return found->second;
      std::array<double, 3> p{};
      for (std::size_t i = 0; i < 3; ++i) p[i] = body.points[a * 3 + i] + body.points[b * 3 + i];
      const double length = std::hypot(p[0], p[1], p[2]);
      for (const double x : p) body.points.push_back(x / length);
      return found->second;
    };
    std::vector<Simplex> finer;
    for (const Simplex& f : faces) {
      const std::uint32_t a = middle(f[0], f[1]), b = middle(f[1], f[2]), c = middle(f[2], f[0]);
      for (const Simplex& part : {Simplex{f[0], a, c}, Simplex{f[1], a, b}, Simplex{f[2], b, c}, Simplex{a, b, c}}) finer.push_back(part);
    }
    faces = std::move(finer);
  }
  for (const Simplex& f : faces) body.simplexes.push_back({0, f[0], f[1], f[2]});
  make_positive(body);
  return body;
}

/// Returns the simplex of the origin and the ends of the axes.
inline Body corner_simplex(std::size_t n) {
  Body body{n, std::vector<double>((n + 1) * n), {Simplex(n + 1)}};
  for (std::uint32_t i = 0; i <= n; ++i) {
    if (i > 0) body.points[i * n + i - 1] = 1;
    body.simplexes[0][i] = i;
  }
  return body;
}

}  // namespace sinew::test
