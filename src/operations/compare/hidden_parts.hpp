// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "operations/compare/node_pairs.hpp"

#include "sinew/model.hpp"

namespace sinew::operations {

/// An axis along which the local transform of a node makes next to nothing of what follows the node: a scale of 0 hides it. A pose can set
/// another scale.
struct HiddenAxis {
  Index node = none, axis = 0;
  double size = 1;  ///< the scale that shows what is hidden
};

/// What is hidden in two models that are compared.
struct HiddenParts {
  std::vector<HiddenAxis> a, b;

  [[nodiscard]] bool empty() const { return a.empty() && b.empty(); }
};

/// Returns what the rest pose hides, by node and axis.
[[nodiscard]] std::vector<HiddenAxis> hidden_at_rest(const Model& model);
/// Returns what the rest poses of both models hide. An axis of a node with a counterpart is hidden in both models, or does not count.
[[nodiscard]] HiddenParts hidden_at_rest(const Model& a, const Model& b, const NodePairs& nodes);
/// Returns what a clip of each model hides: all keys of the scale of a node, or the rest pose if the clip does not scale the node.
/// `at_rest`: the sizes of what the rest poses hide.
[[nodiscard]] HiddenParts hidden_in_clips(const Model& a, const Clip& clip_a, const Model& b, const Clip& clip_b, const NodePairs& nodes,
                                          const HiddenParts& at_rest);

/// Sets the scales that show what is hidden.
void show(const std::vector<HiddenAxis>& hidden, std::size_t dimension, std::vector<LocalTransform>& locals);

/// Returns the world transforms of the rest pose if nothing were hidden in it.
[[nodiscard]] std::vector<Affine> world_without_hiding(const Model& model);

/// Returns whether the rest pose hides what follows a node, or a part of it.
[[nodiscard]] bool hides(const Model& model, Index node);

/// Returns whether the stored pose has a blend amount that is not 0: such a shape can hide a part.
[[nodiscard]] bool is_blended(const Model& model);

}  // namespace sinew::operations
