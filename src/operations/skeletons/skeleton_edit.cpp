// SPDX-License-Identifier: MIT
#include "operations/skeletons/skeleton_edit.hpp"

#include <algorithm>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "deform/bind.hpp"
#include "model/place.hpp"

namespace sinew::operations {

namespace {

/// Replaces some nodes of a list by one at the place of the first; returns the replaced nodes in their order.
std::vector<Index> replace(std::vector<Index>& list, const std::vector<Index>& some, Index by) {
  std::vector<Index> replaced, rest;
  for (const Index node : list) {
    const bool is_one = std::ranges::find(some, node) != some.end();
    if (!is_one)
      rest.push_back(node);
    else if (replaced.empty())
      rest.push_back(by);
    if (is_one) replaced.push_back(node);
  }
  list = std::move(rest);
  return replaced;
}

}  // namespace

std::string label(const Model& model, Index node) {
  const std::string& name = model.nodes[node].name;
  return name.empty() ? format_text("node {}", node) : format_text("node {} \"{}\"", node, name);
}

Unexpected refuse(const Model& model, const Entity& at, std::string_view why) {
  return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, place_of(model, at), why));
}

Result<> check_skins(const Model& model) {
  for (const Skin& skin : model.skins) {
    if (skin.defect != none) return Unexpected(model.defects[skin.defect]);
    if (skin.bind == Skin::Bind::skeleton_pose || std::ranges::find(skin.slots, none) != skin.slots.end())
      return refuse(model, skin, "found a skin of another format; strict skeletons need skins with bind matrices");
  }
  for (const Skeleton& skeleton : model.skeletons)
    if (skeleton.defect != none) return Unexpected(model.defects[skeleton.defect]);
  return {};
}

Result<> store_matrices(Model& model, Implied which) {
  std::vector<Affine> rest_world;
  for (Skin& skin : model.skins) {
    const bool stored_pose = skin.bind == Skin::Bind::stored_pose;
    if (!stored_pose && !(which == Implied::all && skin.bind == Skin::Bind::identity)) continue;
    if (rest_world.empty()) rest_world = need(world_transforms(model, model.rest_pose));
    std::vector<Affine> matrices;
    for (std::size_t slot = 0; slot < skin.slots.size(); ++slot) {
      const auto matrix = deform::joint_from_mesh(model, skin, slot, none, rest_world);
      if (!matrix)
        return refuse(
            model, skin,
            format_text("the rest transform of {} has no inverse, so its bind matrix cannot be computed", label(model, skin.slots[slot])));
      matrices.push_back(*matrix);
    }
    skin.bind = Skin::Bind::matrices;
    skin.joint_from_mesh = std::move(matrices);
    skin.frame = none;
  }
  return {};
}

Result<Index> put_above(Model& model, const std::vector<Index>& nodes, Index parent) {
  const auto added = static_cast<Index>(model.nodes.size());
  Node node;
  const bool named = parent != none && !model.nodes[parent].name.empty();
  node.name = format_text("{}_root", named ? model.nodes[parent].name : "skeleton");
  node.parent = parent;
  if (parent != none) {
    node.children = replace(model.nodes[parent].children, nodes, added);
  } else {
    node.children = nodes;
    for (Scene& scene : model.scenes) {
      const std::vector<Index> replaced = replace(scene.roots, nodes, added);
      if (!replaced.empty() && replaced.size() != nodes.size())
        return refuse(model, scene, "the scene contains only some joints of the skeleton; expected all or none");
    }
  }
  for (const Index one : nodes) model.nodes[one].parent = added;
  model.nodes.push_back(std::move(node));
  model.rest_pose.locals.emplace_back();
  model.rest_pose.amounts.emplace_back();
  return added;
}

}  // namespace sinew::operations
