// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/edit_reporter.hpp"
#include "operations/rebind/rebind.hpp"
#include "operations/repair/repair_steps.hpp"

namespace sinew::operations {

/// What becomes of a skin: its slots' maps.
struct ReboundSkin {
  Index skin = none;
  std::vector<Affine> joint_from_mesh;    ///< the new matrices
  std::vector<Affine> after_from_before;  ///< from the old mesh space to the new one, as the slot has it
  std::vector<Affine> world_from_after;   ///< at rest, from the new mesh space
};

/// How far the vertices of a mesh went.
struct Movement {
  double diagonal = 0;                          ///< of the mesh at rest
  double moved = 0;                             ///< the farthest that a vertex was moved by, in mesh space
  double spread = 0;                            ///< the farthest that an influence sees a vertex from where it saw it, in the world
  std::size_t slot = 0, block = 0, vertex = 0;  ///< of `spread`
};

/// The mesh in the new mesh space.
[[nodiscard]] Mesh moved_mesh(const Mesh& mesh, const ReboundSkin& by, Movement& movement);

[[nodiscard]] Unexpected refused(const Model& model, SourceId at, std::string message);

[[nodiscard]] Result<> point_joints(Model& model, std::span<const RebindPlan::Joint> joints, const EditReporter& changes);

}  // namespace sinew::operations
