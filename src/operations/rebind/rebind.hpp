// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/rebind.hpp"

namespace sinew::operations {

/// The options of rebind, resolved for a model.
struct RebindPlan {
  BindPose to = BindPose::keep;
  Index clip = none;           ///< BindPose::clip
  double seconds = 0;          ///< BindPose::clip
  bool unify = false;          ///< skins that share joints get the matrices of the first one if theirs differ by one common factor
  bool bake_shapes = false;    ///< as RebindOptions
  bool keep_vertices = false;  ///< as RebindOptions
  bool world = false;          ///< as RebindOptions
  double tolerance = 1e-4;     ///< largest allowed movement of a vertex, relative to the diagonal of its mesh at rest

  /// A slot that gets another node. Vertices do not move in the bind pose.
  struct Joint {
    Index skin = none;
    std::size_t slot = 0;
    Index node = none;  ///< none: the slot does not move (G4MF: −1; glTF: a new node beside the topmost joint)
  };
  std::vector<Joint> joints;
};

/// Returns a model with other bind matrices that deforms as `model`.
///
/// If a slot has the old matrix B and the new matrix B', its influences see B'⁻¹·B·v instead of v. A vertex is stored once, so this is
/// exact only if all its influences agree: if all slots have a common factor, or if a vertex follows one joint alone. Otherwise the mean by
/// weight is stored, and the vertex moves in other poses. The largest movement in the rest pose (of each influence alone) is measured,
/// reported, and refused above the tolerance. Normals, tangents and blend offsets are transformed with their vertices.
///
/// Rest and clip: B' = G⁻¹·S with the joints' transforms G in that pose and S = G·B of the topmost joint, so that a mesh that is already
/// bound to it stays byte for byte. With `world` or `keep_vertices` B' = G⁻¹. `changes` gets every skin and mesh that changed.
/// Failure::usage: the options refer to something that does not exist. Failure::unsupported: for G4MF, whose bind pose is the stored pose,
/// anything but `joints`, `bake_shapes` and rest; a joint without inverse; a movement above the tolerance; meshes that several skins or
/// nodes would need in different forms.
[[nodiscard]] Result<Model> rebind_model(const Model& model, const RebindPlan& options, FindingSink& changes);

}  // namespace sinew::operations
