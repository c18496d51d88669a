// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "operations/lift/sheet.hpp"
#include "operations/weights/triangle_tree.hpp"

namespace sinew::operations {

namespace {

constexpr double step = 0.8;              ///< by which a thickness shrinks
constexpr std::size_t rounds = 40;        ///< 0.8^40 = 1.3e-4
constexpr double thinnest = 1e-3;         ///< relative to the wanted thickness: where sheets touch, nothing is thin enough
constexpr std::size_t most_boxes = 2048;  ///< to look into for one point
constexpr double upright = 0.25;          ///< a moved simplex keeps this part of its volume, seen along its normal

double dot(std::span<const double> a, std::span<const double> b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

/// Shrinks the thickness where other parts of the sheet lie along the normal.
void keep_apart(const Sheet& sheet, std::span<const double> mitres, std::vector<double>& thickness) {
  using weights::Vec;
  std::vector<Vec> places(sheet.points());
  std::vector<weights::Triangle> triangles(sheet.count());
  std::vector<std::uint32_t> first(*std::ranges::max_element(sheet.welded) + std::size_t{1}, 0xffffffff);
  for (std::uint32_t point = 0; point < places.size(); ++point) {
    std::copy_n(sheet.place(point).data(), 3, places[point].begin());
    std::uint32_t& known = first[sheet.welded[point]];
    known = std::min(known, point);
  }
  for (std::size_t s = 0; s < triangles.size(); ++s)
    for (std::size_t k = 0; k < 3; ++k) triangles[s][k] = first[sheet.welded[sheet.simplex(s)[k]]];
  const weights::TriangleTree tree(places, triangles);
  constexpr double both = 2.2;  // the other part is as thick
  for (std::uint32_t point = 0; point < places.size(); ++point) {
    const Vec normal{mitres[point * 3], mitres[point * 3 + 1], mitres[point * 3 + 2]};
    const std::uint32_t from = first[sheet.welded[point]];
    for (std::size_t round = 0; round < rounds; ++round) {
      const auto meets = [&](double way) {
        return tree.meets_within(from, {way * normal[0], way * normal[1], way * normal[2]}, most_boxes);
      };
      const auto front = meets(both * thickness[point]), back = meets(-both * thickness[point]);
      if (!front || !back) {  // too much lies around here
        thickness[point] *= thinnest;
        break;
      }
      if (!*front && !*back) break;
      thickness[point] *= step;
    }
  }
}

/// No neighbour is thicker by more than their distance.
void even_out(const Sheet& sheet, std::vector<double>& thickness) {
  bool changed = true;
  for (std::size_t round = 0; changed && round < rounds; ++round) {
    changed = false;
    for (std::size_t s = 0; s < sheet.count(); ++s)
      for (const std::uint32_t a : sheet.simplex(s))
        for (const std::uint32_t b : sheet.simplex(s)) {
          double square = 0;
          for (std::size_t i = 0; i < sheet.dimension; ++i) square += std::pow(sheet.place(a)[i] - sheet.place(b)[i], 2);
          const double most = thickness[b] + std::sqrt(square);
          if (thickness[a] <= most) continue;
          thickness[a] = most;
          changed = true;
        }
  }
}

}  // namespace

std::vector<double> thickness_of(const Sheet& sheet, std::span<const double> mitres, double wanted) {
  const std::size_t n = sheet.dimension;
  std::vector<double> thickness(sheet.points(), wanted);
  if (sheet.count() == 0) return thickness;
  if (n == 3) keep_apart(sheet, mitres, thickness);
  even_out(sheet, thickness);
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
  for (double& own : thickness) own = std::max(own, thinnest * wanted);
  return thickness;
}

}  // namespace sinew::operations
