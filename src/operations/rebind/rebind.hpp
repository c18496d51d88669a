// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/repair.hpp"

namespace sinew::operations {

/// The options of rebind, found in a model.
struct RebindPlan {
  BindPose to = BindPose::keep;
  Index clip = none;        ///< BindPose::clip
  double seconds = 0;       ///< BindPose::clip
  bool unify = false;       ///< skins that share joints get the first one's matrices where they differ by one common factor
  double tolerance = 1e-4;  ///< how far a vertex may lie from where it was, as a part of the diagonal of its mesh at rest

  /// A slot that follows another node from now on. Vertices stay where they are in the bind pose.
  struct Joint {
    Index skin = none;
    std::size_t slot = 0;
    Index node = none;  ///< none: nothing moves it (G4MF: −1; glTF: a new node beside the topmost joint)
  };
  std::vector<Joint> joints;
};

/// A model with other bind matrices that deforms as `model` does.
///
/// With the old matrix B and the new one B' of a slot its influences see B'⁻¹·B·v in place of v. A vertex is stored once, so this is exact
/// where all its influences agree on it: where one factor is common to all slots, and at any vertex that follows one joint alone. Else the
/// mean by weight is stored, and the vertex comes to lie elsewhere in other poses; how far at most in the rest pose (each influence for
/// itself) is measured, said, and refused above the tolerance. Normals, tangents and blend offsets move with their vertices.
///
/// Rest and clip: B' = G⁻¹·S with the joints' transforms G in that pose and S = G·B of the topmost joint, so that a mesh already bound to
/// it stays byte for byte. `changes` gets every skin and mesh that changed. Failure::usage: what the options name is not there;
/// Failure::unsupported: G4MF, whose bind pose is the stored pose, for anything but `joints` and rest; a joint without inverse, a distance
/// above the tolerance, meshes that several skins or nodes would need in different forms.
[[nodiscard]] Result<Model> rebind_model(const Model& model, const RebindPlan& options, FindingSink& changes);

}  // namespace sinew::operations
