// SPDX-License-Identifier: MIT
#include "g4mf/write/stored_pose.hpp"

#include <algorithm>
#include <map>

#include "g4mf/read/ext/SINEW_animation.hpp"
#include "g4mf/read/rig/transforms.hpp"
#include "model/local_of.hpp"

namespace sinew::g4mf {

namespace {

bool same_bind(const Model& before, const Model& after, std::size_t skeleton) {
  if (skeleton >= before.skeletons.size()) return false;
  const Skeleton& a = before.skeletons[skeleton];
  const Skeleton& b = after.skeletons[skeleton];
  return a.node == b.node && a.joints == b.joints && a.joint_from_mesh == b.joint_from_mesh;
}

/// Where the bones of one skeleton stand in its space, from the skeleton down.
class BindPose {
 public:
  BindPose(const Model& model, const Skeleton& skeleton, std::vector<LocalTransform>& locals)
      : model_(model), skeleton_(skeleton), locals_(locals) {}

  bool store() {
    for (std::size_t slot = 0; slot < skeleton_.joints.size(); ++slot) {
      if (skeleton_.joints[slot] == none) continue;
      const auto at = inverse(skeleton_.joint_from_mesh[slot]);
      if (!at) return false;
      bound_.emplace(skeleton_.joints[slot], *at);
    }
    for (const auto& [joint, at] : bound_) {
      const auto parent_from_skeleton = inverse(place_of(model_.nodes[joint].parent));
      if (!parent_from_skeleton) return false;
      locals_[joint] = local_of(*parent_from_skeleton * at);
    }
    return true;
  }

 private:
  // A bone that no slot names stands to the one above it as it does.
  [[nodiscard]] Affine place_of(Index node) const {
    Affine below(model_.dimension);
    for (; node != none && node != skeleton_.node; node = model_.nodes[node].parent) {
      if (const auto known = bound_.find(node); known != bound_.end()) return known->second * below;
      below = affine_of(model_.dimension, locals_[node]) * below;
    }
    return below;
  }

  const Model& model_;
  const Skeleton& skeleton_;
  std::vector<LocalTransform>& locals_;
  std::map<Index, Affine> bound_;
};

}  // namespace

std::vector<LocalTransform> stored_locals(Reader& reader, const Model& model) {
  std::vector<LocalTransform> locals = model.rest_pose.locals;
  if (!reader.root().value()["extensions"][animation::extension]) return locals;
  std::size_t i = 0;
  for (const JsonValue value : reader.root()[RootRow::nodes].elements()) {
    if (auto local = read_transform(reader, reader.object<NodeObject>(value))) locals[i] = std::move(*local);
    ++i;
  }
  return locals;
}

std::optional<std::vector<LocalTransform>> locals_to_store(const Model& before, const std::vector<LocalTransform>& stored,
                                                           const Model& after) {
  std::vector<LocalTransform> locals = after.rest_pose.locals;
  for (std::size_t i = 0; i < stored.size(); ++i)
    if (before.rest_pose.locals[i] == locals[i]) locals[i] = stored[i];
  for (std::size_t i = 0; i < after.skeletons.size(); ++i) {
    const Skeleton& skeleton = after.skeletons[i];
    if (skeleton.joint_from_mesh.empty()) continue;
    if (!same_bind(before, after, i)) {
      if (!BindPose(after, skeleton, locals).store()) return std::nullopt;
      continue;
    }
    for (const Index joint : skeleton.joints)
      if (joint != none) locals[joint] = stored[joint];
  }
  return locals;
}

}  // namespace sinew::g4mf
