// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/convert.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

struct RepairOptions : EditOptions {
  std::size_t max_influences = 0;  ///< per vertex, keeping the strongest; 0: all
  double prune = 0;                ///< remove weights below this, unless nothing else moves the vertex; finite, 0 to 1
  bool names = false;              ///< glTF: make names of bones unique; the first bone keeps its name
};

/// Fixes what can be fixed unambiguously:
///
/// - weights: removes slots that no skin of the mesh has, weights of 0 and (glTF) weights below 0. A slot that is listed twice keeps the
///   sum of its weights. The weights of a vertex then sum to 1; integer weights sum exactly to the largest value (by largest remainder).
///   The strongest influence comes first: in G4MF always, in glTF if a vertex changes or has more than one set. A glTF vertex without
///   weights follows the topmost joint.
/// - normals and tangents get length 1; their blend offsets are scaled by the same factor, so that blended directions stay. A glTF normal
///   of length 0 is computed from its triangles.
/// - rotations of nodes and keys get length 1.
/// - G4MF: sparse blend offsets are sorted, and each row occurs once.
/// - glTF: a skin's `skeleton` that is not above all joints becomes their lowest common ancestor, or is removed.
///
/// If Sinew corrects a value when it reads it, the corrected value is written. In G4MF, illegal and repeated names and the order of joints
/// are corrected too. docs/repair.md lists the findings that each part corrects.
///
/// The new file has the format of the old one, in the container for the extension of `to`. An empty `to` writes nothing. Unchanged objects
/// keep their indices; objects that lose their last reference are removed. `changes` gets every change as a hint, and a warning for data
/// that the new container cannot hold. `sink` gets the findings of reading.
[[nodiscard]] Result<Written> repair(const std::filesystem::path& from, const std::filesystem::path& to, const RepairOptions& options,
                                     FindingSink& sink, FindingSink& changes);

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
