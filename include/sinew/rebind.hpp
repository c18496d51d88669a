// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sinew/convert.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// The bind pose: the pose in which the mesh equals its stored vertices.
enum class BindPose : std::uint8_t {
  keep,
  rest,      ///< the stored pose
  clip,      ///< a clip at a time
  skeleton,  ///< the default bind pose of the strict skeleton (STAIK_skeletons)
  identity   ///< all matrices are the identity: vertices are stored in the space of their joint
};

struct RebindOptions : EditOptions {
  BindPose to = BindPose::keep;
  std::string animation;  ///< name or index, for BindPose::clip
  double seconds = 0;
  bool unify = false;
  /// Adds the stored amounts of blend shapes (of the node, else of the mesh) to the positions, normals and other attributes. The shapes
  /// stay, with the amount 0, and keys get smaller by the amounts, so that no deformed vertex moves. Failure::unsupported: nodes with
  /// different amounts use one mesh.
  bool bake_shapes = false;
  /// Only with rest or clip: stores vertices in the space of the scene, so that each bind matrix is the inverse of its joint's world
  /// transform in the new bind pose.
  bool world = false;
  /// The same matrices, but the stored vertices stay. For a skin that lost its matrices: this changes the deformation. Not with `world`.
  bool keep_vertices = false;
  double tolerance = 1e-4;  ///< largest allowed movement of a vertex, relative to the diagonal of its mesh at rest

  /// A joint slot, by the name of its node or group, or by its number if there is one skin or `skin` selects one.
  struct Joint {
    std::string slot;
    std::string bone;  ///< name or index of a node; "none"
  };
  std::vector<Joint> joints;
  std::string skin;  ///< name or index of the skin (G4MF: skeleton) of `joints`; empty: all skins with a slot of that name
};

/// Writes a file of the same format with other bind matrices and the same deformation, in the container for the extension of `to`.
/// Unchanged objects keep their indices. `changes` gets every change; `sink` gets the findings of reading. Failure::usage: a name that is
/// unknown or ambiguous.
[[nodiscard]] Result<Written> rebind(const std::filesystem::path& from, const std::filesystem::path& to, const RebindOptions& options,
                                     FindingSink& sink, FindingSink& changes);

}  // namespace sinew::operations
