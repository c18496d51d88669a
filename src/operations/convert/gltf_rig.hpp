// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sinew/convert.hpp"
#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Facts about the glTF rig from which a G4MF model was made, stored in `extras` of nodes under "glTF":
///
/// - `added`: true for a node without a counterpart in glTF
/// - `skeletons` of node 0: how the glTF file stored skeletons: "plain", "bone" or "strict", as in --skeletons
/// - `skins` of a skeleton node: a list of `name` and `joints` (names of nodes, or indices of nodes without a name)
/// - `skin` of a skinned mesh: its index in that list; absent if the list has one item
struct GltfRig {
  struct Skin {
    std::string name;
    std::vector<Index> joints;  ///< nodes, in the order of the glTF skin
  };
  std::vector<Index> skin;                   ///< by node: index in the list of its skeleton; none: unknown
  std::map<Index, std::vector<Skin>> skins;  ///< by skeleton node
  std::vector<bool> added;                   ///< by node: it has no counterpart in glTF
  Skeletons skeletons = Skeletons::keep;     ///< how the glTF file stored them; keep: the model was not made from glTF
};

/// Returns the G4MF document with the rig in its `extras`. Nodes, meshes and materials whose names differ from those in `model` get
/// `extras.originalName`. Precondition: the document was written from `model`.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> with_gltf_rig(const std::shared_ptr<const document::Document>& g4mf,
                                                                              const Model& model, const GltfRig& rig);

/// Restores the names in `extras.originalName` of nodes, meshes and materials, and of groups with the name of such a node. Precondition:
/// the model was read from the document.
void restore_names(const document::Document& g4mf, Model& model);

/// Reads the rig from a document's `extras`, without parts that no longer fit the model after an edit.
[[nodiscard]] GltfRig gltf_rig_of(const document::Document& g4mf, const Model& model);

}  // namespace sinew::operations
