// SPDX-License-Identifier: MIT
#include "operations/fit/lowering.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/parallel.hpp"
#include "operations/retarget/transfer.hpp"

namespace sinew::operations::weights {

namespace {

constexpr double deepest_lowering = 0.04;  ///< relative to the diagonal of the figure
constexpr std::size_t rounds_of_lowering = 8;
constexpr std::size_t per_piece = 256;

bool is_surrounded(std::string_view bone) {
  constexpr std::array<std::string_view, 13> bones{"hips",          "spine",         "chest",         "upperChest",   "leftShoulder",
                                                   "rightShoulder", "leftUpperArm",  "rightUpperArm", "leftLowerArm", "rightLowerArm",
                                                   "leftUpperLeg",  "rightUpperLeg", "leftLowerLeg"};
  return bone == "rightLowerLeg" || std::ranges::find(bones, bone) != bones.end();
}

}  // namespace

std::vector<std::uint8_t> around_limbs(const Model& body, std::span<const Index> twin, const RiggedSurface& clothes,
                                       const WeldedMesh& points) {
  const std::map<Index, std::string> bones = human_names(body);
  const auto joints = strongest_joints(clothes.surface);
  std::vector<std::uint8_t> out(points.points.size());
  for (std::size_t vertex = 0; vertex < joints.size(); ++vertex) {
    const Index bone = joints[vertex] ? twin[clothes.joints[*joints[vertex]]] : none;
    const auto known = bones.find(bone);
    if (known != bones.end() && is_surrounded(known->second)) out[points.point_of[vertex]] = 1;
  }
  return out;
}

void lower_below_clothes(const OuterSurface& shape, const WeldedMesh& points, std::span<const std::uint8_t> around, double clearance,
                         unsigned threads, RiggedSurface& figure) {
  std::vector<OuterSurface::Place> places(points.points.size());
  parallel_for(places.size(), per_piece, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      if (around[i] != 0) places[i] = shape.place(points.points[i], {});
  });
  const WeldedMesh skin = WeldedMesh::create(figure.surface.vertices, figure.surface.triangles);
  std::vector<double> needed(skin.points.size());
  for (const OuterSurface::Place& place : places) {
    if (!(place.height < 0)) continue;
    std::vector<std::uint32_t> open(place.corners.begin(), place.corners.end());
    while (!open.empty()) {
      const std::uint32_t point = open.back();
      open.pop_back();
      if (point >= shape.corners()) {
        const auto& [a, b] = shape.halves()[point - shape.corners()];
        open.insert(open.end(), {a, b});
        continue;
      }
      double& most = needed[skin.point_of[shape.vertex(point)]];
      most = std::max(most, std::min(clearance * shape.diagonal() - place.height, deepest_lowering * shape.diagonal()));
    }
  }
  const Neighbours neighbours = Neighbours::create(skin);
  std::vector<double> lowered = needed;
  for (std::size_t round = 0; round < rounds_of_lowering; ++round) {
    std::vector<double> next = lowered;
    for (std::size_t point = 0; point < next.size(); ++point) {
      const auto around = neighbours.of(point);
      if (around.empty()) continue;
      double sum = 0;
      for (const std::uint32_t other : around) sum += lowered[other];
      next[point] = std::max(needed[point], sum / static_cast<double>(around.size()));
    }
    lowered.swap(next);
  }
  for (std::size_t vertex = 0; vertex < figure.surface.vertices.size(); ++vertex) {
    const std::uint32_t point = skin.point_of[vertex];
    figure.surface.vertices[vertex] = figure.surface.vertices[vertex] - lowered[point] * skin.normals[point];
  }
}

}  // namespace sinew::operations::weights
