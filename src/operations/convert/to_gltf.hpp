// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "operations/convert/gltf_rig.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// A model of glTF.
struct ToGltf {
  Model model;
  std::vector<Index> node_of;  ///< by node of G4MF: the node that it became; of one that went the node above it, or none
};

/// A model of three dimensions as glTF can hold it, moving exactly as before: in every pose and clip its vertices are where they were.
///
/// * Nodes keep their order; those that `rig` calls added go, new ones stand behind the others. A sheared node becomes two: one above it
///   turns and scales, it turns back. Skinned meshes that nothing hangs on and nothing moves become roots: glTF ignores their place.
/// * A skeleton becomes one skin with all its bones, each once, and bind matrices from the stored pose. Meshes that it binds alike share
///   it; a mesh that stands elsewhere in the skeleton gets a skin with matrices of its own. Where `rig` lists skins, they have those names
///   and joints. What stays with the mesh's node (slots without a bone, vertices without weight) follows a still joint, a new node beside
///   the mesh's.
/// * Weights are divided by their sum, those of one joint added up, in sets of four.
/// * A surface gets vertices of its own, one for each combination of vertex, normal and texture coordinates, in the order of the vertices;
///   vertices of no surface stay with the first one. Edges become lines, surfaces of neither simplexes nor edges points.
/// * Materials that a node gives to its mesh make a mesh of their own.
///
/// What a file of glTF cannot say goes to `losses`, with places in the model's file; strict skeletons are left out.
/// Failure::unsupported: another dimension; failures of closure_defect.
[[nodiscard]] Result<ToGltf> to_gltf(const Model& model, const GltfRig& rig, FindingSink& losses);

}  // namespace sinew::operations
