// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::validate::test {

inline Affine moved(std::vector<double> by) {
  Affine map(by.size());
  for (std::size_t c = 0; c < by.size(); ++c) map.translation(c) = by[c];
  return map;
}

/// Nodes 0 (the mesh), 1 (plain), and below it the bones 2 and 3, one above the other. Both bones move a strip of four vertices, bound at
/// its stored pose.
inline Model rig(std::size_t dimension = 3) {
  Model model;
  model.dimension = dimension;
  model.format = "glTF";
  model.nodes.resize(4);
  const std::vector<std::pair<Index, Index>> links = {{1, 2}, {2, 3}};
  for (const auto& [parent, child] : links) {
    model.nodes[parent].children = {child};
    model.nodes[child].parent = parent;
  }
  model.nodes[2].name = "root";
  model.nodes[3].name = "tip";
  model.nodes[0].mesh = model.nodes[0].skin = 0;
  model.rest_pose.locals.resize(4);
  model.rest_pose.locals[3].translation.assign(dimension, 0);
  model.rest_pose.locals[3].translation[1] = 1;
  model.rest_pose.amounts.resize(4);

  VertexBlock block;
  block.vertices = 4;
  std::vector<float> positions(4 * dimension);
  for (std::size_t i = 0; i < 4; ++i) {
    positions[i * dimension] = static_cast<float>(i % 2);
    positions[i * dimension + 1] = static_cast<float>(i / 2 * 2);
  }
  block.attributes.push_back(
      {.semantic = Semantic::position, .set = 0, .custom = {}, .values = Array::own(positions, dimension), .index = {}, .offsets = {}});
  block.influences.sets.push_back(
      {Array::own(std::vector<std::uint8_t>{0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0}, 4),
       Array::own(std::vector<float>{.75f, .25f, 0, 0, .75f, .25f, 0, 0, .25f, .75f, 0, 0, .25f, .75f, 0, 0}, 4)});
  Mesh& mesh = model.meshes.emplace_back();
  mesh.blocks.push_back(std::move(block));
  mesh.surfaces.emplace_back();

  Skin& skin = model.skins.emplace_back();
  skin.slots = {2, 3};
  skin.bind = Skin::Bind::matrices;
  std::vector<double> down(dimension);
  down[1] = -1;
  skin.joint_from_mesh = {Affine(dimension), moved(down)};
  return model;
}

inline std::vector<std::string_view> codes(const FindingList& found) {
  std::vector<std::string_view> codes;
  for (const Finding& finding : found.list()) codes.push_back(finding.code);
  std::ranges::sort(codes);
  return codes;
}

}  // namespace sinew::validate::test
