// SPDX-License-Identifier: MIT
#include "model/relative.hpp"

#include <cstddef>

#include "sinew/geometry.hpp"

namespace sinew {

std::optional<Affine> relative_transform(const Model& model, const Pose& pose, std::span<const Affine> worlds, Index in, Index of) {
  auto in_from_world = inverse(worlds[in]);
  if (in_from_world) return of == none ? in_from_world : std::optional(*in_from_world * worlds[of]);
  const auto depth = [&](Index node) {
    std::size_t levels = 0;
    for (; node != none; node = model.nodes[node].parent) ++levels;
    return levels;
  };
  std::size_t depth_in = depth(in), depth_of = depth(of);
  Affine above_from_in(model.dimension), above_from_of(model.dimension);
  const auto rise = [&](Index& node, std::size_t& levels, Affine& map) {
    map = affine_of(model.dimension, pose.locals[node]) * map;
    node = model.nodes[node].parent;
    --levels;
  };
  while (in != of) depth_in > depth_of ? rise(in, depth_in, above_from_in) : rise(of, depth_of, above_from_of);
  if (in == none) return std::nullopt;  // nothing is above both
  const auto in_from_above = inverse(above_from_in);
  return in_from_above ? std::optional(*in_from_above * above_from_of) : std::nullopt;
}

}  // namespace sinew
