// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "operations/convert/gltf_rig.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// A glTF model.
struct ToGltf {
  Model model;
  std::vector<Index> node_of;  ///< by node of G4MF: its counterpart; for a removed node its parent's, or none
};

/// Converts a model of three dimensions to glTF. Its vertices are unchanged in every pose and clip.
///
/// * Nodes keep their order. Nodes that `rig` marks as added are removed; new ones are appended. A sheared node becomes two: the upper one
///   rotates and scales, the lower one rotates back. Skinned meshes without children and animation become roots, because glTF ignores their
///   place.
/// * A skeleton becomes one skin with all bones, each once, and bind matrices from the stored pose. Meshes that it binds equally share it;
///   a mesh at another place in the skeleton gets a skin with its own matrices. If `rig` lists skins, they keep those names and joints.
///   Vertices that stay with the mesh's node (slots without a bone, no weights) follow a still joint, a new node beside the mesh's.
/// * Weights are divided by their sum, merged by joint, in sets of four.
/// * A surface gets its own vertices, one for each combination of vertex, normal and texture coordinates, in the order of vertices.
///   Vertices without a surface stay with the first one. Edges become lines; surfaces without simplexes and edges become points.
/// * A mesh whose materials a node overrides is copied.
///
/// `losses`: data that glTF cannot store, with places in the model's file. Strict skeletons are left out. Failure::unsupported: another
/// dimension. Also fails like closure_defect.
[[nodiscard]] Result<ToGltf> to_gltf(const Model& model, const GltfRig& rig, FindingSink& losses);

}  // namespace sinew::operations
