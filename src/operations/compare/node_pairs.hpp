// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sinew/compare.hpp"

namespace sinew::operations {

/// Indices of two lists that belong together.
struct Paired {
  std::vector<std::pair<Index, Index>> pairs;  ///< ascending by the first
  std::vector<Index> only_a, only_b;
};

/// Pairs entries with the same name, if that name occurs once in each list, and the others in order.
[[nodiscard]] Paired pair_by_name(std::span<const std::string> a, std::span<const std::string> b);

/// Which node of one model takes the place of which node of another one. A node has one counterpart at most.
struct NodePairs {
  std::vector<Index> b_of;  ///< of each node of A its counterpart in B, or none
  std::vector<Index> a_of;  ///< the inverse
};

/// Pairs nodes in this order: the nodes of paired instances; nodes whose name occurs once in both models; joints with the same slot, where
/// the skins of a pair of instances have equally many; last, the parents of paired nodes.
[[nodiscard]] NodePairs pair_nodes(const Model& a, const Model& b, std::span<const InstancePair> instances);

}  // namespace sinew::operations
