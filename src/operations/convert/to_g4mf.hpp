// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "gltf/read/read.hpp"
#include "operations/convert/gltf_rig.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

struct ToG4mfOptions {
  std::size_t max_influences = 0;                   ///< the strongest of each vertex, which take over the weight of the others; 0: all
  std::vector<gltf::TextureCoordinates> maps = {};  ///< by material: the texture coordinates that its textures use; others: the first
};

/// A material of G4MF that has the colours of a surface's corners.
struct ColoredMaterial {
  Index material = none;
  Index of = none;  ///< the material of glTF that it says; none: the surface has none
  Array colors;     ///< by corner, 3 or 4 numbers each
};

/// A model of G4MF, and what it cannot say of the glTF rig that it was made from.
struct ToG4mf {
  Model model;
  GltfRig rig;
  std::vector<ColoredMaterial> colors;
  std::vector<Index> node_of;  ///< by node of glTF: the node of G4MF that stands for it; none: there is none
};

/// A glTF model as G4MF has it, which deforms as before in every pose and clip.
///
/// Node 0 is a new root above the roots of the default scene; other scenes are lost. Skins become skeletons: those that share joints one,
/// at the lowest node above all their joints, or at a new node where that is a joint itself, carries a mesh or is the scene; the joints and
/// the nodes between are bones. Skinned meshes become children of the skeleton, and what they carried stays behind; meshes of joints move
/// to children of theirs. Where the nodes stand in bind pose they stay as they are. Else Skeleton::joint_from_mesh is the bind pose that is
/// to be stored, Skin::bind is Bind::matrices, and the nodes keep the pose (which G4MF itself cannot say). Skins that bind a joint
/// differently get a skeleton of copied bones. The primitives of a mesh become surfaces over common vertices, as far as all are skinned or
/// none is; points become a mesh of their own. Equal vertices become one; normals and texture coordinates belong to corners. Influences are
/// one list without zeros, merged and sorted. The order of instances stays. Clips stay.
/// Materials keep their numbers. Surfaces with colours get a material each, a new one behind the others where surfaces share it.
///
/// `losses`: what G4MF cannot hold, and vertices whose weights do not sum to 1, with the distance that they move. Failure::unsupported: a
/// bind matrix without inverse; Failure::input: a model that cannot be deformed (closure_defect). Precondition: a model read from glTF.
[[nodiscard]] Result<ToG4mf> to_g4mf(const Model& model, const ToG4mfOptions& options, FindingSink& losses);

}  // namespace sinew::operations
