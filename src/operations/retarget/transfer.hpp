// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "operations/retarget/sides.hpp"

#include "sinew/retarget.hpp"

namespace sinew::operations {

inline constexpr std::size_t npos = std::string::npos;
inline constexpr double differs = 15 * std::numbers::pi / 180;  ///< directions of limbs that nobody would call alike

/// A pair of bones with what the formula needs of it. Rotations are those of the rest poses, in the world, without scale.
struct TransferredBone {
  BonePair pair;
  std::size_t above_a = npos;  ///< the pair of the nearest node above in the motion, in the target; npos: none
  std::size_t above_b = npos;
  Affine a, a_parent;    ///< of the bone, and of its parent node
  Affine b, b_parent;    ///< in the pose of the target that stands for its rest (RetargetOptions::align)
  bool aligned = false;  ///< that pose turns it, or a node above
  /// The foot of a leg whose knee only the motion has: it keeps its angle to the leg. Turned as the motion's, it would point down from a
  /// leg that did not bend, into the ground.
  bool stiff = false;
};

/// The skeletons of a motion and of a target, ready to transfer clips: R_B·… of docs/retarget.md.
class Transfer {
 public:
  /// `least`: the angle between directions from which RetargetOptions::align turns a limb. Failure::unsupported if a transform of a bone
  /// is mirrored or flat, or the dimensions differ.
  [[nodiscard]] static Result<Transfer> create(const Model& motion, const Model& target, std::span<const BonePair> pairs,
                                               const RetargetOptions& options, FindingSink& warnings, double least = differs);

  /// Precondition: the clip has no defect. Failure::input RETARGET_MOVES_NOTHING.
  [[nodiscard]] Result<Clip> clip(Index index, FindingSink& warnings, std::vector<std::string>& lost_expressions);
  /// Reports what the transferred clips do and the target does not.
  void report_ignored(FindingSink& warnings) const;

  [[nodiscard]] const Scale& scale() const { return scale_; }
  /// Returns how far the hips move, relative to those of the motion (RetargetOptions::root_motion).
  [[nodiscard]] double factor() const;
  [[nodiscard]] std::vector<BonePair> pairs() const;
  [[nodiscard]] const Affine& facing() const { return facing_.target_from_motion; }
  [[nodiscard]] const std::vector<TransferredBone>& bones() const { return bones_; }
  [[nodiscard]] const RestSide& motion() const { return a_; }
  [[nodiscard]] const RestSide& target() const { return b_; }

 private:
  Transfer(const Model& motion, const Model& target, const RetargetOptions& options);
  [[nodiscard]] Result<> add_bones(std::span<const BonePair> pairs);
  void align(double least, FindingSink& warnings);
  [[nodiscard]] std::size_t next_of(std::size_t bone) const;
  [[nodiscard]] std::size_t hips_of(const Clip& clip) const;

  RestSide a_, b_;
  const RetargetOptions& options_;
  std::vector<TransferredBone> bones_;
  Facing facing_;
  Scale scale_;
  std::set<std::string> scaled_, shifted_;  ///< bones whose scale and whose motion against their parents are left out
};

/// Appends clips of a motion to those of the target. A name that the target has gets `prefix`, then a number. Fails as transfer_clip.
[[nodiscard]] Result<> append_transferred(const Model& motion, std::span<const Index> clips, std::span<const BonePair> pairs,
                                          const RetargetOptions& options, const std::string& prefix, Model& target, FindingSink& warnings);

/// Returns the names of the humanoid's bones by node: what the file says, or by the profile that fits its names best.
[[nodiscard]] std::map<Index, std::string> human_names(const Model& model);

/// Returns the tracks of blend shapes that the expressions of the motion (VRM Animation) set on the target.
[[nodiscard]] std::vector<Track> transfer_expressions(const Model& motion, const Clip& clip, const Model& target,
                                                      std::vector<std::string>& lost);

}  // namespace sinew::operations
