// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sinew/compare.hpp"

namespace sinew::operations {

/// Corresponding indices of two lists.
struct Paired {
  std::vector<std::pair<Index, Index>> pairs;  ///< sorted by the first index
  std::vector<Index> only_a, only_b;
};

/// Pairs entries with the same name if it is unique in both lists, and the others in order.
[[nodiscard]] Paired pair_by_name(std::span<const std::string> a, std::span<const std::string> b);

/// The counterparts of nodes in another model, at most one each.
struct NodePairs {
  std::vector<Index> b_of;  ///< by node of A: its counterpart in B, or none
  std::vector<Index> a_of;  ///< the inverse
};

/// Pairs nodes in this order: nodes of paired instances; nodes with a name that is unique in both models; joints of paired
/// instances with the same place, axes and bind matrix at rest; joints in the same slot, if both skins have equally many; parents of paired
/// nodes.
[[nodiscard]] NodePairs pair_nodes(const Model& a, const Model& b, std::span<const InstancePair> instances);

}  // namespace sinew::operations
