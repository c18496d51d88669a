// SPDX-License-Identifier: MIT
#include "g4mf/write/stored_pose.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "base/guard.hpp"
#include "g4mf/extensions/SINEW_animation.hpp"
#include "g4mf/schema/data/transforms.hpp"
#include "model/local_of.hpp"

#include "sinew/geometry.hpp"

namespace sinew::g4mf {

namespace {

constexpr double stored_tolerance = 1e-6;  // for a rotor's length, because readers normalise it

template <class Numbers>
bool all_equal(const Numbers& numbers, double value) {
  return std::ranges::all_of(numbers, [value](double number) { return number == value; });
}

bool is_identity(std::span<const double> matrix, std::size_t dimension) {
  for (std::size_t i = 0; i < matrix.size(); ++i)
    if (matrix[i] != (i % (dimension + 1) == 0 ? 1 : 0)) return false;
  return true;
}

bool is_unit_rotation(std::size_t dimension, std::span<const double> rotor) {
  double length = 0;
  for (const double x : rotor) length = std::hypot(length, x);
  return std::abs(length - 1) <= stored_tolerance && need(rotor_defect(dimension, rotor)) <= stored_tolerance;
}

}  // namespace

LocalTransform stored_form(std::size_t dimension, const LocalTransform& local) {
  LocalTransform stored = local;
  if (all_equal(stored.translation, 0)) stored.translation.clear();
  if (stored.basis.empty()) {
    if (all_equal(stored.scale, 1)) stored.scale.clear();
    const bool turned = !stored.rotor.empty() && (std::abs(stored.rotor[0] - 1) > 0 || !all_equal(std::span(stored.rotor).subspan(1), 0));
    if (!turned) stored.rotor.clear();
    const bool positive = std::ranges::all_of(stored.scale, [](double factor) { return factor > 0; });
    if (positive && (!turned || (dimension < 7 && is_unit_rotation(dimension, stored.rotor)))) return stored;
    stored.basis.assign(affine_of(dimension, local).values().first(dimension * dimension));
    stored.rotor.clear();
    stored.scale.clear();
  }
  if (is_identity(stored.basis, dimension)) stored.basis.clear();
  return stored;
}

namespace {

bool same_bind(const Model& before, const Model& after, std::size_t skeleton) {
  if (skeleton >= before.skeletons.size()) return false;
  const Skeleton& a = before.skeletons[skeleton];
  const Skeleton& b = after.skeletons[skeleton];
  return a.node == b.node && a.joints == b.joints && a.joint_from_mesh == b.joint_from_mesh;
}

/// Stores the bind pose of a skeleton's bones as local transforms.
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
  // A bone without a slot keeps its transform relative to its parent.
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
  for (const JsonValue value : reader.root()["nodes"].elements()) {
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
