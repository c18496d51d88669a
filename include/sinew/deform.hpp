// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sinew/array.hpp"
#include "sinew/model.hpp"

namespace sinew::animate {
class ClipPlan;
}

namespace sinew::deform {

struct PrepareOptions {
  bool normals = false;              ///< pack what normals need
  bool tangents = false;             ///< pack what tangents need
  std::uint32_t max_influences = 0;  ///< keep the first n influences of each vertex, renormalised (0: all)
  std::size_t slots = 0;             ///< slots of the palettes; influences of later slots are dropped (G4MF). 0 if not skinned
  bool skinned = true;               ///< false: ignore influences; the palette has only the node's map
  std::string_view kernel = {};      ///< a kernel's name ("plain"); empty = the best for this CPU
};

/// The packed, immutable form of a mesh for one dimension, CPU and set of channels. Cheap to copy (shared); safe on any thread.
class Prepared {
 public:
  struct Packed;
  explicit Prepared(std::shared_ptr<const Packed> packed) : packed_(std::move(packed)) {}

  [[nodiscard]] std::size_t dimension() const;
  [[nodiscard]] std::size_t vertices() const;  ///< rows over all blocks, in order
  [[nodiscard]] std::size_t shapes() const;
  [[nodiscard]] bool has_normals() const;         ///< a block has normals, and they were requested
  [[nodiscard]] std::size_t corners() const;      ///< corners of all surfaces, in order (G4MF's vertex instances)
  [[nodiscard]] bool has_corner_normals() const;  ///< a surface has corner normals, and they were requested
  [[nodiscard]] std::size_t topology_corners()
      const;  ///< corners of all topologies' boundary items, in order (0 unless normals were requested)
  [[nodiscard]] bool has_topology_normals() const;  ///< a topology has normals, and they were requested
  [[nodiscard]] bool has_tangents() const;
  [[nodiscard]] std::string_view kernel() const;
  [[nodiscard]] const Packed& packed() const { return *packed_; }

 private:
  std::shared_ptr<const Packed> packed_;
};

/// Packs a mesh. Reads its arrays once and does not keep them. Refuses (Failure::input, with the element's index) positions, normals,
/// tangents, offsets and weights that are not finite, (Failure::unsupported) a kernel that this CPU lacks, (Failure::limit) more than 16
/// dimensions. Precondition: the model was checked, so that rows match vertices and indices are in range.
[[nodiscard]] Result<Prepared> prepare(const Mesh& mesh, std::size_t dimension, const PrepareOptions& options = {});

class Rig;

/// One affine map per joint slot, `world_from_mesh`, and one more at the end: that of the mesh's node, used by vertices without joints
/// and by slots that name no node. Kept in double precision and in float, which the kernels read. Immutable once made.
class Palette {
 public:
  Palette() = default;
  explicit Palette(std::size_t dimension) : dimension_(dimension) {}

  [[nodiscard]] std::size_t dimension() const { return dimension_; }
  [[nodiscard]] std::size_t size() const { return sizes_.size(); }  ///< slots + 1
  [[nodiscard]] Affine operator[](std::size_t slot) const;
  void push_back(const Affine& world_from_mesh);
  void clear() { clear(dimension_); }
  void clear(std::size_t dimension);  ///< empty again, keeping the memory, for maps of that dimension

  /// The maps as the kernels read them, T float or double: each N+1 columns (linear part, then translation), a column padded to a
  /// multiple of 4 numbers (N < 3: to N), a map to a multiple of 16, with zeros; the table starts at a multiple of 64 bytes.
  template <class T>
  [[nodiscard]] std::span<const T> columns() const {
    if constexpr (std::is_same_v<T, float>)
      return columns_;
    else
      return exact_;
  }
  /// How much a map can do to a point: the largest sum of a row's absolute values in the linear part, the largest translation.
  struct MapSize {
    double linear = 0;
    double translation = 0;
  };
  [[nodiscard]] MapSize map_size(std::size_t slot) const { return {sizes_[slot][0], sizes_[slot][1]}; }

 private:
  friend class Rig;  // writes maps in place
  std::size_t dimension_ = 0;
  std::vector<std::array<double, 2>> sizes_;  ///< MapSize, as the kernels write it
  AlignedVector<double> exact_;
  AlignedVector<float> columns_;
};

/// Computes the palette of an instance at a pose. `world` = world_transforms(model, pose); `rest_world` the same of model.rest(), needed
/// for skins bound by the stored pose (may be empty otherwise). Reuses the memory of `out`. Refuses maps that are not finite.
[[nodiscard]] Result<> palette(const Model& model, const Instance& instance, std::span<const Affine> world,
                               std::span<const Affine> rest_world, Palette& out);

/// A half-open range of vertices over all blocks.
struct Range {
  std::size_t first = 0;
  std::size_t last = 0;
};

/// Memory for the results: rows of the range (row 0 = vertex `first`), empty = skipped. positions and normals: width N; tangents: width 4
/// (3D). Rows of blocks without normals or tangents are left untouched.
struct Output {
  strided_view<float> positions;
  strided_view<float> normals;
  strided_view<float> tangents;
};

/// Blends (position + Σ amount·offset), then skins (Σ weight·map), for a range of vertices. Allocates nothing; any range on any thread;
/// the result does not depend on how ranges are split. `amounts`: one per shape (missing 0, further ones ignored). Up to 400 KB of stack.
/// Normals: cofactor of the blended linear part, normalised once at the end; zero results: the base normal.
/// Tangents: linear part, normalised, w kept.
/// Float arithmetic, or double where rounding would exceed some millionths of the mesh's size: vertices far from the origin, a model far
/// out in the world. Preconditions: the palette has the mesh's dimension and `slots` + 1 maps (1 where not skinned); amounts are finite.
void run(const Prepared& prepared, const Palette& palette, std::span<const double> amounts, Range range, const Output& output);

/// The same over all vertices, split over `threads` (0 = all cores).
void run_parallel(const Prepared& prepared, const Palette& palette, std::span<const double> amounts, const Output& output,
                  unsigned threads);

/// Computes normals of the corners [range.first, range.last) of all surfaces: row 0 = corner `first`, width N. Stored ones are blended,
/// moved by the cofactor of the blended linear part of the corner's vertex and normalised once, as run's are. Corners of surfaces without
/// stored normals get the flat normal of their simplex as it stands at this pose; offsets alone (blend shapes on such a surface) are added
/// to the flat normal of the blended, unmoved simplex. Results of length 0 become the stored normal, else the flat one, else zeros.
/// Allocates nothing; any range on any thread. Flat normals are computed in double precision, stored ones as in `run`. Precondition:
/// prepared with normals, for a mesh that has none per vertex.
void run_corner_normals(const Prepared& prepared, const Palette& palette, std::span<const double> amounts, Range range,
                        strided_view<float> normals);

/// The same for the corners of topologies; flat normals are those of the boundary items (orientation_simplexes in geometry.hpp).
void run_topology_normals(const Prepared& prepared, const Palette& palette, std::span<const double> amounts, Range range,
                          strided_view<float> normals);

/// One joint slot's transform alone, for every vertex of a skinned instance: the intermediate figures of the glTF tutorial's chapter on
/// vertex skinning (images 20b and 20c).
enum class Stage : std::uint8_t {
  inverse_bind,  ///< joint_from_mesh
  joint          ///< world_from_joint · joint_from_mesh
};
struct StageOfJoint {
  Index node = none;  ///< the joint's node; none: the slot of that number
  Index slot = 0;
  Stage stage = Stage::joint;
};

/// All instances of a scene, prepared once (a mesh shared by several instances once), deformed for any number of poses into arrays of
/// one row per vertex, instance after instance.
class SceneDeformer {
 public:
  /// Keeps a reference to `model`. Failures are those of prepare, with the instance's mesh as place.
  [[nodiscard]] static Result<SceneDeformer> create(const Model& model, std::vector<Instance> list, const PrepareOptions& channels);

  [[nodiscard]] const std::vector<Instance>& instances() const { return instances_; }
  [[nodiscard]] std::size_t vertices() const { return first_.back(); }
  /// The first row of an instance; `instances().size()`: the number of all rows.
  [[nodiscard]] std::size_t first(std::size_t instance) const { return first_[instance]; }
  /// The same of corners (Prepared::corners) and of topology corners.
  [[nodiscard]] std::size_t corners() const { return first_corner_.back(); }
  [[nodiscard]] std::size_t first_corner(std::size_t instance) const { return first_corner_[instance]; }
  [[nodiscard]] std::size_t topology_corners() const { return first_topology_corner_.back(); }
  [[nodiscard]] std::size_t first_topology_corner(std::size_t instance) const { return first_topology_corner_[instance]; }
  [[nodiscard]] const Prepared& prepared(std::size_t instance) const { return prepared_[instance]; }

  /// Deforms all instances on up to `threads` threads (0: all cores). `rows` holds vertices() rows, or nothing per channel.
  /// Refuses palettes and results that are not finite. Not to be called from several threads at once.
  [[nodiscard]] Result<> run(const Pose& pose, const Output& rows, unsigned threads);

  /// Deforms all instances for many poses, vertices() rows for each pose, on up to `threads` threads (0: all cores). Each thread takes
  /// poses of its own. Fails as run does, for the first pose that fails.
  [[nodiscard]] Result<> run_poses(std::span<const Pose> poses, const Output& rows, unsigned threads) const;
  /// The same for a clip at many times: in three dimensions without the way over a Pose. Keeps what it prepares until another clip is
  /// asked for. Precondition: the clip has no defect; finite times.
  [[nodiscard]] Result<> run_clip(Index clip, std::span<const double> seconds, const Output& rows, unsigned threads);

  /// Normals of all corners, or of all topology corners, as deform::run_corner_normals: rows of N numbers. As run otherwise.
  [[nodiscard]] Result<> run_corner_normals(const Pose& pose, strided_view<float> normals, unsigned threads);
  [[nodiscard]] Result<> run_topology_normals(const Pose& pose, strided_view<float> normals, unsigned threads);

  /// From now on every skinned instance that has the joint shows one stage of it.
  [[nodiscard]] Result<> show_stage(const StageOfJoint& stage);

 private:
  explicit SceneDeformer(const Model& model) : model_(&model) {}
  using NormalsOf = void (*)(const Prepared&, const Palette&, std::span<const double>, Range, strided_view<float>);
  [[nodiscard]] Result<> run_normals(const Pose& pose, const std::vector<std::size_t>& first, NormalsOf normals_of,
                                     strided_view<float> normals, unsigned threads);
  /// What one thread works in.
  struct Scratch {
    AlignedVector<double> world;
    Palette palette;
  };
  /// A pose whose locals may be asked for, if at all, after its amounts.
  using PoseNow = std::function<const Pose&()>;
  using RunOne = std::function<Result<>(std::size_t i, const Output& rows, unsigned threads, Scratch& scratch)>;
  struct ClipRun;
  [[nodiscard]] Result<> make_palette(std::size_t instance, const PoseNow& pose, Scratch& scratch) const;
  [[nodiscard]] Result<> run(const Pose& pose, const Output& rows, unsigned threads, Scratch& scratch) const;
  [[nodiscard]] Result<> run_joined(const Pose& amounts, const PoseNow& pose, const Output& rows, unsigned threads, Scratch& scratch) const;
  /// Runs 0 … count − 1. `start` makes what one thread works with.
  [[nodiscard]] Result<> run_all(std::size_t count, const std::function<RunOne()>& start, const Output& rows, unsigned threads) const;

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

/// Computes values + Σ amount · offset of an attribute, as packed floats (normalised integers in their range). For attributes that joints
/// do not move: texture coordinates, colours. `amounts`: one per shape, missing ones 0.
[[nodiscard]] std::vector<float> blend_attribute(const Attribute& attribute, std::span<const double> amounts);

/// The same with one row for each of `rows` vertices or corners: shared values are repeated (Attribute::index), surplus values left
/// out. Precondition: the attribute has a value for each.
[[nodiscard]] std::vector<float> blend_rows(const Attribute& attribute, std::span<const double> amounts, std::size_t rows);

/// Returns the kernels that this processor supports, the best first, for PrepareOptions::kernel; the last is always "plain".
[[nodiscard]] std::vector<std::string_view> kernels();

}  // namespace sinew::deform
