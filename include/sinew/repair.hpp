// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/convert.hpp"
#include "sinew/model.hpp"
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
  bool names = false;                                  ///< glTF: make names of bones unique; the first bone keeps its name
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
/// If Sinew corrects a value when it reads it, the corrected value is written. In G4MF, illegal and repeated names and the order of joints
/// are corrected too. docs/repair.md lists the findings that each part corrects.
///
/// The new file has the format of the old one, in the container for the extension of `to`. An empty `to` writes nothing. Unchanged objects
/// keep their indices; objects that lose their last reference are removed. `changes` gets every change as a hint, and a warning for data
/// that the new container cannot hold, for a defect that needs a choice, and if Limits::findings ended the search for defects. `sink` gets
/// the findings of reading.
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

/// The parts of optimize, in the order in which they run.
enum class OptimizeStep : std::uint8_t {
  prune,     ///< removes what has no effect
  weights,   ///< removes influences of vertices
  joints,    ///< glTF: removes joints of skins
  keys,      ///< removes keys of animations
  quantize,  ///< glTF: stores arrays as small integers (KHR_mesh_quantization)
  order,     ///< glTF: puts triangles and vertices in an order that is faster to draw and smaller to compress
  compress,  ///< stores buffers as OptimizeOptions::compression says
};
/// "prune", …
[[nodiscard]] std::string_view to_string(OptimizeStep step);
/// Returns all steps in order.
[[nodiscard]] std::vector<OptimizeStep> optimize_steps();

/// How the step `compress` stores buffers.
enum class OptimizeCompression : std::uint8_t {
  none,         ///< glTF: without compression; G4MF: as in the old file
  meshopt,      ///< glTF: EXT_meshopt_compression, without a fallback for other readers
  khr_meshopt,  ///< glTF: KHR_meshopt_compression, the same streams
  zstd          ///< G4MF
};
/// "none", "meshopt", "khr-meshopt", "zstd".
[[nodiscard]] std::string_view to_string(OptimizeCompression compression);

/// `max_error` empty means 0. `measure` and `prune_unused` have no effect: optimize always measures, and the step `prune` removes objects
/// without references.
struct OptimizeOptions : EditOptions {
  std::vector<OptimizeStep> steps;  ///< empty: all; they run in the order of the enumeration
  std::vector<std::string> keep;    ///< names of nodes that stay
  /// The most influences of a vertex; 0: any number. If this needs a larger error than `max_error`, no file is written (Refused::error).
  std::size_t max_influences = 0;
  OptimizeCompression compression = OptimizeCompression::none;
  /// glTF: the most joints of a skin; 0: any number. Meshes with more joints become several meshes, and their nodes several nodes.
  /// Failure::unsupported: a triangle uses more joints, or an extension may refer to meshes by index.
  std::size_t joint_budget = 0;
};

/// What a step did.
struct OptimizedStep {
  OptimizeStep step = OptimizeStep::prune;
  std::uint64_t saved = 0;  ///< bytes of the JSON text and of the buffers
  double error = 0;         ///< of the file after this step: Comparison::error
  std::string note;         ///< why the step changed nothing, or did less; or empty
};

/// Sizes are those of the files, with the files of their buffers and without image files; `bytes` equals `bytes_after`. If no file was
/// written, `bytes_after` equals `bytes_before`.
struct Optimized : Written {
  std::uint64_t bytes_before = 0, bytes_after = 0;
  std::vector<OptimizedStep> ran;
};

/// Writes a smaller file of the same format. Every step is compared with the input. A step that moves a vertex further than allowed is
/// repeated with a smaller tolerance. A step that still moves one too far, or that saves nothing, is left out. The steps share the allowed
/// error: `max_error` limits the distance between the input and the result. `changes` and `sink` as repair.
/// Failure::usage: `steps` names compress without a compression. Failure::unsupported: `steps` names a step that the format does not have,
/// or the format or this build lacks the compression.
[[nodiscard]] Result<Optimized> optimize(const std::filesystem::path& from, const std::filesystem::path& to, const OptimizeOptions& options,
                                         FindingSink& sink, FindingSink& changes);

}  // namespace sinew::operations
