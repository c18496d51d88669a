// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/deform.hpp"

namespace sinew::deform {

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
  [[nodiscard]] Result<> make_palette(std::size_t instance, std::span<const Affine> world);

  const Model* model_;
  std::vector<Instance> instances_;
  std::vector<Prepared> prepared_;
  std::vector<std::size_t> first_{0};
  std::vector<std::size_t> first_corner_{0};
  std::vector<std::size_t> first_topology_corner_{0};
  std::vector<Affine> rest_world_;
  std::vector<StageOfJoint> stages_;  ///< none or one
  Palette palette_;
};

}  // namespace sinew::deform
