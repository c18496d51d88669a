// SPDX-License-Identifier: MIT
#include "operations/skeletons/bone_lengths.hpp"

#include <algorithm>
#include <cmath>

#include "model/influences.hpp"

namespace sinew::operations {
namespace {

void mark_moving(const Mesh& mesh, const Skin& skin, std::vector<bool>& moves) {
  std::vector<bool> weighted(skin.slots.size());
  mark_weighted(mesh, weighted);
  for (std::size_t slot = 0; slot < weighted.size(); ++slot)
    if (weighted[slot]) moves[skin.slots[slot]] = true;
}

/// By node: whether it moves vertices by weights or is the target of a clip.
std::vector<bool> nodes_in_use(const Model& model) {
  std::vector<bool> moves(model.nodes.size());
  for (const Node& node : model.nodes)
    if (node.mesh < model.meshes.size() && node.skin < model.skins.size())
      mark_moving(model.meshes[node.mesh], model.skins[node.skin], moves);
  for (const Clip& clip : model.clips)
    for (const Track& track : clip.tracks)
      if (track.node < moves.size()) moves[track.node] = true;
  return moves;
}

}  // namespace

std::optional<double> length_to(const LocalTransform& child) {
  constexpr double tolerance = 1e-6;
  if (child.translation.size() != 3) return std::nullopt;
  const double x = child.translation[0], y = child.translation[1], z = child.translation[2];
  if (!(y > 0) || std::abs(x) > tolerance * y || std::abs(z) > tolerance * y) return std::nullopt;
  return y;
}

void find_bone_lengths(Model& model, const std::vector<bool>& occupied) {
  const std::vector<bool> moves = nodes_in_use(model);
  const auto is_leaf = [&](Index child) {
    const Node& node = model.nodes[child];
    return node.children.empty() && node.mesh == none && !(child < occupied.size() && occupied[child]) && !moves[child];
  };
  for (Node& bone : model.nodes) {
    if (!bone.bone || bone.bone->length) continue;
    std::optional<double> found;
    bool alone = true;
    for (const Index child : bone.children) {
      const std::optional<double> length = is_leaf(child) ? length_to(model.rest_pose.locals[child]) : std::nullopt;
      if (!length) continue;
      alone &= !found || found == length;
      found = length;
    }
    if (alone) bone.bone->length = found;
  }
}

void forget_implied_lengths(Model& model) {
  const auto is_bone = [&](Index child) { return model.nodes[child].bone.has_value(); };
  for (Node& node : model.nodes) {
    if (!node.bone || std::ranges::count_if(node.children, is_bone) != 1) continue;
    const Index child = *std::ranges::find_if(node.children, is_bone);
    if (node.bone->length == length_to(model.rest_pose.locals[child])) node.bone->length.reset();
  }
}

}  // namespace sinew::operations
