// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "ops/merge_rig.hpp"

#include "sinew/merge_plan.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::ops {

/// Which nodes of the clothes are nodes of the body.
struct Match {
  std::vector<std::string> names;  ///< of the clothes' nodes, renamed
  std::vector<bool> joint;         ///< of the clothes: a joint of some rig
  std::vector<Index> twin;         ///< of each node of the clothes: the body's; none: it has none
};

/// By name; a bone is matched once. `body_rig`: the skeleton that the clothes are put on.
[[nodiscard]] Result<Match> match_bones(const Model& body, const Rig& body_rig, const Model& clothes, const MergeOptions& options);

/// How many joints of the clothes have a twin.
[[nodiscard]] std::size_t matched_joints(const Match& match);
/// The same if the names were read by `--names auto`; 0 if these options do so already.
[[nodiscard]] std::size_t matched_by_auto(const Model& body, const Rig& body_rig, const Model& clothes, const MergeOptions& options);

/// Refuses clothes whose bones have no twin, unless one of them is kept separate on purpose. Clothes without bones pass.
[[nodiscard]] Result<> check_matches(const Model& body, const Rig& body_rig, const Model& clothes, const Match& match,
                                     const MergeOptions& options);

}  // namespace sinew::ops
