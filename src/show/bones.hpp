// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::show {

/// Joints and bones at a pose: the head of every joint, and its bones from head to tail.
struct Bones {
  std::vector<std::array<double, 3>> heads;
  std::vector<std::array<std::array<double, 3>, 2>> shafts;
};

/// The tail of a bone is at its `length` along the node's +Y axis if the file has one, otherwise at the heads of its child joints. The last
/// bone of a chain is half as long as its predecessor at rest, and in no pose longer than it. Joints: those of skeletons, of all skins, and
/// nodes marked as bones. `to_three` projects a point of the model's space to three dimensions.
[[nodiscard]] Bones find_bones(const Model& model, const Pose& pose, Index scene,
                               const std::function<std::array<double, 3>(const std::vector<double>&)>& to_three);

/// Returns whether find_bones finds a bone.
[[nodiscard]] bool has_joints(const Model& model, Index scene);

/// Returns triangles, three numbers per corner: each bone as a slim double pyramid.
[[nodiscard]] std::vector<float> bone_triangles(const Bones& bones);

}  // namespace sinew::show
