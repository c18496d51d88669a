// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/convert.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

// Retargeting: the clips of one skeleton for another one (docs/retarget.md).

/// What becomes of the motion of the hips.
enum class RootMotion : std::uint8_t {
  scale,  ///< scaled by the heights of the hips, or by what stands for them
  keep,   ///< the same number of metres
  none    ///< the hips stay at rest, and only turn
};

/// A bone of the motion and the bone of the target that follows it.
struct BonePair {
  enum class How : std::uint8_t {
    map,       ///< a line of the file of pairs
    humanoid,  ///< both files say so (VRM, VRM Animation, KHR_character)
    profile,   ///< by a profile of names, in one file or both
    name       ///< equal names
  };
  std::string bone;  ///< name in VRM 1.0; empty: not a bone of a humanoid
  Index motion = none;
  Index target = none;
  How how = How::name;
};

/// "map", "humanoid", "profile" or "name".
[[nodiscard]] std::string_view to_string(BonePair::How how) noexcept;

struct RetargetOptions : EditOptions {
  std::vector<std::string> clips;  ///< of each motion, by name or index; empty: all. Every motion must have them
  std::filesystem::path map;       ///< a file with lines MOTION_BONE TARGET_BONE; quoted names may hold blanks; # starts a comment
  std::string names = "auto";      ///< the profile of names of both files (`bone_profiles`), or "auto": the one that fits a file best
  RootMotion root_motion = RootMotion::scale;
  bool align = false;  ///< turn the limbs of the target at rest as those of the motion first
};

/// Returns the names of the profiles that RetargetOptions::names may have, without "auto".
[[nodiscard]] std::span<const std::string_view> bone_profiles() noexcept;

/// How far a clip makes the feet slide where the motion's feet stand, in heights of the hips per second; empty: they never stand.
struct FootSlide {
  std::optional<double> left, right;
  double contact_seconds = 0;  ///< the mean of both feet
};

/// A clip that was transferred.
struct RetargetedClip {
  std::string name;          ///< in the new file
  std::size_t motion = 0;    ///< of Retargeted::motions
  Index clip = none;         ///< in the motion
  Index made = none;         ///< in the new file
  double duration = 0;       ///< in seconds
  std::size_t channels = 0;  ///< written
  FootSlide slide;
  double slide_seconds = 0;  ///< when a foot slides most
  double depth = 0;          ///< how far a vertex of the target goes below its lowest vertex at rest, in metres
  double depth_seconds = 0;  ///< when that is
  /// Both skeletons at the worst moment, for a picture: lines from bone to bone in the world of their own file, x y z twice. The motion is
  /// turned as the target faces. Empty in other spaces than three dimensions.
  double shown_seconds = 0;
  std::vector<std::array<double, 6>> motion_lines, target_lines;
};

/// One of the files with motions.
struct RetargetedMotion {
  std::filesystem::path file;
  /// A pair of bones by the names of their nodes.
  struct Bone {
    std::string bone, motion, target;
    BonePair::How how = BonePair::How::name;
  };
  std::vector<Bone> bones;
  std::vector<std::string> unmapped;          ///< nodes that a clip moves, and bones of a humanoid, without a counterpart
  double scale = 1;                           ///< of the motion of the hips
  std::string scale_from;                     ///< "hips", "legs", "head", "diagonals" or "none"
  std::vector<std::string> lost_expressions;  ///< that a clip moves and the target lacks
  double lean = 0;  ///< degrees by which the stored pose leans, if the bind pose was the rest pose instead (RetargetOptions::align)
};

struct Retargeted : Written {
  std::vector<RetargetedMotion> motions;
  std::vector<std::string> unmapped;  ///< bones of the target that no motion moves
  std::vector<RetargetedClip> clips;
  FindingList warnings;  ///< RETARGET_…
};

/// Writes the target with the clips of the motions, made for its skeleton, after its own clips. Nothing else changes. A bone of the target
/// turns in the world as its counterpart does, from its own rest pose; only the hips (and pairs of `map` without a humanoid's name) move.
/// The method and its limits: docs/retarget.md. `losses` as in convert.
///
/// Failure::input RETARGET_NO_MATCH: no bone has a counterpart; RETARGET_MOVES_NOTHING: no clip moves a bone that has one; RETARGET_MAP: a
/// name in `map` that no node or several have; then nothing is written. Failure::usage: an unknown profile or clip.
[[nodiscard]] Result<Retargeted> retarget(const std::filesystem::path& target, std::span<const std::filesystem::path> motions,
                                          const std::filesystem::path& to, const RetargetOptions& options, FindingSink& sink,
                                          FindingSink& losses);

/// Returns the report as JSON text, on one line (docs/retarget.md).
[[nodiscard]] Result<std::string> report_json(const Retargeted& done);

/// Finds the counterparts of bones by what both models say, and by names; the lines of RetargetOptions::map are `given`.
[[nodiscard]] Result<std::vector<BonePair>> pair_bones(const Model& motion, const Model& target, const RetargetOptions& options,
                                                       std::span<const std::pair<std::string, std::string>> given = {});

/// A clip of a motion for another skeleton, in memory: the tracks are for the nodes of `target`.
struct TransferredClip {
  Clip clip;
  double scale = 1;
  std::string scale_from;
  FindingList warnings;
  std::vector<std::string> lost_expressions;
};
/// Failure::input: a clip with a defect; RETARGET_MOVES_NOTHING. Failure::unsupported: a skeleton that is mirrored, other dimensions.
[[nodiscard]] Result<TransferredClip> transfer_clip(const Model& motion, Index clip, const Model& target, std::span<const BonePair> pairs,
                                                    const RetargetOptions& options);

/// A model with clips of another one, made for its skeleton, in memory.
struct RetargetedModel {
  Model model;  ///< the target; the new clips follow its own ones, under names of their own
  FindingList warnings;
};
/// Does what `retarget` does, without files and without the measurements of feet. RetargetOptions::map is not read. Fails as `retarget` and
/// transfer_clip; Failure::input RETARGET_NO_ANIMATION: the motion has no clip.
[[nodiscard]] Result<RetargetedModel> retarget_model(const Model& motion, const Model& target, const RetargetOptions& options = {});

}  // namespace sinew::operations
