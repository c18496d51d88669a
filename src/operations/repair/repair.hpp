// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/repair.hpp"

namespace sinew::operations {

/// A model in which is mended what can be mended without a guess at what was meant:
///
/// - weights: slots that no skin of the mesh has, weights of 0 and (glTF) below 0 go; a slot named twice is named once with the sum of its
///   weights; they add up to 1, integers to exactly the largest (largest remainder). Strongest first: in G4MF always, in glTF where a
///   vertex changes or has more than one set. A glTF vertex without any weight follows the topmost joint.
/// - normals and tangents have length 1, and their blend offsets shrink or grow with them, so that blended directions stay. A glTF normal
///   of length 0 becomes that of its triangles.
/// - rotations of nodes and of keys have length 1.
/// - G4MF: sparse blend offsets are in ascending order, each row once.
/// - glTF: a skin's root hint that is not above all joints becomes their lowest common ancestor, or goes.
///
/// Where nothing is wrong arrays are those of `model`, same bytes; indices never move; entities with a defect stay as they are. `changes`
/// hears of every array and object that changed: hints, with counts and the worst value.
[[nodiscard]] Result<Model> repair_model(const Model& model, const RepairOptions& options, FindingSink& changes);

/// Only the weights, and only of meshes with a vertex that has more than `most` influences: the strongest stay. `changes` as of repair.
[[nodiscard]] Model limit_influences(const Model& model, std::size_t most, FindingSink& changes);

}  // namespace sinew::operations
