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
std::vector<bool> moving_nodes(const Model& model) {
  std::vector<bool> moves(model.nodes.size());
  for (const Node& node : model.nodes)
    if (node.mesh < model.meshes.size() && node.skin < model.skins.size())
      for (const VertexBlock& block : model.meshes[node.mesh].blocks) mark_weighted(block, model.skins[node.skin], moves);
  for (const Clip& clip : model.clips)
    for (const Track& track : clip.tracks)
      if (track.node < moves.size()) moves[track.node] = true;
  return moves;
}

/// Returns the length of the parent bone that a child at this place implies; 0: none.
double length_to(const LocalTransform& local) {
  constexpr double tolerance = 1e-6;
  if (local.translation.size() != 3) return 0;
  const double x = local.translation[0], y = local.translation[1], z = local.translation[2];
  return y > 0 && std::abs(x) <= tolerance * y && std::abs(z) <= tolerance * y ? y : 0;
}

}  // namespace

void find_bone_lengths(Model& model, const std::vector<bool>& occupied) {
  const std::vector<bool> moves = moving_nodes(model);
  const auto is_leaf = [&](Index child) {
    const Node& node = model.nodes[child];
    return node.children.empty() && node.mesh == none && !(child < occupied.size() && occupied[child]) && !moves[child];
  };
  for (Node& bone : model.nodes) {
    if (!bone.bone || bone.bone->length) continue;
    double found = 0;
    bool alone = true;
    for (const Index child : bone.children) {
      const double length = is_leaf(child) ? length_to(model.rest_pose.locals[child]) : 0;
      if (length == 0) continue;
      alone &= found == 0 || found == length;
      found = length;
    }
    if (found > 0 && alone) bone.bone->length = found;
  }
}

}  // namespace sinew::operations
