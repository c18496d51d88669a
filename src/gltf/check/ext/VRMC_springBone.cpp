// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/message.hpp"
#include "gltf/check/ext/VRM.hpp"
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::vrm {

namespace {

constexpr double unit_tolerance = 1e-3;
constexpr std::string_view wide_collider = "VRMC_springBone_extended_collider";

class SpringCheck {
 public:
  SpringCheck(Checker& checker, JsonValue springs, const Humanoid& humanoid)
      : checker_(checker), springs_(springs), model_(checker.model()), owner_(model_.nodes.size(), none), is_joint_(model_.nodes.size()) {
    bones_.resize(model_.nodes.size());
    for (const Humanoid::Bone& bone : humanoid.bones) bones_[bone.node] = &bone;
  }

  std::vector<bool> run() {
    for (const JsonValue spring : springs_["springs"].elements()) chains_.push_back(chain_of(spring));
    for (const Chain& chain : chains_) check_order(chain);
    for (Index number = 0; number < chains_.size(); ++number) own_nodes(number);
    for (Index number = 0; number < chains_.size(); ++number) check_center(number);
    for (const JsonValue collider : springs_["colliders"].elements()) check_collider(collider);
    check_use();
    return std::move(is_joint_);
  }

 private:
  struct Joint {
    Index node = none;
    JsonValue at;
  };
  struct Chain {
    JsonValue spring;
    std::vector<Joint> joints;
  };

  [[nodiscard]] Index node_of(JsonValue index) const { return checker_.root().plain_index(index, Reference::node); }
  [[nodiscard]] bool is_above(Index above, Index node) const { return checker_.parsed().nodes->tree().is_above(above, node); }

  Chain chain_of(JsonValue spring) {
    Chain chain{spring, {}};
    for (const JsonValue joint : spring["joints"].elements()) {
      chain.joints.push_back({node_of(joint["node"]), joint["node"]});
      if (chain.joints.back().node != none) is_joint_[chain.joints.back().node] = true;
      const auto length = length_of(joint["gravityDir"]);
      if (length && std::abs(*length - 1) > unit_tolerance && joint["gravityPower"].number().value_or(0) > 0)
        checker_.report("VRM_SPRING_NO_GRAVITY_DIR"_code, joint["gravityDir"], *length);
    }
    return chain;
  }

  void check_order(const Chain& chain) {
    if (chain.joints.size() == 1) checker_.report("VRM_SPRING_ONE_JOINT"_code, chain.spring);
    for (std::size_t i = 1; i < chain.joints.size(); ++i) {
      const Joint& before = chain.joints[i - 1];
      const Joint& joint = chain.joints[i];
      if (joint.node == none || before.node == none) continue;
      if (joint.node == before.node || !is_above(before.node, joint.node))
        checker_.report("VRM_SPRING_JOINT_ORDER"_code, joint.at, joint.node, before.node);
      if (const Humanoid::Bone* const bone = bones_[joint.node]; bone != nullptr && i + 1 < chain.joints.size())
        checker_.report("VRM_SPRING_IS_BONE"_code, joint.at, joint.node, bone->kind->name);
    }
  }

  // Nodes between two joints belong to the spring, too. Reports the first shared node of a spring.
  void own_nodes(Index number) {
    const auto own = [&](Index node, JsonValue at) {
      if (owner_[node] == none) owner_[node] = number;
      if (owner_[node] != number) checker_.report("VRM_SPRING_JOINT_SHARED"_code, at, node, owner_[node]);
      return owner_[node] == number;
    };
    Index before = none;
    for (const Joint& joint : chains_[number].joints) {
      const Index above = std::exchange(before, joint.node);
      if (joint.node == none) continue;
      if (!own(joint.node, joint.at)) return;
      if (above == none || above == joint.node || !is_above(above, joint.node)) continue;
      for (Index node = model_.nodes[joint.node].parent; node != above && owner_[node] != number; node = model_.nodes[node].parent)
        if (!own(node, joint.at)) return;
    }
  }

  void check_center(Index number) {
    const Chain& chain = chains_[number];
    const JsonValue at = chain.spring["center"];
    const Index center = node_of(at);
    if (center == none) return;
    const Index first = chain.joints.empty() ? none : chain.joints.front().node;
    if (first != none && !is_above(center, first))
      return checker_.report("VRM_SPRING_CENTER"_code, at, center, format_text("is not above node {}, the first joint", first));
    for (Index node = center; node != none; node = model_.nodes[node].parent)
      if (owner_[node] != none && owner_[node] != number)
        return checker_.report("VRM_SPRING_CENTER"_code, at, center, format_text("is moved by spring {}", owner_[node]));
  }

  void check_collider(JsonValue collider) {
    const JsonValue wide = collider["extensions"][wide_collider];
    if (!wide) return check_shape(collider["shape"], {"sphere", "capsule"});
    const Table& springs = *find_place(*find_extension("VRMC_springBone"), root_table)->object;
    const Table& holder = *std::ranges::find(springs.rows, "colliders", &Property::name)->of;
    if (!check_object(checker_, wide_collider, wide, holder)) return;
    check_shape(wide["shape"], {"sphere", "capsule", "plane"});
    const JsonValue normal = wide["shape"]["plane"]["normal"];
    const auto length = length_of(normal);
    if (length && std::abs(*length - 1) > unit_tolerance) checker_.report("VRM_COLLIDER_PLANE_NORMAL"_code, normal, *length);
  }

  void check_shape(JsonValue shape, std::initializer_list<std::string_view> kinds) {
    if (!shape.is(JsonKind::object)) return;
    const auto count = std::ranges::count_if(kinds, [&](std::string_view kind) { return static_cast<bool>(shape[kind]); });
    if (count != 1) checker_.report("VRM_COLLIDER_SHAPE"_code, shape, count, join_text(kinds, ", "));
  }

  void check_use() {
    std::vector<bool> groups(springs_["colliderGroups"].size()), colliders(springs_["colliders"].size());
    const auto mark = [](std::vector<bool>& used, JsonValue list) {
      for (const JsonValue index : list.elements())
        if (const auto place = whole_number(index); place && *place < used.size()) used[*place] = true;
    };
    for (const Chain& chain : chains_) mark(groups, chain.spring["colliderGroups"]);
    for (const JsonValue group : springs_["colliderGroups"].elements()) mark(colliders, group["colliders"]);
    std::size_t number = 0;
    for (const JsonValue group : springs_["colliderGroups"].elements())
      if (!groups[number++]) checker_.report("VRM_COLLIDER_GROUP_UNUSED"_code, group, "spring", "collider group");
    number = 0;
    for (const JsonValue collider : springs_["colliders"].elements())
      if (!colliders[number++]) checker_.report("VRM_COLLIDER_GROUP_UNUSED"_code, collider, "collider group", "collider");
  }

  Checker& checker_;
  JsonValue springs_;
  const Model& model_;
  std::vector<Chain> chains_;
  std::vector<Index> owner_;                  ///< by node: the first spring that moves it
  std::vector<bool> is_joint_;                ///< by node
  std::vector<const Humanoid::Bone*> bones_;  ///< by node
};

}  // namespace

std::vector<bool> check_springs(Checker& checker, JsonValue springs, const Humanoid& humanoid) {
  return SpringCheck(checker, springs, humanoid).run();
}

}  // namespace sinew::gltf::vrm
