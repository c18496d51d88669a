// SPDX-License-Identifier: MIT
#include "operations/fit/distortion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "operations/weights/vec.hpp"
#include "operations/weights/welded_mesh.hpp"

namespace sinew::operations::weights {

namespace {

constexpr double fold = std::numbers::pi / 3;
constexpr std::size_t fewest_edges = 100;
constexpr double patch = 0.3;          ///< its width, relative to the diagonal of the clothes
constexpr double far_at_joint = 0.18;  ///< 0 to 0.15 where clothes look right
constexpr double far_in_patch = 0.12;  ///< 0 to 0.1 there

using Cell = std::array<std::int64_t, 3>;

struct Counts {
  std::size_t folded = 0, all = 0;
  [[nodiscard]] double share() const { return static_cast<double>(folded) / static_cast<double>(all); }
};

/// Two triangles at one edge.
struct Hinge {
  std::uint32_t corner = 0;  ///< a vertex of the edge
  std::size_t count = 0;     ///< of triangles
  std::size_t sides[2] = {};
};

std::vector<Hinge> hinges_of(const WeightedSurface& surface) {
  const WeldedMesh mesh = WeldedMesh::create(surface.vertices, surface.triangles);
  std::map<std::pair<std::uint32_t, std::uint32_t>, Hinge> edges;
  for (std::size_t triangle = 0; triangle < surface.triangles.size(); ++triangle)
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t corner = surface.triangles[triangle][i];
      const auto [a, b] = std::minmax(mesh.point_of[corner], mesh.point_of[surface.triangles[triangle][(i + 1) % 3]]);
      Hinge& hinge = edges[{a, b}];
      hinge.corner = corner;
      if (hinge.count < 2) hinge.sides[hinge.count] = triangle;
      ++hinge.count;
    }
  std::vector<Hinge> out;
  for (const auto& [edge, hinge] : edges)
    if (hinge.count == 2) out.push_back(hinge);
  return out;
}

/// Returns the angle between the normals of the two triangles; nothing if one of them has no area.
std::optional<double> angle_at(const WeightedSurface& surface, const Hinge& hinge) {
  Vec normals[2];
  for (std::size_t side = 0; side < 2; ++side) {
    const Triangle& t = surface.triangles[hinge.sides[side]];
    normals[side] = cross(surface.vertices[t[1]] - surface.vertices[t[0]], surface.vertices[t[2]] - surface.vertices[t[0]]);
  }
  const double size = norm(normals[0]) * norm(normals[1]);
  if (!(size > 0)) return std::nullopt;
  return same_everywhere(std::acos(std::clamp(dot(normals[0], normals[1]) / size, -1.0, 1.0)));
}

}  // namespace

double unevenness(const WeightedSurface& was, const WeightedSurface& is) {
  std::vector<double> factors;
  for (const Triangle& t : was.triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = t[i], b = t[(i + 1) % 3];
      const double before = norm(was.vertices[a] - was.vertices[b]), after = norm(is.vertices[a] - is.vertices[b]);
      if (before > 0 && after > 0) factors.push_back(same_everywhere(std::log(after / before)));
    }
  if (factors.empty()) return 1;
  const auto at = [&](std::size_t tenths) {
    const auto place = factors.begin() + static_cast<std::ptrdiff_t>((factors.size() - 1) * tenths / 10);
    std::ranges::nth_element(factors, place);
    return *place;
  };
  const double middle = at(5);
  for (double& factor : factors) factor = std::abs(factor - middle);
  return same_everywhere(std::exp(at(9)));
}

Folds most_folded(const WeightedSurface& was, const WeightedSurface& is) {
  const auto joints = strongest_joints(was);
  const double cell = patch / 3 * box_diagonal(was.vertices);
  std::vector<Counts> at_joint(was.bones.size());
  std::map<Cell, Counts> at_cell;
  std::map<Cell, std::uint32_t> joint_at;  // of a folded edge there
  for (const Hinge& hinge : hinges_of(was)) {
    const auto before = angle_at(was, hinge), after = angle_at(is, hinge);
    if (!before || !after || !joints[hinge.corner]) continue;
    Cell place{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      place[axis] = static_cast<std::int64_t>(std::floor(was.vertices[hinge.corner][axis] / cell));
    const std::size_t folded = *after - *before >= fold ? 1 : 0;
    for (Counts* const counts : {&at_joint[*joints[hinge.corner]], &at_cell[place]}) {
      counts->folded += folded;
      ++counts->all;
    }
    if (folded != 0) joint_at.try_emplace(place, *joints[hinge.corner]);
  }
  Folds out;
  for (std::uint32_t joint = 0; joint < at_joint.size(); ++joint)
    if (at_joint[joint].all >= fewest_edges) out.add(joint, at_joint[joint].share(), far_at_joint);
  for (const auto& [middle, joint] : joint_at) {
    Counts sum;
    for (std::int64_t i = 0; i < 27; ++i)
      if (const auto found = at_cell.find({middle[0] + i % 3 - 1, middle[1] + i / 3 % 3 - 1, middle[2] + i / 9 - 1});
          found != at_cell.end()) {
        sum.folded += found->second.folded;
        sum.all += found->second.all;
      }
    if (sum.all >= fewest_edges) out.add(joint, sum.share(), far_in_patch);
  }
  return out;
}

}  // namespace sinew::operations::weights
