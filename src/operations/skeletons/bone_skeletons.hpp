// SPDX-License-Identifier: MIT
#pragma once

#include "operations/skeletons/strict_skeletons.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Returns the model in the form of KHR_skeleton_bone. Skins that share joints get one root, the node above their joints, as `root_hint`.
/// Their joints and the nodes between them are bones. Skinned meshes are children of the root. Content of a bone moves to a child. A bone
/// gets its length from a leaf: a child with the translation (0, length, 0) and no other transform, content, children, clips or weights.
/// Explicit skeletons are removed. No vertex moves, but a mesh that gets its own node is drawn after the existing ones.
///
/// `sink` gets the moved objects as hints. Failure::unsupported if joints belong to several trees, a bone has content that the model does
/// not contain, or a mesh would appear in other scenes below its root. Returns the defect of a skin or joint as the error. Precondition: a
/// glTF model.
[[nodiscard]] Result<Model> make_bones(const Model& model, const StrictOptions& options, FindingSink& sink);

}  // namespace sinew::operations
