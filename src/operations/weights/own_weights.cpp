// SPDX-License-Identifier: MIT
#include "operations/weights/own_weights.hpp"

#include <algorithm>
#include <cmath>

#include "model/influences.hpp"
#include "operations/skeletons/hierarchy.hpp"

namespace sinew::operations {

namespace {

constexpr double few = 0.05;          // of the weights: tips of fingers
constexpr double much = 0.1;          // of the weights of a vertex
constexpr double much_shared = 0.25;  // of the weights of a joint

/// Returns the nodes of the body that move each vertex much.
std::vector<std::vector<Index>> joints_by_vertex(const Mesh& mesh, const Skin& skin, std::span<const Index> twin) {
  std::vector<std::vector<Index>> out;
  for (const VertexBlock& block : mesh.blocks) {
    const std::size_t first = out.size();
    out.resize(first + block.vertices);
    const InfluenceTable influences(block.influences);
    for (std::size_t vertex = 0; vertex < influences.size(); ++vertex)
      for (const Influence& one : influences[vertex])
        if (one.weight > much && one.slot < skin.slots.size() && skin.slots[one.slot] != none && twin[skin.slots[one.slot]] != none)
          out[first + vertex].push_back(twin[skin.slots[one.slot]]);
  }
  return out;
}

}  // namespace

Index matched_at_or_above(const Model& clothes, std::span<const Index> twin, Index node) {
  while (node != none && twin[node] == none) node = clothes.nodes[node].parent;
  return node;
}

std::vector<OwnWeights> weights_on_body_bones(const Model& clothes, std::span<const Index> twin) {
  std::vector<OwnWeights> out;
  for (Index node = 0; node < clothes.nodes.size(); ++node) {
    const Node& own = clothes.nodes[node];
    if (own.mesh == none || own.skin == none || clothes.skins[own.skin].defect != none) continue;
    const Skin& skin = clothes.skins[own.skin];
    std::vector<double> sums(skin.slots.size());
    for (const VertexBlock& block : clothes.meshes[own.mesh].blocks) {
      const InfluenceTable influences(block.influences);
      for (std::size_t vertex = 0; vertex < influences.size(); ++vertex)
        for (const Influence& one : influences[vertex])
          if (one.slot < sums.size()) sums[one.slot] += std::abs(one.weight);
    }
    double all = 0, others = 0;
    std::size_t joints = 0;
    for (std::size_t slot = 0; slot < sums.size(); ++slot) {
      all += sums[slot];
      joints += sums[slot] > 0 ? 1 : 0;
      if (skin.slots[slot] == none || twin[skin.slots[slot]] == none) others += sums[slot];
    }
    if (joints > 1 && others <= few * all) out.push_back({node, joints_by_vertex(clothes.meshes[own.mesh], skin, twin)});
  }
  return out;
}

Relatives relatives_of(const Model& body, const std::vector<Index>& joints, const weights::WeightedSurface& surface) {
  std::vector<double> own(joints.size());
  std::vector<std::vector<double>> shared(joints.size(), std::vector<double>(joints.size()));
  for (std::size_t vertex = 0; vertex + 1 < surface.first.size(); ++vertex)
    for (std::size_t a = surface.first[vertex]; a < surface.first[vertex + 1]; ++a) {
      own[surface.joint[a]] += surface.weight[a];
      for (std::size_t b = surface.first[vertex]; b < surface.first[vertex + 1]; ++b)
        shared[surface.joint[a]][surface.joint[b]] += std::min(surface.weight[a], surface.weight[b]);
    }
  std::vector<std::vector<bool>> out(joints.size(), std::vector<bool>(joints.size()));
  for (std::size_t a = 0; a < joints.size(); ++a)
    for (std::size_t b = 0; b < joints.size(); ++b)
      out[a][b] = is_above(body, joints[a], joints[b]) || is_above(body, joints[b], joints[a]) ||
                  shared[a][b] > much_shared * std::min(own[a], own[b]);
  return out;
}

void allow_joints(const weights::WeldedMesh& clothes, std::size_t first, const std::vector<std::vector<Index>>& own,
                  const std::vector<Index>& joints, const Relatives& relatives, AllowedJoints& allowed) {
  for (std::size_t vertex = 0; vertex < own.size(); ++vertex) {
    std::vector<std::uint32_t>& row = allowed[clothes.point_of[first + vertex]];
    for (const Index node : own[vertex]) {
      const auto joint = static_cast<std::size_t>(std::ranges::find(joints, node) - joints.begin());
      for (std::uint32_t other = 0; other < joints.size(); ++other)
        if (joint == joints.size() || relatives[joint][other]) row.push_back(other);
    }
  }
  for (std::vector<std::uint32_t>& row : allowed) {
    std::ranges::sort(row);
    const auto repeated = std::ranges::unique(row);
    row.erase(repeated.begin(), repeated.end());
  }
}

}  // namespace sinew::operations
