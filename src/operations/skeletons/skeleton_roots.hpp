// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "operations/skeletons/skeleton_groups.hpp"
#include "operations/skeletons/strict_skeletons.hpp"

namespace sinew::operations {

/// Finds nodes that can become root joints. Keeps references to the arguments of the constructor.
class Roots {
 public:
  Roots(const Model& model, const StrictOptions& options, const std::vector<StrictGroup>& groups);

  /// Returns why the common parent of a group's tops cannot become their root joint; nothing: it can.
  [[nodiscard]] std::optional<std::string> obstacle_to(const StrictGroup& group) const;

 private:
  /// Returns whether a mesh of the group is not a descendant of the tops' parent.
  [[nodiscard]] bool moves_past_mesh(const StrictGroup& group) const;

  const Model& model_;
  const StrictOptions& options_;
  std::vector<bool> joint_of_;           ///< by node: whether it is a joint of any group
  std::map<Index, std::size_t> wanted_;  ///< by parent of several tops: the number of such groups
};

/// Returns a sentence that the joints of a group belong to several trees.
[[nodiscard]] std::string several_trees(const Model& model, const StrictGroup& group);

}  // namespace sinew::operations
