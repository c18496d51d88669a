// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

struct StrictOptions {
  /// Nodes that carry what a model does not show (a camera, a light): true by node; may be empty. They do not become root joints unasked.
  std::vector<bool> occupied;
};

/// The model with strict skeletons (STAIK_skeletons): skins that share joints get one skeleton, with the joints that lie between theirs and
/// one root. Where they have several topmost joints, their common parent becomes the root joint, unless it carries something or a clip
/// moves it past the mesh: then a node without a transform is put above them, the last of the new model's. Skeletons that the model has
/// stay and get what they lack. Every skin has its skeleton's root as `root_hint` and bind matrices of its own, and every skeleton has
/// matrices of its default bind: those of the first skin, where that has none what the pose at rest makes of them. No vertex moves.
///
/// `sink` hears as hints which node became a root and which joints were added. Failure::unsupported where joints hang in several trees that
/// no node can join, or skins are bound by something else than matrices; a defect of a skin or a joint is returned.
/// Precondition: a model of glTF.
[[nodiscard]] Result<Model> make_strict(const Model& model, const StrictOptions& options, FindingSink& sink);

/// The model without skeletons of its own, as any reader of glTF takes it: skins without matrices get those that their skeleton gave them.
/// Precondition: a model of glTF.
[[nodiscard]] Result<Model> make_plain(const Model& model);

}  // namespace sinew::operations
