// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "operations/skeletons/skeleton_groups.hpp"
#include "operations/skeletons/strict_skeletons.hpp"

namespace sinew::operations {

/// Which nodes can become root joints. What it is made from must outlive it.
class Roots {
 public:
  Roots(const Model& model, const StrictOptions& options, const std::vector<StrictGroup>& groups);

  /// Why the parent of a group's several tops cannot be their root joint; nothing: it can.
  [[nodiscard]] std::optional<std::string> obstacle_to(const StrictGroup& group) const;

 private:
  /// Whether a mesh of the group does not hang below the tops' parent.
  [[nodiscard]] bool moves_past_mesh(const StrictGroup& group) const;

  const Model& model_;
  const StrictOptions& options_;
  std::vector<bool> joint_of_;           ///< by node: of any group
  std::map<Index, std::size_t> wanted_;  ///< parents of several tops: by how many groups
};

/// Says that the joints of a group hang in several trees.
[[nodiscard]] std::string several_trees(const Model& model, const StrictGroup& group);

}  // namespace sinew::operations
