// SPDX-License-Identifier: MIT
#include "operations/skeletons/bone_lengths.hpp"

#include <algorithm>
#include <cmath>

namespace sinew::operations {
namespace {

void mark_weighted(const VertexBlock& block, const Skin& skin, std::vector<bool>& moves) {
  for (const Influences::Set& set : block.influences.sets) {
    const std::vector<std::uint32_t> slots = set.joints.read<std::uint32_t>();
    const std::vector<float> weights = set.weights.read<float>();
    for (std::size_t i = 0; i < std::min(slots.size(), weights.size()); ++i)
      if (weights[i] != 0 && slots[i] < skin.slots.size()) moves[skin.slots[slots[i]]] = true;
  }
}

/// By node: whether it moves vertices by weights or is the target of a clip.
std::vector<bool> nodes_in_use(const Model& model) {
  std::vector<bool> moves(model.nodes.size());
  for (const Node& node : model.nodes)
    if (node.mesh < model.meshes.size() && node.skin < model.skins.size())
      for (const VertexBlock& block : model.meshes[node.mesh].blocks) mark_weighted(block, model.skins[node.skin], moves);
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
