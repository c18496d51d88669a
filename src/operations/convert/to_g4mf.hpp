// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "gltf/read/read.hpp"
#include "operations/convert/gltf_rig.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

struct ToG4mfOptions {
  std::size_t max_influences = 0;                   ///< keep the strongest of each vertex, which take over the weight of the others; 0: all
  std::vector<gltf::TextureCoordinates> maps = {};  ///< by material: the texture coordinates of its textures; default: the first
};

/// A G4MF material with the colours of a surface's corners.
struct ColoredMaterial {
  Index material = none;
  Index of = none;  ///< the original glTF material; none: the surface has none
  Array colors;     ///< by corner, rows of 3 or 4 numbers
};

/// A G4MF model, and facts about the glTF rig that G4MF cannot store.
struct ToG4mf {
  Model model;
  GltfRig rig;
  std::vector<ColoredMaterial> colors;
  std::vector<Index> node_of;  ///< by node of glTF: its counterpart; none: removed
};

/// Converts a glTF model to G4MF. It deforms as before in every pose and clip.
///
/// Node 0 is a new root above the roots of the default scene; other scenes are lost. Skins become skeletons; skins that share joints get
/// one. The skeleton is the lowest node above all joints, or a new node if that is a joint, has a mesh or is the scene. Joints and nodes
/// between are bones. Skinned meshes become children of the skeleton without their other content; meshes of joints move to child nodes. If
/// nodes are in the bind pose, they stay. Otherwise Skeleton::joint_from_mesh is the bind pose to store, Skin::bind is Bind::matrices, and
/// nodes keep the pose, which G4MF itself cannot store. Skins that bind a joint differently get a skeleton of copied bones. The primitives
/// of a mesh become surfaces with common vertices, if all or none are skinned; points become a separate mesh. Equal vertices are merged;
/// normals and texture coordinates belong to corners. Influences form one list without zeros, merged and sorted. The order of instances and
/// the clips stay. Materials keep their indices. Surfaces with colours get their own material, an appended one if surfaces share it.
///
/// `losses`: data that G4MF cannot store, and vertices whose weights do not sum to 1, with the distance that they move.
/// Failure::unsupported: a singular bind matrix. Failure::input: a model that cannot be deformed (closure_defect). Precondition: a model
/// read from glTF.
[[nodiscard]] Result<ToG4mf> to_g4mf(const Model& model, const ToG4mfOptions& options, FindingSink& losses);

}  // namespace sinew::operations
