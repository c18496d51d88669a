// SPDX-License-Identifier: MIT
#include "operations/weights/welded_mesh.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "base/disjoint_sets.hpp"
#include "math/extent.hpp"

namespace sinew::operations::weights {

namespace {

constexpr double weld_distance = 1e-5;  // relative to the diagonal

/// Finds points near a place: a grid whose cells are as wide as the distance.
class WeldGrid {
 public:
  explicit WeldGrid(double distance) : distance_(distance > 0 ? distance : 1) {}

  /// Returns the number of the first point within the distance, or that of a new one.
  std::uint32_t add(const Vec& place, std::vector<Vec>& points) {
    std::array<std::int64_t, 3> cell;
    for (std::size_t axis = 0; axis < 3; ++axis)
      cell[axis] = static_cast<std::int64_t>(std::clamp(std::floor(place[axis] / distance_), -1e18, 1e18));
    std::uint32_t best = missing;
    for (std::int64_t i = 0; i < 27; ++i) {
      const auto found = cells_.find(key({cell[0] + i % 3 - 1, cell[1] + i / 3 % 3 - 1, cell[2] + i / 9 - 1}));
      if (found == cells_.end()) continue;
      for (std::uint32_t at = found->second; at != missing; at = next_[at])
        if (norm(points[at] - place) <= distance_) best = std::min(best, at);
    }
    if (best != missing) return best;
    const auto number = static_cast<std::uint32_t>(points.size());
    points.push_back(place);
    const auto [head, fresh] = cells_.try_emplace(key(cell), number);
    next_.push_back(fresh ? missing : head->second);
    head->second = number;
    return number;
  }

 private:
  static constexpr std::uint32_t missing = std::numeric_limits<std::uint32_t>::max();

  /// Different cells may have the same key, because add compares distances.
  static std::uint64_t key(const std::array<std::int64_t, 3>& cell) {
    std::uint64_t sum = 0;
    for (const std::int64_t part : cell) sum = (sum ^ static_cast<std::uint64_t>(part)) * 0x9e3779b97f4a7c15u;
    return sum ^ (sum >> 29);
  }

  double distance_;
  std::unordered_map<std::uint64_t, std::uint32_t> cells_;  ///< the last point of a cell
  std::vector<std::uint32_t> next_;                         ///< by point: the one before it in the same cell
};

void add_normals(WeldedMesh& mesh) {
  mesh.normals.assign(mesh.points.size(), Vec{});
  for (const Triangle& t : mesh.triangles) {
    const Vec normal = cross(mesh.points[t[1]] - mesh.points[t[0]], mesh.points[t[2]] - mesh.points[t[0]]);
    const double area = norm(normal);
    if (area <= 0) continue;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec a = mesh.points[t[(i + 1) % 3]] - mesh.points[t[i]], b = mesh.points[t[(i + 2) % 3]] - mesh.points[t[i]];
      mesh.normals[t[i]] = mesh.normals[t[i]] + (same_everywhere(std::atan2(area, dot(a, b))) / area) * normal;
    }
  }
  for (Vec& normal : mesh.normals)
    if (const double length = norm(normal); length > 0) normal = (1 / length) * normal;
}

void find_pieces(WeldedMesh& mesh) {
  DisjointSets sets(mesh.points.size());
  for (const Triangle& t : mesh.triangles) {
    sets.join(t[0], t[1]);
    sets.join(t[0], t[2]);
  }
  mesh.piece_of.resize(mesh.points.size());
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    const std::size_t first = sets.find(i);
    mesh.piece_of[i] = first == i ? static_cast<std::uint32_t>(mesh.pieces++) : mesh.piece_of[first];
  }
}

}  // namespace

double box_diagonal(std::span<const Vec> points) {
  Extent box;
  for (const Vec& point : points)
    for (std::size_t axis = 0; axis < 3; ++axis) box.add(axis, point[axis]);
  return box.diagonal(3);
}

WeldedMesh WeldedMesh::create(std::span<const Vec> vertices, std::span<const Triangle> triangles) {
  WeldedMesh mesh;
  mesh.diagonal = box_diagonal(vertices);
  WeldGrid grid(weld_distance * mesh.diagonal);
  mesh.point_of.reserve(vertices.size());
  for (const Vec& vertex : vertices) mesh.point_of.push_back(grid.add(vertex, mesh.points));
  for (const Triangle& t : triangles) {
    const Triangle welded{mesh.point_of[t[0]], mesh.point_of[t[1]], mesh.point_of[t[2]]};
    if (welded[0] != welded[1] && welded[1] != welded[2] && welded[0] != welded[2]) mesh.triangles.push_back(welded);
  }
  add_normals(mesh);
  find_pieces(mesh);
  return mesh;
}

Neighbours Neighbours::create(const WeldedMesh& mesh) {
  std::vector<std::uint64_t> edges;
  edges.reserve(mesh.triangles.size() * 6);
  for (const Triangle& t : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint64_t a = t[i], b = t[(i + 1) % 3];
      edges.push_back(a << 32 | b);
      edges.push_back(b << 32 | a);
    }
  std::ranges::sort(edges);
  const auto repeated = std::ranges::unique(edges);
  edges.erase(repeated.begin(), repeated.end());
  Neighbours out;
  out.first.assign(mesh.points.size() + 1, 0);
  for (const std::uint64_t edge : edges) {
    ++out.first[(edge >> 32) + 1];
    out.point.push_back(static_cast<std::uint32_t>(edge));
  }
  for (std::size_t i = 1; i < out.first.size(); ++i) out.first[i] += out.first[i - 1];
  return out;
}

}  // namespace sinew::operations::weights
