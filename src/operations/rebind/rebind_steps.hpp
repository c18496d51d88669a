// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/edit_reporter.hpp"
#include "operations/rebind/rebind.hpp"
#include "operations/repair/repair_steps.hpp"

namespace sinew::operations {

/// The new maps of a skin's slots.
struct ReboundSkin {
  Index skin = none;
  std::vector<Affine> joint_from_mesh;    ///< the new matrices
  std::vector<Affine> after_from_before;  ///< by slot: from the old mesh space to the new one
  std::vector<Affine> world_from_after;   ///< at rest, from the new mesh space
  bool same_matrices = false;             ///< the new matrices are the old ones but for rounding
};

/// How far the vertices of a mesh moved.
struct Movement {
  double diagonal = 0;                          ///< of the mesh at rest
  double moved = 0;                             ///< the largest movement of a vertex, in mesh space
  double spread = 0;                            ///< the largest movement of a vertex as seen by one influence, in world space
  std::size_t slot = 0, block = 0, vertex = 0;  ///< of `spread`
  std::vector<std::size_t> slots;               ///< all that move the vertex of `spread`
};

/// Returns the mesh in the new mesh space.
[[nodiscard]] Mesh moved_mesh(const Mesh& mesh, const ReboundSkin& by, Movement& movement);

/// Returns the slot of the first of the joints that are nearest to the root. `depth`: depths(model).
[[nodiscard]] inline std::size_t topmost(std::span<const std::uint32_t> depth, const Skin& skin) {
  const auto depth_of = [&](Index node) { return depth[node]; };
  return static_cast<std::size_t>(std::ranges::min_element(skin.slots, {}, depth_of) - skin.slots.begin());
}

/// Returns "node 3 ("Hip")", "node 3" or "no bone".
[[nodiscard]] std::string joint_name(const Model& model, Index node);

[[nodiscard]] Unexpected usage_failure(const Model& model, std::string message);
[[nodiscard]] Unexpected refused(const Model& model, SourceId at, std::string message);

/// Adds the stored amounts of blend shapes to the meshes, sets them to 0, and subtracts them from the keys of clips.
[[nodiscard]] Result<> bake_shapes(Model& model, const EditReporter& changes);
[[nodiscard]] Result<> point_joints(Model& model, std::span<const RebindPlan::Joint> joints, const EditReporter& changes);

}  // namespace sinew::operations
