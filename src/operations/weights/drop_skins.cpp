// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "deform/bind.hpp"
#include "model/influences.hpp"
#include "model/local_of.hpp"
#include "model/place.hpp"
#include "operations/weights/clothes_weights.hpp"

namespace sinew::operations {

namespace {

constexpr double same_place = 1e-5;  // relative to the largest number of a transform

bool same_placing(const Affine& a, const Affine& b) {
  double size = 0, difference = 0;
  for (std::size_t i = 0; i < a.values().size(); ++i) {
    size = std::max(size, std::abs(a.values()[i]));
    difference = std::max(difference, std::abs(a.values()[i] - b.values()[i]));
  }
  return difference <= same_place * size;
}

Unexpected stays_skinned(const Model& clothes, const Node& node, std::string_view why) {
  return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, place_of(clothes, node),
                          format_text("the skin of \"{}\" cannot be dropped: {}", node.name, why)));
}

/// Returns the transform that the skin of a node gives to all vertices at rest, or nothing if it gives several.
std::optional<Affine> placing_of(const Model& clothes, Index node, const std::vector<Affine>& world) {
  const Skin& skin = clothes.skins[clothes.nodes[node].skin];
  std::vector<bool> used(skin.slots.size());
  mark_weighted(clothes.meshes[clothes.nodes[node].mesh], used);
  std::optional<Affine> placing;
  for (std::size_t slot = 0; slot < used.size(); ++slot) {
    if (!used[slot] || skin.slots[slot] == none) continue;
    const auto bind = deform::joint_from_mesh(clothes, skin, slot, node, world);
    if (!bind) return std::nullopt;
    const Affine own = world[skin.slots[slot]] * *bind;
    if (placing && !same_placing(*placing, own)) return std::nullopt;
    if (!placing) placing = own;
  }
  return placing ? placing : world[node];
}

}  // namespace

Result<Model> without_clothes_skins(const Model& clothes, std::span<const Index> nodes) {
  const std::vector<Affine> world = need(world_transforms(clothes, clothes.rest_pose));
  Model out = clothes;
  for (const Index node : nodes) {
    const Node& own = clothes.nodes[node];
    if (own.mesh == none || own.skin == none || clothes.skins[own.skin].defect != none) continue;
    const auto placing = placing_of(clothes, node, world);
    if (!placing) return stays_skinned(clothes, own, "at rest it gives its vertices several transforms, expected one for all");
    out.nodes[node].skin = none;
    for (VertexBlock& block : out.meshes[own.mesh].blocks) block.influences = {};
    if (same_placing(*placing, world[node])) continue;
    if (!own.children.empty()) return stays_skinned(clothes, own, "the node has another place than its mesh, and nodes below it");
    const auto back = own.parent == none ? std::optional(Affine(3)) : inverse(world[own.parent]);
    if (!back) return stays_skinned(clothes, own, "the transform of the node above it has no inverse");
    const LocalTransform local = local_of(*back * *placing);
    if (!local.basis.empty()) return stays_skinned(clothes, own, "its node would have shear, which glTF cannot store");
    out.rest_pose.locals[node] = local;
  }
  return out;
}

}  // namespace sinew::operations
