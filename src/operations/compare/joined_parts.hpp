// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/model.hpp"

namespace sinew::operations {

/// A model in which the parts of split instances are one instance again.
struct JoinedParts {
  Model model;
  std::vector<Index> nodes;  ///< the nodes that draw all parts; empty: nothing was split
};

/// Finds instances of `whole` that `split` draws with several nodes, as `optimize --joint-budget` writes them: nodes "NAME", "NAME_2", …
/// (of a node without a name: "Part_2", …) that have as many corners together, the same blend amounts, and skins of the
/// same kind. Parts without a skin are children of the first one, at its place.
[[nodiscard]] JoinedParts join_parts(const Model& whole, Index scene_of_whole, const Model& split, Index scene_of_split);

}  // namespace sinew::operations
