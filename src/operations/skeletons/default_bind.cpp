// SPDX-License-Identifier: MIT
#include "operations/skeletons/default_bind.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <set>

namespace sinew::operations {
namespace {

using Binds = std::map<Index, Affine>;  ///< joint_from_mesh by node

void take(const std::vector<Index>& joints, const std::vector<Affine>& matrices, Binds& binds) {
  for (std::size_t i = 0; i < joints.size() && i < matrices.size(); ++i) binds.emplace(joints[i], matrices[i]);
}

/// Returns whether the skin agrees with the binds so far: it shares one or more joints, all bound equally.
bool agrees(const Skin& skin, const Binds& binds) {
  bool shares = binds.empty();
  for (std::size_t slot = 0; slot < skin.slots.size(); ++slot) {
    const auto known = binds.find(skin.slots[slot]);
    if (known == binds.end()) continue;
    if (!nearly_equal(known->second, skin.joint_from_mesh[slot])) return false;
    shares = true;
  }
  return shares;
}

Binds given_binds(const Model& result, const Model& before, const StrictGroup& group, Index root) {
  Binds binds;
  if (group.skeleton != none) {
    const Skeleton& skeleton = before.skeletons[group.skeleton];
    take(skeleton.joints, skeleton.joint_from_mesh, binds);
    if (!binds.empty()) return binds;
  } else {
    for (const Index skin : group.skins)
      if (agrees(result.skins[skin], binds)) take(result.skins[skin].slots, result.skins[skin].joint_from_mesh, binds);
  }
  // The default bind pose of a skeleton without matrices is the rest pose (STAIK_skeletons), in the space of the root's parent.
  if (binds.empty())
    if (const auto bind = inverse(affine_of(3, result.rest_pose.locals[root]))) binds.emplace(root, *bind);
  return binds;
}

}  // namespace

bool nearly_equal(const Affine& a, const Affine& b) {
  double size = 0, difference = 0;
  for (std::size_t i = 0; i < a.values().size(); ++i) {
    size = std::max(size, std::abs(a.values()[i]));
    difference = std::max(difference, std::abs(a.values()[i] - b.values()[i]));
  }
  return difference <= 1e-5 * size;
}

std::vector<Affine> default_bind(const Model& result, const Model& before, const StrictGroup& group, Index root) {
  Binds binds = given_binds(result, before, group, root);
  std::map<Index, Affine> mesh_from_joint;
  std::deque<Index> open;
  for (const auto& [joint, bind] : binds)
    if (const auto back = inverse(bind)) {
      mesh_from_joint.emplace(joint, *back);
      open.push_back(joint);
    }
  const std::set<Index> in_skeleton(group.joints.begin(), group.joints.end());
  const auto derive = [&](Index joint, const Affine& place) {
    if (!in_skeleton.contains(joint) || !mesh_from_joint.emplace(joint, place).second) return;
    open.push_back(joint);
    if (const auto bind = inverse(place)) binds.emplace(joint, *bind);
  };
  for (; !open.empty(); open.pop_front()) {
    const Index joint = open.front();
    const Affine place = mesh_from_joint.at(joint);
    for (const Index child : result.nodes[joint].children) derive(child, place * affine_of(3, result.rest_pose.locals[child]));
    if (const Index parent = result.nodes[joint].parent; parent != none)
      if (const auto back = inverse(affine_of(3, result.rest_pose.locals[joint]))) derive(parent, place * *back);
  }
  std::vector<Affine> list;
  for (const Index joint : group.joints) {
    const auto bind = binds.find(joint);
    list.push_back(bind == binds.end() ? Affine(3) : bind->second);
  }
  return list;
}

}  // namespace sinew::operations
