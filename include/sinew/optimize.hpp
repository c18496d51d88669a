// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/convert.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// The parts of optimize, in the order in which they run.
enum class OptimizeStep : std::uint8_t {
  textures,   ///< glTF: stores images in fewer bytes, if OptimizeOptions::textures or ::max_texture asks for it
  prune,      ///< removes what has no effect
  weights,    ///< removes influences of vertices
  joints,     ///< glTF: removes joints of skins
  keys,       ///< removes keys of animations
  instances,  ///< glTF: shows nodes with the same mesh as copies of one, if OptimizeOptions::instances asks for it
  triangles,  ///< glTF: collapses edges of triangles, if OptimizeOptions::triangles asks for it
  quantize,   ///< glTF: stores arrays as small integers (KHR_mesh_quantization)
  order,      ///< glTF: puts triangles and vertices in an order that is faster to draw and smaller to compress
  lods,       ///< glTF: adds coarser levels of detail (MSFT_lod), if OptimizeOptions::lods asks for it
  compress,   ///< stores buffers as OptimizeOptions::compression says
  names,      ///< glTF: removes names, if OptimizeOptions::drop_names asks for it
};
/// "prune", …
[[nodiscard]] std::string_view to_string(OptimizeStep step) noexcept;
/// Returns all steps in order.
[[nodiscard]] std::span<const OptimizeStep> optimize_steps() noexcept;

/// How the step `compress` stores buffers.
enum class OptimizeCompression : std::uint8_t {
  none,         ///< glTF: without compression; G4MF: as in the old file
  meshopt,      ///< glTF: EXT_meshopt_compression, without a fallback for other readers
  khr_meshopt,  ///< glTF: KHR_meshopt_compression, the same streams
  zstd          ///< G4MF
};
/// "none", "meshopt", "khr-meshopt", "zstd".
[[nodiscard]] std::string_view to_string(OptimizeCompression compression) noexcept;

/// What the step `instances` does with nodes that show the same mesh.
enum class OptimizeInstances : std::uint8_t {
  keep,  ///< leaves them as they are
  nodes  ///< glTF: joins them to one node with copies (EXT_mesh_gpu_instancing, required) if they have the same parent, scenes, weights,
         ///< extras and visibility, if their rows follow each other, and if nothing else refers to them. Each row keeps its place
};

/// How the step `textures` stores images. None becomes larger, unless OptimizeOptions::max_texture needs other pixels.
enum class OptimizeTextures : std::uint8_t {
  keep,  ///< as they are
  png,   ///< PNG files get the form with the fewest bytes and the same pixels
  webp   ///< the smallest of PNG, lossless and lossy WebP (EXT_texture_webp, required) within OptimizeOptions::texture_psnr
};

/// How far attributes of vertices are from those of the input.
struct AttributeErrors {
  double normal = 0;         ///< the angle of normals and tangents at rest, in degrees
  double normal_offset = 0;  ///< of their offsets in blend shapes: the distance to which such an angle of a unit vector amounts
  double texcoord = 0;       ///< of a texture coordinate
  double color = 0;          ///< of a component of a colour
};

/// `max_error` empty means 0. `measure` and `prune_unused` have no effect: optimize always measures, and the step `prune` removes objects
/// without references.
struct OptimizeOptions : EditOptions {
  std::vector<OptimizeStep> steps;  ///< empty: all; they run in the order of the enumeration
  std::vector<std::string> keep;    ///< names of nodes that stay
  /// The most influences of a vertex; 0: any number. If this needs a larger error than `max_error`, no file is written (Refused::error).
  std::size_t max_influences = 0;
  OptimizeCompression compression = OptimizeCompression::none;
  OptimizeInstances instances = OptimizeInstances::keep;
  OptimizeTextures textures = OptimizeTextures::keep;
  std::size_t max_texture = 0;  ///< glTF: larger images get at most this number of pixels on a side, in any case; 0: any size
  double texture_psnr = 40;     ///< the least that the step `textures` keeps, in decibels, against the image or the resized image
  bool drop_names = false;  ///< glTF: remove names of elements, except of animations, of `keep`, and those that occur as a text elsewhere
  /// glTF: how far the steps `quantize` and `compress` may change attributes, as AttributeErrors. If `max_error` is 0, all are 0.
  double normal_error = 0.5;
  std::optional<double>
      texcoord_error;  ///< empty: a quarter of a texel of the largest image; 1/8192 without images, and at most if one cannot be read
  double color_error = 1.0 / 510;
  /// glTF: the part of the triangles to keep, above 0 and below 1; 1: all. Edges collapse to one of their ends, the cheapest first, until
  /// that part is left or no more can go within `max_error`. It then limits how far the surfaces lie apart, not the vertices: in every pose
  /// that compare measures, every point of each has one of the other within it (CompareOptions::surfaces). Failure::unsupported: G4MF.
  double triangles = 1;
  /// glTF: coarser levels of detail (MSFT_lod), each the part of the input's triangles to keep: descending, and below `triangles`. Levels
  /// are other triangles of the same vertices. `max_error` limits the finest level only. A level keeps more triangles if collapsing others
  /// would move the surface by over a tenth of the diagonal. Failure::unsupported: G4MF.
  std::vector<double> lods;
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

/// What the step `triangles` did.
struct ReducedTriangles {
  std::uint64_t before = 0, after = 0;  ///< triangles of all meshes
  double surface_error = 0;             ///< of the new file: Comparison::error() of the surfaces
};

/// A coarser level that the step `lods` made.
struct LevelOfDetail {
  std::uint64_t triangles = 0;  ///< of all meshes
  double ratio = 0;             ///< of them to the triangles of the input
  double surface_error = 0;     ///< Comparison::error() of the surfaces of the input and of this level in the new file
};

/// An image that the step `textures` changed. Its index is that of the input.
struct OptimizedTexture {
  std::size_t image = 0;
  std::string name;                     ///< or the name of its file; may be empty
  std::uint64_t before = 0, after = 0;  ///< bytes
  std::string from, to;                 ///< media types
  std::size_t width = 0, height = 0;    ///< of the new image
  double psnr = 0;                      ///< in decibels, over all channels; infinite: no pixel differs
  double ssim = 1;                      ///< the mean structural similarity
};

/// Sizes are those of the files, with the files of their buffers and without image files; `bytes` equals `bytes_after`. If no file was
/// written, `bytes_after` equals `bytes_before`.
struct Optimized : Written {
  std::uint64_t bytes_before = 0, bytes_after = 0;
  AttributeErrors attributes;  ///< the largest changes: upper bounds
  std::vector<OptimizedStep> ran;
  std::optional<ReducedTriangles> triangles;  ///< empty: all triangles stay, and `movement` is that of vertices
  std::vector<LevelOfDetail> lods;            ///< from fine to coarse
  std::vector<OptimizedTexture> textures;
};

/// Writes a smaller file of the same format. Every step is compared with the input. A step that moves a vertex further than allowed is
/// repeated with a smaller tolerance. A step that still moves one too far, or that saves nothing, is left out. The steps share the allowed
/// error: `max_error` limits the distance between the input and the result. Images have a limit of their own. `changes` and `sink` as
/// repair. Failure::usage: `steps` names compress without a compression. Failure::unsupported: `steps` names a step that the format does
/// not have, or the format or this build lacks the compression or the codecs of images.
[[nodiscard]] Result<Optimized> optimize(const std::filesystem::path& from, const std::filesystem::path& to, const OptimizeOptions& options,
                                         FindingSink& sink, FindingSink& changes);

}  // namespace sinew::operations
