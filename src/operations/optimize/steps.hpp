// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "operations/compare/known_rows.hpp"

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/optimize.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// The input of a step: a document and the model read from it.
struct StepInput {
  const std::shared_ptr<const document::Document>& document;
  const Model& model;
  std::optional<g4mf::Revision> revision;  ///< of a G4MF document
  const OptimizeOptions& options;
  double diagonal = 0;           ///< of the original file at rest
  double distance = 0;           ///< how far the step may move a vertex, in scene units; 0: make only changes that move none
  AttributeErrors attributes{};  ///< how far the step may change other attributes
  bool strict = false;           ///< the step moved a vertex by rounding: leave the animations alone
  double key_distance = 0;       ///< as `distance`, for rounding the keys of animations to integers
  bool keeps_order = false;      ///< the vertices cannot move
  int weight_bits = 0;           ///< quantize: store only weights and joints, with this number of bits; 0: all else
};

/// A new mesh that has a part of the surfaces of an old one.
struct SplitPart {
  Index mesh = none, from = none;
  std::vector<Index> surfaces;  ///< of the old mesh, for each of the new one
};

/// The result of a step: the document of the input if it changed nothing. `note`: why it did less than it could.
struct StepResult {
  std::shared_ptr<const document::Document> document;
  std::string note{};
  bool required = false;                        ///< an option demands the change, even if it saves nothing
  KnownRows rows{};                             ///< where rows of the input are now, if the step moved them
  AttributeErrors attributes{};                 ///< by how much the step changed other attributes
  std::optional<ReducedTriangles> triangles{};  ///< of reduce_triangles; the error is that of its input
};

[[nodiscard]] Result<StepResult> prune(const StepInput& input, FindingSink& changes);
[[nodiscard]] Result<StepResult> reduce_weights(const StepInput& input, FindingSink& changes);
[[nodiscard]] Result<StepResult> reduce_joints(const StepInput& input, FindingSink& changes);
[[nodiscard]] Result<StepResult> reduce_skeletons(const StepInput& input, FindingSink& changes);  ///< reduce_joints of G4MF
[[nodiscard]] Result<StepResult> reduce_keys(const StepInput& input, FindingSink& changes);
[[nodiscard]] Result<StepResult> join_nodes(const StepInput& input, FindingSink& changes);           ///< OptimizeStep::instances
[[nodiscard]] Result<StepResult> reduce_triangles(const StepInput& input, FindingSink& changes);     ///< OptimizeStep::triangles
[[nodiscard]] Result<StepResult> quantize_influences(const StepInput& input, FindingSink& changes);  ///< quantize with weight_bits
[[nodiscard]] Result<StepResult> quantize(const StepInput& input, FindingSink& changes);
[[nodiscard]] Result<StepResult> order(const StepInput& input, FindingSink& changes);
[[nodiscard]] Result<StepResult> compress(const StepInput& input, FindingSink& changes);
[[nodiscard]] Result<StepResult> drop_names(const StepInput& input, FindingSink& changes);  ///< OptimizeStep::names

/// Returns the document with the differences between the input's model and `after`, without what the edit left behind. `parts`: new meshes
/// that are parts of old ones.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> edited(const StepInput& input, const Model& after, FindingSink& changes,
                                                                       const std::vector<SplitPart>& parts = {});

/// Returns the numbers that a track would set in the rest pose, as the track stores them; empty: it cannot repeat the rest pose.
[[nodiscard]] std::vector<double> resting_values(const Model& model, const Track& track);

/// Stores the offsets of blend shapes as sparse arrays where that saves bytes, without compression. `dense_row`: bytes of a row that is not
/// sparse. Returns the number of changed arrays.
std::size_t make_offsets_sparse(const StepInput& input, Model& model, std::size_t dense_row);

/// Returns whether the file stores vertices in a compressed form, which an edit would unpack.
[[nodiscard]] bool is_compressed(const Model& model);

/// Returns the time of the last key; 0 without keys.
[[nodiscard]] double last_time(const Track& track);

/// Removes the flagged tracks of each clip (a flag per track), but never shortens a clip nor empties it. Returns the number of removed
/// tracks.
std::size_t remove_tracks(Clip& clip, std::vector<bool> flags);

}  // namespace sinew::operations
