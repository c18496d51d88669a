// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "operations/retarget/turns.hpp"

#include "sinew/retarget.hpp"

namespace sinew::operations {

/// One of the two skeletons at rest.
struct RestSide {
  const Model& model;
  std::vector<Affine> world;                                  ///< of all nodes
  Index (*node)(const BonePair&);                             ///< the node of a pair on this side
  [[nodiscard]] std::vector<double> place(Index node) const;  ///< in the world
};
[[nodiscard]] RestSide motion_side(const Model& model);
[[nodiscard]] RestSide target_side(const Model& model);

/// Returns the rotation from the world of the motion to that of the target: a half turn between VRM 0.x, which faces −Z, and VRM 1.0 or VRM
/// Animation, which face +Z. Of other skeletons, up and the facing are measured, and the nearest multiple of a quarter turn counts. The
/// identity in other spaces than three dimensions, and where arms and legs have no pairs. `measured`: whether it was.
struct Facing {
  Affine target_from_motion;
  bool measured = false;
  double degrees = 0;  ///< of the rotation
};
[[nodiscard]] Facing facing_of(const RestSide& motion, const RestSide& target, std::span<const BonePair> pairs);

/// Returns how much larger the target is: the ratio of the heights of the hips above the ground, or what stands for it.
struct Scale {
  double factor = 1;
  std::string from;     ///< RetargetedMotion::scale_from
  double height_a = 0;  ///< of the hips of the motion; 0: unknown
  double height_b = 0;
};
[[nodiscard]] Scale scale_of(const RestSide& motion, const RestSide& target, std::span<const BonePair> pairs, std::size_t hips);

/// Returns the direction that is up, as one of the axes: +Y where the format promises it (VRM), else from the hips to the head.
[[nodiscard]] std::vector<double> up_of(const RestSide& side, std::span<const BonePair> pairs);

/// Returns the pair with this name of a bone, or nullptr.
[[nodiscard]] const BonePair* find_bone(std::span<const BonePair> pairs, std::string_view bone);

}  // namespace sinew::operations
