// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/model.hpp"

namespace sinew {

/// What a pose file says about one node: a named property replaces the pose's, the others keep.
struct NodeEdit {
  Index node = none;
  std::optional<SmallVector<double, 3>> translation;
  std::optional<SmallVector<double, 4>> rotor;
  std::optional<SmallVector<double, 3>> scale;
  std::optional<SmallVector<double, 1>> basis;  ///< N², column-major: replaces rotation and scale
  std::string pointer;                          ///< where it was said, for messages
};

/// One blend amount of the mesh that a node carries.
struct AmountEdit {
  Index node = none;
  Index shape = 0;
  double amount = 0;
};

/// Changes to a pose, made once and applied to any number of poses, in order (the last one wins).
struct PoseEdit {
  std::string file;  ///< for messages; empty when there is none
  std::vector<NodeEdit> nodes;
  std::vector<AmountEdit> amounts;
};

/// Applies all edits. A rotation or a scale given alone for a node with a basis keeps the other part of it, if the basis has orthogonal
/// columns (a mirrored one counts its first axis as the negative one); otherwise Failure::input asks for `basis`.
[[nodiscard]] Result<> apply(const PoseEdit& edit, const Model& model, Pose& pose);

/// "SHAPE=AMOUNT" or "NODE:SHAPE=AMOUNT", the program's --blend: shapes and nodes by name or index; appended to `edit`.
/// Failure::usage for anything that does not fit the model.
[[nodiscard]] Result<> parse_blend(std::string_view text, const Model& model, PoseEdit& edit);

/// A node, or a shape of one mesh, by name or index: as find_by_name.
[[nodiscard]] Result<Index> find_node(std::string_view wanted, const Model& model);
[[nodiscard]] Result<Index> find_shape(std::string_view wanted, const Mesh& mesh);

/// Puts the joints of every explicit skeleton (STAIK_skeletons) with matrices of its own into its default bind pose:
/// world_from_joint = world_from_parent_of_root · inverse(joint_from_mesh). Returns how many skeletons were posed.
[[nodiscard]] Result<std::size_t> set_default_pose(const Model& model, Pose& pose);

}  // namespace sinew
