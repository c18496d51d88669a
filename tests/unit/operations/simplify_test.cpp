// SPDX-License-Identifier: MIT
#include "operations/optimize/simplify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <utility>
#include <vector>

namespace sinew::operations {
namespace {

namespace simplify_test {

using Edge = std::pair<std::uint32_t, std::uint32_t>;

/// Makes an input in which every vertex is a point, at rest only, that asks for as few triangles as possible.
SimplifyInput shape(std::vector<weights::Vec> places, std::vector<weights::Triangle> triangles, double limit) {
  SimplifyInput in;
  in.poses = 1;
  for (std::uint32_t v = 0; v < places.size(); ++v) in.point.push_back(v);
  in.places = std::move(places);
  in.surface.resize(triangles.size());
  in.triangles = std::move(triangles);
  in.limit = limit;
  return in;
}

/// The number of triangles at each edge of points.
std::map<Edge, int> edges_of(const SimplifyInput& in, const Simplified& made) {
  std::map<Edge, int> edges;
  for (const weights::Triangle& t : made.triangles)
    for (std::size_t c = 0; c < 3; ++c) ++edges[std::minmax({in.point[t[c]], in.point[t[(c + 1) % 3]]})];
  return edges;
}

std::size_t points_of(const SimplifyInput& in, const Simplified& made) {
  std::set<std::uint32_t> points;
  for (const weights::Triangle& t : made.triangles)
    for (const std::uint32_t v : t) points.insert(in.point[v]);
  return points.size();
}

/// Rings of three points each around an axis, and a point at both ends: a closed surface.
SimplifyInput tube(const std::vector<double>& radii, double limit) {
  std::vector<weights::Vec> places{{0, 0, -1}};
  std::vector<weights::Triangle> triangles;
  const auto count = static_cast<std::uint32_t>(radii.size());
  for (std::uint32_t ring = 0; ring < count; ++ring)
    for (int corner = 0; corner < 3; ++corner) {
      const double angle = 2 * std::numbers::pi / 3 * corner;
      places.push_back({radii[ring] * std::cos(angle), radii[ring] * std::sin(angle), static_cast<double>(ring)});
    }
  places.push_back({0, 0, static_cast<double>(count)});
  const auto at = [](std::uint32_t ring, std::uint32_t corner) { return 1 + 3 * ring + corner % 3; };
  for (std::uint32_t corner = 0; corner < 3; ++corner) {
    triangles.push_back({0, at(0, corner + 1), at(0, corner)});
    triangles.push_back({3 * count + 1, at(count - 1, corner), at(count - 1, corner + 1)});
    for (std::uint32_t ring = 0; ring + 1 < count; ++ring) {
      triangles.push_back({at(ring, corner), at(ring, corner + 1), at(ring + 1, corner)});
      triangles.push_back({at(ring, corner + 1), at(ring + 1, corner + 1), at(ring + 1, corner)});
    }
  }
  return shape(std::move(places), std::move(triangles), limit);
}

/// A flat sheet of squares. The middle column is a seam: its points have a vertex on each side, with texture coordinates that differ by
/// less than what may slide.
struct Sheet {
  SimplifyInput in;
  std::set<std::uint32_t> left, right;  ///< vertices
  std::set<std::uint32_t> seam;         ///< points
};
Sheet sheet(std::uint32_t half, std::uint32_t rows) {
  Sheet made;
  SimplifyInput& in = made.in;
  in.poses = 1;
  in.limit = 0.01;
  constexpr float jump = 0.002F;
  std::map<Edge, std::uint32_t> points;
  const auto vertex_side = [&](bool right) {
    std::map<Edge, std::uint32_t> vertices;
    for (std::uint32_t x = right ? half : 0; x <= (right ? 2 * half : half); ++x)
      for (std::uint32_t y = 0; y <= rows; ++y) {
        const auto [found, is_new] = points.try_emplace({x, y}, static_cast<std::uint32_t>(in.places.size()));
        if (is_new) in.places.push_back({static_cast<double>(x), static_cast<double>(y), 0});
        if (x == half) made.seam.insert(found->second);
        const auto vertex = static_cast<std::uint32_t>(in.point.size());
        vertices[{x, y}] = vertex;
        (right ? made.right : made.left).insert(vertex);
        in.point.push_back(found->second);
        in.looks.push_back({.normal = {0, 0, 1}, .texcoord = {static_cast<float>(x) * 0.001F + (right ? jump : 0), 0}});
      }
    for (std::uint32_t x = right ? half : 0; x < (right ? 2 * half : half); ++x)
      for (std::uint32_t y = 0; y < rows; ++y) {
        in.triangles.push_back({vertices[{x, y}], vertices[{x + 1, y}], vertices[{x, y + 1}]});
        in.triangles.push_back({vertices[{x + 1, y}], vertices[{x + 1, y + 1}], vertices[{x, y + 1}]});
      }
  };
  vertex_side(false);
  vertex_side(true);
  in.surface.resize(in.triangles.size());
  return made;
}

// The waist is so thin that its edges are the cheapest ones. Its three points are neighbours of each other without being a triangle:
// collapsing an edge there would leave four triangles at another one.
TEST(Simplify, KeepsThinWaistsOfClosedSurfaces) {
  const SimplifyInput in = tube({1, 1, 1, 1, 1e-3, 1, 1, 1, 1}, 0.02);
  const Simplified made = simplify(in);
  const std::map<Edge, int> edges = edges_of(in, made);
  EXPECT_TRUE(std::ranges::all_of(edges, [](const auto& edge) { return edge.second == 2; }));
  EXPECT_EQ(points_of(in, made) + made.triangles.size() - edges.size(), 2U);
  EXPECT_LT(made.triangles.size(), in.triangles.size());
}

TEST(Simplify, NeverMakesATriangleTwice) {
  for (const double limit : {0.1, 1.0, 100.0}) {
    const SimplifyInput in = tube({1, 1.1, 1}, limit);
    const Simplified made = simplify(in);
    std::set<std::set<std::uint32_t>> seen;
    for (const weights::Triangle& t : made.triangles) EXPECT_TRUE(seen.insert({t[0], t[1], t[2]}).second);
    for (const auto& [edge, count] : edges_of(in, made)) EXPECT_EQ(count, 2);
  }
}

TEST(Simplify, MovesBothVerticesOfASeamOrNone) {
  const Sheet made = sheet(6, 12);
  const Simplified simple = simplify(made.in);
  EXPECT_LT(simple.triangles.size(), 20U);
  std::set<std::uint32_t> of_left, of_right;
  double area = 0;
  for (const weights::Triangle& t : simple.triangles) {
    const bool left = made.left.contains(t[0]);
    const auto& side = left ? made.left : made.right;
    EXPECT_TRUE(side.contains(t[1]) && side.contains(t[2]));
    for (const std::uint32_t v : t)
      if (made.seam.contains(made.in.point[v])) (left ? of_left : of_right).insert(made.in.point[v]);
    const auto &a = made.in.places[made.in.point[t[0]]], &b = made.in.places[made.in.point[t[1]]], &c = made.in.places[made.in.point[t[2]]];
    area += ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
  }
  EXPECT_EQ(of_left, of_right);  // no crack
  EXPECT_DOUBLE_EQ(area, 12.0 * 12);
}

}  // namespace simplify_test

}  // namespace
}  // namespace sinew::operations
