// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "sinew/geometry.hpp"
#include "sinew/model.hpp"

namespace sinew::show {

/// Returns whether the transform of an instance's node, with that of its copy, turns its triangles over. In glTF a skinned mesh ignores it;
/// in G4MF it follows it. `world`: of all nodes.
[[nodiscard]] inline bool is_mirrored(const Model& model, const Instance& instance, std::span<const Affine> world) {
  if (instance.skin != none && model.skins[instance.skin].bind != Skin::Bind::skeleton_pose) return false;
  const Affine* const copy = copy_of(model, instance);
  return (determinant(world[instance.node]) < 0) != (copy != nullptr && determinant(*copy) < 0);
}

}  // namespace sinew::show
