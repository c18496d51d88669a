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

/// What a G4MF model keeps of the glTF rig that it was made from. The file has it in `extras` of its nodes, under "glTF":
///
/// - `added`: true for a node that stands for no node of glTF
/// - `skeletons` at node 0: how the glTF file stored skeletons: "plain", "bone" or "strict", as --skeletons has them
/// - `skins` of a skeleton node: a list of `name` and `joints`, which are names of nodes, or indices of nodes without a name
/// - `skin` of a skinned mesh: its place in that list; absent where the list has one item
struct GltfRig {
  struct Skin {
    std::string name;
    std::vector<Index> joints;  ///< nodes, in the order of the glTF skin
  };
  std::vector<Index> skin;                   ///< by node: place in the list of its skeleton; none: nothing is known
  std::map<Index, std::vector<Skin>> skins;  ///< by skeleton node
  std::vector<bool> added;                   ///< by node: it stands for no node of glTF
  Skeletons skeletons = Skeletons::keep;     ///< how the glTF file stored them; keep: the model was not made from a glTF file
};

/// The G4MF document with the rig in its `extras`. Nodes, meshes and materials that G4MF gives another name than `model` get
/// `extras.originalName`. Precondition: the document was written from `model`.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> with_gltf_rig(const std::shared_ptr<const document::Document>& g4mf,
                                                                              const Model& model, const GltfRig& rig);

/// Gives nodes, meshes and materials the names of `extras.originalName`, and groups named like such a node the same. Precondition: the
/// model was read from the document.
void restore_names(const document::Document& g4mf, Model& model);

/// The rig that a document has in its `extras`; what no longer fits the model, because the file was edited, is left out.
[[nodiscard]] GltfRig gltf_rig_of(const document::Document& g4mf, const Model& model);

}  // namespace sinew::operations
