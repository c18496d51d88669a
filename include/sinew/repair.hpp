// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "sinew/convert.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// What to do with bind matrices whose fourth row is far from 0 0 0 1. Either they are stored by rows, or the row is wrong.
enum class BindMatrices : std::uint8_t {
  certain,    ///< transpose them if all fourth columns are 0 0 0 1, otherwise leave them and report SINEW_REPAIR_UNCERTAIN
  transpose,  ///< always transpose them
  identity    ///< replace the fourth row by that of the identity
};

struct RepairOptions : EditOptions {
  /// Repair looks at many more findings than a user would read.
  RepairOptions() { load.open.limits.findings = 1'000'000; }

  std::size_t max_influences = 0;                      ///< per vertex, keeping the strongest; 0: all
  double prune = 0;                                    ///< remove weights below this, unless nothing else moves the vertex; finite, 0 to 1
  BindMatrices bind_matrices = BindMatrices::certain;  ///< glTF
  bool seams = false;    ///< join the weights of vertices that coincide at rest and part in a pose (FLEX_TEAR)
  bool islands = false;  ///< remove the weights of a few vertices for a joint that is far away (FLEX_ISLAND)
  bool names = false;    ///< glTF: make names of bones unique; the first bone keeps its name
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
/// - glTF: bind matrices that are stored by rows are transposed (BindMatrices).
/// - glTF: integers that are weights or colours get `normalized`; the data of animation samplers is packed.
/// - glTF: a skin's `skeleton` that is not above all joints becomes their lowest common ancestor, or is removed.
///
/// Only if asked for, because they change how a correct file deforms:
///
/// - `seams`: vertices at one place of a torn seam get the same weights. A side counts by how well it continues into its neighbours.
/// - `islands`: a stray weight goes to the joints of the vertices around it.
///
/// Both report how far the vertices move. What has no clear answer stays, with a warning (SINEW_REPAIR_LEFT).
///
/// If Sinew corrects a value when it reads it, the corrected value is written. In G4MF, illegal and repeated names and the order of joints
/// are corrected too. docs/repair.md lists the findings that each part corrects.
///
/// The new file has the format of the old one, in the container for the extension of `to`. An empty `to` writes nothing. Unchanged objects
/// keep their indices; objects that lose their last reference are removed. `changes` gets every change as a hint, and a warning for data
/// that the new container cannot hold, for a defect that needs a choice, and if Limits::findings ended the search for defects. `sink` gets
/// the findings of reading.
[[nodiscard]] Result<Written> repair(const std::filesystem::path& from, const std::filesystem::path& to, const RepairOptions& options,
                                     FindingSink& sink, FindingSink& changes);

}  // namespace sinew::operations
