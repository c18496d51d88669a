// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/extent.hpp"
#include "operations/lift/sheet.hpp"
#include "operations/lift/walls.hpp"

namespace sinew::operations {

namespace {

constexpr double step = 0.8;        ///< by which a thickness shrinks
constexpr std::size_t rounds = 40;  ///< 0.8^40 = 1.3e-4
constexpr double thinnest = 1e-3;   ///< relative to the wanted thickness: where sheets touch, nothing is thin enough
constexpr double upright = 0.25;    ///< a moved simplex keeps this part of its volume, seen along its normal

double dot(std::span<const double> a, std::span<const double> b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

/// No neighbour is thicker by more than a quarter of their distance.
void even_out(const Sheet& sheet, std::vector<double>& thickness) {
  bool changed = true;
  for (std::size_t round = 0; changed && round < rounds; ++round) {
    changed = false;
    for (std::size_t s = 0; s < sheet.count(); ++s)
      for (const std::uint32_t a : sheet.simplex(s))
        for (const std::uint32_t b : sheet.simplex(s)) {
          double square = 0;
          for (std::size_t i = 0; i < sheet.dimension; ++i) square += std::pow(sheet.place(a)[i] - sheet.place(b)[i], 2);
          const double most = thickness[b] + std::sqrt(square) / 4;
          if (thickness[a] <= most) continue;
          thickness[a] = most;
          changed = true;
        }
  }
}

}  // namespace

std::size_t limit_thickness(const Sheet& sheet, std::span<const double> mitres, unsigned threads, std::vector<double>& thickness) {
  const std::size_t n = sheet.dimension;
  Extent box;
  for (std::size_t i = 0; i < sheet.places.size(); ++i) box.add(i % n, sheet.places[i]);
  std::vector<double> least = thickness;
  for (double& own : least) own = thinnest * std::min(own, usual_thickness * box.diagonal(n));
  const std::size_t meeting = part_walls(sheet, mitres, least, threads, thickness);
  const strided_view<const double> places{sheet.places.data(), sheet.points(), n};
  std::vector<double> corners(n * n), own(n), moved(n);
  std::vector<std::uint32_t> all(n);
  std::iota(all.begin(), all.end(), 0u);
  bool changed = true;
  for (std::size_t round = 0; changed && round < rounds; ++round) {
    changed = false;
    for (std::size_t s = 0; s < sheet.count(); ++s) {
      simplex_normal(places, sheet.simplex(s), own);
      bool fine = true;
      for (const double side : {1.0, -1.0}) {
        for (std::size_t k = 0; k < n; ++k) {
          const std::uint32_t point = sheet.simplex(s)[k];
          for (std::size_t i = 0; i < n; ++i) corners[k * n + i] = sheet.place(point)[i] + side * thickness[point] * mitres[point * n + i];
        }
        simplex_normal(strided_view<const double>{corners.data(), n, n}, all, moved);
        fine = fine && dot(own, moved) >= upright * dot(own, own);
      }
      if (fine) continue;
      changed = true;
      for (const std::uint32_t point : sheet.simplex(s)) thickness[point] *= step;
    }
  }
  even_out(sheet, thickness);
  for (std::size_t point = 0; point < thickness.size(); ++point) thickness[point] = std::max(thickness[point], least[point]);
  return meeting;
}

}  // namespace sinew::operations
