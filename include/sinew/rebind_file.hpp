// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/compare.hpp"
#include "sinew/convert.hpp"
#include "sinew/finding.hpp"
#include "sinew/load.hpp"
#include "sinew/rebind.hpp"
#include "sinew/result.hpp"

namespace sinew::edit {

struct RebindFileOptions {
  io::LoadOptions load;
  ops::BindPose to = ops::BindPose::keep;
  std::string animation;  ///< name or index, for BindPose::clip
  double seconds = 0;
  bool unify = false;
  double tolerance = ops::RebindOptions{}.tolerance;

  /// A joint slot by the name of its node or group, or by its number where there is one skin or `skin` says which.
  struct Joint {
    std::string slot;
    std::string bone;  ///< name or index of a node; "none"
  };
  std::vector<Joint> joints;
  std::string skin;  ///< name or index of the skin (G4MF: skeleton) that `joints` are slots of; empty: all that have one of that name
  bool prune_unused = false;  ///< leave out what nothing in the file refers to, also what the old one had already
  unsigned threads = 0;       ///< for measuring the movement; 0 = all cores
  OnLoss on_loss = OnLoss::write;
};

/// What was done.
struct ReboundFile {
  std::size_t changes = 0;                  ///< skins and meshes
  std::optional<ops::Comparison> movement;  ///< of vertices against the old file; nothing: no change
  Converted written;
};

/// Writes a file of the same format with other bind matrices that deforms as the old one does (ops::rebind), in the container that the
/// extension of `to` names. What does not change stays, with its index. `changes` hears of every change; what reading has to say goes to
/// `sink`. Failures are those of ops::rebind; Failure::usage: names that nothing or several things have.
[[nodiscard]] Result<ReboundFile> rebind(const std::filesystem::path& from, const std::filesystem::path& to,
                                         const RebindFileOptions& options, FindingSink& sink, FindingSink& changes);

}  // namespace sinew::edit
