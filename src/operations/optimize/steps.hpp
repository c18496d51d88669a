// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
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
  std::uint64_t triangles = 0;   ///< lods: of the original file; 0: as many as now
  int weight_bits = 0;           ///< quantize: store only weights and joints, with this number of bits; 0: all else
};

/// A new mesh that has a part of the surfaces of an old one.
struct SplitPart {
  Index mesh = none, from = none;
  std::vector<Index> surfaces;  ///< of the old mesh, for each of the new one
};

/// A node, and the nodes with its coarser levels.
struct NodeLevels {
  Index node = none;
  std::vector<Index> levels;
};

/// The result of a step: the document of the input if it changed nothing. `note`: why it did less than it could.
struct StepResult {
  std::shared_ptr<const document::Document> document;
  std::string note{};
  bool required = false;                        ///< an option demands the change, even if it saves nothing
  KnownRows rows{};                             ///< where rows of the input are now, if the step moved them
  AttributeErrors attributes{};                 ///< by how much the step changed other attributes
  std::optional<ReducedTriangles> triangles{};  ///< of reduce_triangles; the error is that of its input
  std::vector<LevelOfDetail> lods{};            ///< of add_levels; their errors are not measured
  std::vector<NodeLevels> levels{};             ///< of add_levels
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
[[nodiscard]] Result<StepResult> add_levels(const StepInput& input, FindingSink& changes);  ///< OptimizeStep::lods
[[nodiscard]] Result<StepResult> compress(const StepInput& input, FindingSink& changes);
[[nodiscard]] Result<StepResult> drop_names(const StepInput& input, FindingSink& changes);  ///< OptimizeStep::names

/// Returns the document with the differences between the input's model and `after`, without what the edit left behind. `parts`: new meshes
/// that are parts of old ones.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> edited(const StepInput& input, const Model& after, FindingSink& changes,
                                                                       const std::vector<SplitPart>& parts = {});

/// Returns the numbers that a track would set in the rest pose, as the track stores them; empty: it cannot repeat the rest pose.
[[nodiscard]] std::vector<double> resting_values(const Model& model, const Track& track);

/// Measures the levels in the finished document, each against the original model, and states them there.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> state_levels(const std::shared_ptr<const document::Document>& document,
                                                                             const Model& original, const OptimizeOptions& options,
                                                                             const std::vector<NodeLevels>& levels,
                                                                             std::vector<LevelOfDetail>& lods);

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
