// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "operations/merge/merge_plan.hpp"
#include "operations/merge/merge_rig.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Which nodes of the clothes are nodes of the body.
struct Match {
  std::vector<std::string> names;  ///< of the clothes' nodes, renamed
  std::vector<bool> joint;         ///< of the clothes: a joint of some rig
  std::vector<Index> twin;         ///< of each node of the clothes: the body's; none: it has none
};

/// By name; a bone is matched once. `body_rig`: the skeleton that the clothes are put on.
[[nodiscard]] Result<Match> match_bones(const Model& body, const Rig& body_rig, const Model& clothes, const PlanOptions& options);

/// How many joints of the clothes have a twin.
[[nodiscard]] std::size_t matched_joints(const Match& match);
/// The same if the names were read by `--names auto`; 0 if these options do so already.
[[nodiscard]] std::size_t matched_by_auto(const Model& body, const Rig& body_rig, const Model& clothes, const PlanOptions& options);

/// Refuses clothes whose bones have no twin, unless one of them is kept separate on purpose. Clothes without bones pass.
[[nodiscard]] Result<> check_matches(const Model& body, const Rig& body_rig, const Model& clothes, const Match& match,
                                     const PlanOptions& options);

}  // namespace sinew::operations
