// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

struct StrictOptions {
  /// By node: whether it has content that the model does not contain (a camera, a light); may be empty. Such nodes become root joints only
  /// on request.
  std::vector<bool> occupied;
};

/// Returns the model with strict skeletons (STAIK_skeletons). Skins that share joints get one skeleton, with the joints between theirs and
/// one root. If they have several topmost joints, their common parent becomes the root joint. If that parent has content, or if a clip
/// moves it relative to the mesh, a new last node without a transform is put above the topmost joints instead. Existing skeletons stay and
/// get missing data. Every skin gets its skeleton's root as `root_hint`, and its own bind matrices. Every skeleton gets the matrices of its
/// default bind pose: those of the first skin, else those of the rest pose. No vertex moves.
///
/// `sink` gets new roots and joints as hints. Failure::unsupported if joints belong to several trees that no node can join, or if skins are
/// not bound by matrices. Returns the defect of a skin or joint as the error. Precondition: a glTF model.
[[nodiscard]] Result<Model> make_strict(const Model& model, const StrictOptions& options, FindingSink& sink);

/// Returns the model without explicit skeletons, as a plain glTF reader sees it. Skins without matrices get those implied by their
/// skeleton. Precondition: a glTF model.
[[nodiscard]] Result<Model> make_plain(const Model& model);

}  // namespace sinew::operations
