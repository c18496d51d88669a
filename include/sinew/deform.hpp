// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sinew/array.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew {
class MemoryResource;
}
namespace sinew::animate {
class ClipPlan;
}

namespace sinew::deform {

struct PrepareOptions {
  bool normals = false;              ///< pack the data for normals
  bool tangents = false;             ///< pack the data for tangents
  std::uint32_t max_influences = 0;  ///< keep the n strongest influences of each vertex, renormalised; 0: all
  bool keep_first = false;           ///< max_influences keeps the first ones as stored instead
  std::size_t slots = 0;             ///< number of slots of the palettes; influences of later slots are dropped (G4MF). 0 if not skinned
  bool skinned = true;               ///< false: ignore influences; the palette has only the transform of the node
  std::string_view kernel = {};      ///< name of a kernel ("plain"); empty: the best for this CPU
  bool sorted = false;               ///< rows of vertices have the order that the kernels prefer (Prepared::order)
  MemoryResource* memory = nullptr;  ///< where the packed data is allocated (memory.hpp); null: by operator new
};

/// The packed, immutable form of a mesh for one dimension, CPU and set of channels. Cheap to copy (shared); safe on any thread.
class Prepared {
 public:
  struct Packed;
  explicit Prepared(std::shared_ptr<const Packed> packed) : packed_(std::move(packed)) {}

  [[nodiscard]] std::size_t dimension() const noexcept;
  [[nodiscard]] std::size_t vertices() const noexcept;  ///< rows over all blocks, in order
  [[nodiscard]] std::size_t shapes() const noexcept;
  [[nodiscard]] bool has_normals() const noexcept;         ///< a block has normals, and PrepareOptions requested them
  [[nodiscard]] std::size_t corners() const noexcept;      ///< corners of all surfaces, in order (G4MF's vertex instances)
  [[nodiscard]] bool has_corner_normals() const noexcept;  ///< a surface has corner normals, and PrepareOptions requested them
  [[nodiscard]] std::size_t topology_corners()
      const noexcept;  ///< corners of all topologies' boundary items, in order (0 unless normals were requested)
  [[nodiscard]] bool has_topology_normals() const noexcept;  ///< a topology has normals, and PrepareOptions requested them
  [[nodiscard]] bool has_tangents() const noexcept;
  [[nodiscard]] std::string_view kernel() const noexcept;
  /// With PrepareOptions::sorted: by row of the results, the index of its vertex over all blocks of the mesh. Else empty: rows have the
  /// stored order. Vertices are sorted by their number of influences, block by block.
  [[nodiscard]] std::span<const std::uint32_t> order() const noexcept;
  [[nodiscard]] const Packed& packed() const { return *packed_; }

 private:
  std::shared_ptr<const Packed> packed_;
};

/// Packs a mesh. Reads its arrays once and does not keep them. Failure::input, with the index of the element: positions, normals, tangents,
/// offsets or weights that are not finite. Failure::unsupported: a kernel that this CPU lacks. Failure::limit: more than 16 dimensions.
/// Precondition: the model was checked, so that rows match vertices and indices are in range.
[[nodiscard]] Result<Prepared> prepare(const Mesh& mesh, std::size_t dimension, const PrepareOptions& options = {});

class Batch;
class Rig;

/// One affine map `world_from_mesh` per joint slot, and a last one for the mesh's node. Vertices without joints and slots without a node
/// use the last one. Stored in double precision and in float, which the kernels read. Immutable once made.
class Palette {
 public:
  Palette() = default;
  explicit Palette(std::size_t dimension) : dimension_(dimension) {}

  [[nodiscard]] std::size_t dimension() const { return dimension_; }
  [[nodiscard]] std::size_t size() const { return sizes_.size(); }  ///< slots + 1
  [[nodiscard]] Affine operator[](std::size_t slot) const;
  [[nodiscard]] Result<> push_back(const Affine& world_from_mesh);
  void clear() { clear(dimension_); }
  void clear(std::size_t dimension) noexcept;  ///< removes all maps, keeps the memory and sets the dimension

  /// Returns the maps in the layout of the kernels; T is float or double. A map has N+1 columns (linear part, then translation). A column
  /// is padded with zeros to a multiple of 4 numbers (N < 3: to N), a map to a multiple of 16. The table starts at a multiple of 64 bytes.
  template <class T>
  [[nodiscard]] std::span<const T> columns() const {
    if constexpr (std::is_same_v<T, float>)
      return columns_;
    else
      return exact_;
  }
  /// Limits how far a map can move a point: the largest sum of the absolute values of a row of the linear part, and the largest
  /// translation.
  struct MapSize {
    double linear = 0;
    double translation = 0;
  };
  [[nodiscard]] MapSize map_size(std::size_t slot) const { return {sizes_[slot][0], sizes_[slot][1]}; }

 private:
  friend class Rig;  // writes maps in place
  std::size_t dimension_ = 0;
  std::vector<std::array<double, 2>> sizes_;  ///< MapSize, in the form in which the kernels write it
  AlignedVector<double> exact_;
  AlignedVector<float> columns_;
};

/// Computes the palette of an instance at a pose. `world`: world_transforms(model, pose). `rest_world`: the same of model.rest(), needed
/// for skins bound by the stored pose (otherwise it may be empty). Reuses the memory of `out`. Refuses maps that are not finite.
[[nodiscard]] Result<> palette(const Model& model, const Instance& instance, std::span<const Affine> world,
                               std::span<const Affine> rest_world, Palette& out);

/// A half-open range of vertices over all blocks.
struct Range {
  std::size_t first = 0;
  std::size_t last = 0;
};

/// Memory for the results. Row 0 is vertex `first` of the range; an empty view skips the channel. Positions and normals have width N,
/// tangents width 4 (3D). Rows of blocks without normals or tangents are not changed.
struct Output {
  strided_view<float> positions;
  strided_view<float> normals;
  strided_view<float> tangents;
};

/// Memory for the gradients of many poses (PoseArrays), in C order; an empty one skips its part.
struct Gradients {
  std::span<double> matrices = {};  ///< (B, J, N+1, N+1): of PoseArrays::world if it is given, else of the local matrices; last rows are 0
  std::span<double> amounts = {};   ///< (B, S)
  std::span<double> rest_positions = {};  ///< (vertices, N): of the positions in the file, summed over the poses
};

/// Blends (position + Σ amount·offset), then skins (Σ weight·map), for a range of vertices. Allocates nothing and uses up to 400 KB of
/// stack. Any thread may compute any range; the result does not depend on how ranges are split. `amounts`: one per shape; missing ones are
/// 0, surplus ones are ignored.
/// Normals: transformed by the cofactor of the blended linear part, normalised once at the end; a zero result is replaced by the base
/// normal. Tangents: transformed by the linear part, normalised; w is kept.
/// Uses float arithmetic, or double if rounding would exceed some millionths of the mesh's size: for vertices far from the origin or a
/// model far from the world's origin. Preconditions: the palette has the mesh's dimension and `slots` + 1 maps (1 if not skinned); amounts
/// are finite.
void run(const Prepared& prepared, const Palette& palette, std::span<const double> amounts, Range range, const Output& output) noexcept;

/// Does the same for all vertices on `threads` threads (0: all cores), or fewer where memory runs out.
void run_parallel(const Prepared& prepared, const Palette& palette, std::span<const double> amounts, const Output& output,
                  unsigned threads) noexcept;

/// Computes normals of the corners [range.first, range.last) of all surfaces. Row 0 is corner `first`, the width is N. Stored normals are
/// blended, transformed by the cofactor of the blended linear part of the corner's vertex and normalised once, as in `run`. Corners of
/// surfaces without stored normals get the flat normal of their deformed simplex. If such a surface has only offsets of normals (blend
/// shapes), they are added to the flat normal of the blended, unskinned simplex. A result of length 0 is replaced by the stored normal,
/// else the flat one, else zeros.
/// Allocates nothing; any thread may compute any range. Flat normals are computed in double precision, stored ones as in `run`.
/// Precondition: prepared with normals, for a mesh without normals per vertex.
void run_corner_normals(const Prepared& prepared, const Palette& palette, std::span<const double> amounts, Range range,
                        strided_view<float> normals) noexcept;

/// Does the same for the corners of topologies. Flat normals are those of the boundary items (orientation_simplexes in geometry.hpp).
void run_topology_normals(const Prepared& prepared, const Palette& palette, std::span<const double> amounts, Range range,
                          strided_view<float> normals) noexcept;

/// The transform of one joint slot alone, for every vertex of a skinned instance: the intermediate steps in the vertex skinning chapter of
/// the glTF tutorial (images 20b and 20c).
enum class Stage : std::uint8_t {
  inverse_bind,  ///< joint_from_mesh
  joint          ///< world_from_joint · joint_from_mesh
};
struct StageOfJoint {
  Index node = none;  ///< the node of the joint; none: use `slot`
  Index slot = 0;
  Stage stage = Stage::joint;
};

/// All instances of a scene, prepared once and deformed for any number of poses. Instances with the same mesh share its preparation. Arrays
/// have one row per vertex, instance after instance.
class SceneDeformer {
 public:
  /// Keeps a reference to `model`. Fails like prepare; the place is the mesh of the instance.
  [[nodiscard]] static Result<SceneDeformer> create(const Model& model, std::vector<Instance> list, const PrepareOptions& channels);

  [[nodiscard]] const std::vector<Instance>& instances() const { return instances_; }
  [[nodiscard]] std::size_t vertices() const { return first_.back(); }
  /// Returns the first row of an instance; for `instances().size()`, the number of all rows.
  [[nodiscard]] std::size_t first(std::size_t instance) const { return first_[instance]; }
  /// The same for corners (Prepared::corners) and topology corners.
  [[nodiscard]] std::size_t corners() const { return first_corner_.back(); }
  [[nodiscard]] std::size_t first_corner(std::size_t instance) const { return first_corner_[instance]; }
  [[nodiscard]] std::size_t topology_corners() const { return first_topology_corner_.back(); }
  [[nodiscard]] std::size_t first_topology_corner(std::size_t instance) const { return first_topology_corner_[instance]; }
  [[nodiscard]] const Prepared& prepared(std::size_t instance) const { return prepared_[instance]; }

  /// Deforms all instances on up to `threads` threads (0: all cores). `rows` has vertices() rows per channel, or none to skip a channel.
  /// Refuses palettes and results that are not finite. Failure::usage: a pose with other numbers of nodes or amounts than the model, or a
  /// transform with other numbers than its dimension wants. Do not call it from several threads at once.
  [[nodiscard]] Result<> run(const Pose& pose, const Output& rows, unsigned threads);

  /// Deforms all instances for many poses, vertices() rows for each pose, on up to `threads` threads (0: all cores). Each thread works on
  /// whole poses. Fails like run, for the first pose that fails.
  [[nodiscard]] Result<> run_poses(std::span<const Pose> poses, const Output& rows, unsigned threads) const;
  /// Does the same for a clip at many times. In three dimensions it needs no Pose. Keeps its prepared data until a call for another clip.
  /// Preconditions: the clip has no defect; times are finite.
  [[nodiscard]] Result<> run_clip(Index clip, std::span<const double> seconds, const Output& rows, unsigned threads);

  /// Computes the normals of all corners or all topology corners, as deform::run_corner_normals. Rows have N numbers. Otherwise as `run`.
  [[nodiscard]] Result<> run_corner_normals(const Pose& pose, strided_view<float> normals, unsigned threads);
  [[nodiscard]] Result<> run_topology_normals(const Pose& pose, strided_view<float> normals, unsigned threads);

  /// From this call on, every skinned instance that has this joint is deformed by one stage of it only.
  [[nodiscard]] Result<> show_stage(const StageOfJoint& stage);

 private:
  friend class Batch;  // many poses as arrays
  explicit SceneDeformer(const Model& model) : model_(&model) {}
  using NormalsOf = void (*)(const Prepared&, const Palette&, std::span<const double>, Range, strided_view<float>);
  [[nodiscard]] Result<> run_normals(const Pose& pose, const std::vector<std::size_t>& first, NormalsOf normals_of,
                                     strided_view<float> normals, unsigned threads);
  /// The memory of one thread: what each step from a pose to the vertices hands to the next (Rig).
  struct Scratch {
    AlignedVector<double> locals, world;
    Palette palette;
  };
  [[nodiscard]] Scratch scratch() const;
  /// The steps: a pose to the maps of the nodes, these to the palette of an instance, all palettes to the vertices.
  void pose(const Pose& pose, Scratch& scratch) const;
  [[nodiscard]] Result<> make_palette(std::size_t instance, Scratch& scratch) const;
  [[nodiscard]] Result<> run_posed(const Pose& amounts, const Output& rows, unsigned threads, Scratch& scratch) const;

  const Model* model_;
  std::vector<Instance> instances_;
  std::vector<Prepared> prepared_;
  std::vector<std::size_t> first_{0};
  std::vector<std::size_t> first_corner_{0};
  std::vector<std::size_t> first_topology_corner_{0};
  std::shared_ptr<const Rig> rig_;
  std::vector<StageOfJoint> stages_;  ///< none or one
  std::shared_ptr<const animate::ClipPlan> plan_;
  Index planned_ = none;  ///< the clip of `plan_`
  Scratch scratch_;
};

/// Computes values + Σ amount · offset of an attribute as packed floats (normalised integers in their range). For attributes that joints do
/// not transform: texture coordinates, colours. `amounts`: one per shape; missing ones are 0.
[[nodiscard]] Result<std::vector<float>> blend_attribute(const Attribute& attribute, std::span<const double> amounts);

/// Does the same with one row for each of `rows` vertices or corners: shared values are repeated (Attribute::index), surplus values are
/// omitted. Precondition: the attribute has a value for each row.
[[nodiscard]] Result<std::vector<float>> blend_rows(const Attribute& attribute, std::span<const double> amounts, std::size_t rows);

/// Returns a warning if vertices of skinned meshes have weights whose sum differs from 1 by more than rounding. Results use weights as
/// stored, but most programs divide them by their sum.
[[nodiscard]] Result<std::optional<Finding>> uneven_weights(const Model& model);

/// Returns the kernels that this processor supports, for PrepareOptions::kernel: the best first, always "plain" last.
[[nodiscard]] std::span<const std::string_view> kernels() noexcept;

}  // namespace sinew::deform
