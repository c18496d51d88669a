// SPDX-License-Identifier: MIT
#pragma once

#include "operations/skeletons/strict_skeletons.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// The model as KHR_skeleton_bone wants it: skins that share joints have one root, the node above their joints, as `root_hint`; their
/// joints and what lies between are bones; skinned meshes are children of the root; what a bone carries moves to a child. A bone gets the
/// length that a leaf tells: a child without transform but (0, length, 0), without content, children, clips and weights. Explicit skeletons
/// go. No vertex moves, but a mesh that gets a node of its own is drawn after those that were there.
///
/// `sink` hears as hints what was moved. Failure::unsupported where joints hang in several trees, a bone carries what the model does not
/// show, or a mesh would appear in other scenes below its root; a defect of a skin or a joint is returned. Precondition: a model of glTF.
[[nodiscard]] Result<Model> make_bones(const Model& model, const StrictOptions& options, FindingSink& sink);

}  // namespace sinew::operations
