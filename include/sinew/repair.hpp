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
  std::size_t max_influences = 0;  ///< per vertex, the strongest stay; 0: all
  double prune = 0;                ///< weights below this go, unless nothing else moves the vertex; finite, 0 to 1
  bool names = false;              ///< glTF: bones that share a name get names of their own, the first one keeps it
};

/// Corrects what has only one possible meaning:
///
/// - weights: removes slots that no skin of the mesh has, weights of 0 and (glTF) below 0. A slot named twice keeps the sum of its weights.
///   The weights of a vertex then sum to 1, as integers exactly to the largest value (by largest remainder). The strongest comes first: in
///   G4MF always, in glTF where a vertex changes or has more than one set. A glTF vertex without weights follows the topmost joint.
/// - normals and tangents get length 1; their blend offsets are scaled by the same factor, so that blended directions stay. A glTF normal
///   of length 0 is computed from its triangles.
/// - rotations of nodes and of keys get length 1.
/// - G4MF: sparse blend offsets are sorted, each row once.
/// - glTF: a skin's `skeleton` that is not above all joints becomes their lowest common ancestor, or is removed.
///
/// Where Sinew reads a value differently from what the file says, the value that it reads is stored. In G4MF, illegal and repeated names
/// and the order of joints are corrected too. docs/repair.md lists the findings that each part corrects.
///
/// The new file has the format of the old one, in the container that the extension of `to` names; `to` empty: nothing is written. What does
/// not change stays, with its index; what nothing refers to after the change is removed. `changes` gets every change as a hint, and as a
/// warning what the new container has no place for; `sink` gets the findings of reading.
[[nodiscard]] Result<Written> repair(const std::filesystem::path& from, const std::filesystem::path& to, const RepairOptions& options,
                                     FindingSink& sink, FindingSink& changes);

/// The pose that bind matrices belong to: the one in which the mesh looks like its stored vertices.
enum class BindPose : std::uint8_t {
  keep,
  rest,      ///< the file's own state
  clip,      ///< a clip at a time
  skeleton,  ///< the default bind pose of the strict skeleton (STAIK_skeletons)
  identity   ///< all matrices are the identity: vertices are stored in the space of their joint
};

struct RebindOptions : EditOptions {
  BindPose to = BindPose::keep;
  std::string animation;  ///< name or index, for BindPose::clip
  double seconds = 0;
  bool unify = false;
  double tolerance = 1e-4;  ///< how far a vertex may lie from where it was, as a part of the diagonal of its mesh at rest

  /// A joint slot by the name of its node or group, or by its number where there is one skin or `skin` says which.
  struct Joint {
    std::string slot;
    std::string bone;  ///< name or index of a node; "none"
  };
  std::vector<Joint> joints;
  std::string skin;  ///< name or index of the skin (G4MF: skeleton) that `joints` are slots of; empty: all that have one of that name
};

/// Writes a file of the same format with other bind matrices that deforms as the old one does (rebind), in the container that the
/// extension of `to` names. What does not change stays, with its index. `changes` gets every change; `sink` gets the findings of reading.
/// Failures are those of rebind; Failure::usage: names that nothing or several things have.
[[nodiscard]] Result<Written> rebind(const std::filesystem::path& from, const std::filesystem::path& to, const RebindOptions& options,
                                     FindingSink& sink, FindingSink& changes);

}  // namespace sinew::operations
