// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "operations/merge/merge_plan.hpp"
#include "operations/merge/merge_rig.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// The nodes of the clothes that correspond to nodes of the body.
struct Match {
  std::vector<std::string> names;  ///< of the clothes' nodes, renamed
  std::vector<bool> joint;         ///< of the clothes: a joint of some rig
  std::vector<Index> twin;         ///< by node of the clothes: the corresponding node of the body, or none
};

/// Matches bones by name; each bone at most once. `body_rig`: the skeleton that the clothes are attached to.
[[nodiscard]] Result<Match> match_bones(const Model& body, const Rig& body_rig, const Model& clothes, const PlanOptions& options);

/// Returns how many joints of the clothes have a counterpart.
[[nodiscard]] std::size_t matched_joints(const Match& match);
/// Returns the same number for `--names auto`; 0 if these options already use it.
[[nodiscard]] std::size_t matched_by_auto(const Model& body, const Rig& body_rig, const Model& clothes, const PlanOptions& options);

/// Fails if several bones bend clothes for a body of rigid parts.
[[nodiscard]] Result<> check_bends(const Rig& rig, const Model& clothes, const Match& match);

/// Fails if clothes have bones but none of them follows the body, or none of those of one skinned mesh, unless one is kept separate on
/// purpose.
[[nodiscard]] Result<> check_matches(const Model& body, const Rig& body_rig, const Model& clothes, const Match& match,
                                     const PlanOptions& options);

}  // namespace sinew::operations
