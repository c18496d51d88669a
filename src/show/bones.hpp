// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::show {

/// Joints and bones at a pose: every joint's head, and its bones from head to tail.
struct Bones {
  std::vector<std::array<double, 3>> heads;
  std::vector<std::array<std::array<double, 3>, 2>> shafts;
};

/// A bone's tail is `length` along its node's +Y axis where the file says so, else the heads of the joints below it; the last of a chain
/// goes on half as far as the one before. Joints: those of skeletons, of the skins of `instances`, and nodes that say that they are bones.
/// `to_three`: a point of the model's space as it is drawn.
[[nodiscard]] Bones find_bones(const Model& model, const std::vector<Instance>& instances, const Pose& pose, Index scene,
                               const std::function<std::array<double, 3>(const std::vector<double>&)>& to_three);

/// Whether find_bones would find one.
[[nodiscard]] bool has_joints(const Model& model, const std::vector<Instance>& instances, Index scene);

/// Triangles, three numbers a corner: each shaft as a slim double pyramid.
[[nodiscard]] std::vector<float> bone_triangles(const Bones& bones);

}  // namespace sinew::show
