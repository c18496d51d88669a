// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/guard.hpp"
#include "deform/rig.hpp"
#include "operations/compare/hidden_parts.hpp"

#include "sinew/compare.hpp"
#include "sinew/deform.hpp"

namespace sinew::operations {

/// A state in which a model is compared.
struct Moment {
  Part::Kind kind = Part::Kind::rest;
  Index clip = none;
  double seconds = 0;
  std::array<Index, 2> plane{};  ///< Kind::stress: the axes
  std::vector<Index> shapes;     ///< Kind::shape: for each instance the shape with amount 1, or `none`
  bool unblended = false;        ///< Kind::shown: all blend amounts are 0
};

/// Turns a node by 45° in a plane of its parent's axes, about its own origin: what stress poses do to every joint.
void stress(std::size_t dimension, const std::array<Index, 2>& plane, LocalTransform& local);

/// Returns the slots of a palette that move a vertex.
[[nodiscard]] std::vector<bool> used_slots(const deform::Prepared& prepared);

/// One of the two models with prepared instances. Deforms one instance at a time. Copies share what is prepared, so that each thread can
/// have its own pose.
class Side {
 public:
  [[nodiscard]] static Result<Side> create(const Model& model, Index scene, unsigned threads);

  [[nodiscard]] const Model& model() const { return *model_; }
  [[nodiscard]] const std::vector<Instance>& instances() const { return deformer_.instances(); }
  [[nodiscard]] const Mesh& mesh(std::size_t instance) const { return model_->meshes[instances()[instance].mesh]; }
  [[nodiscard]] std::size_t vertices(std::size_t instance) const { return deformer_.prepared(instance).vertices(); }

  [[nodiscard]] const deform::Prepared& prepared(std::size_t instance) const { return deformer_.prepared(instance); }
  [[nodiscard]] std::span<const Affine> rest_world() const { return rig_->rest_world(); }
  /// Returns the world transforms at the current pose.
  [[nodiscard]] std::vector<Affine> world() const { return need(world_transforms(*model_, pose_)); }
  /// Returns the number of vertices of all instances.
  [[nodiscard]] std::size_t all_vertices() const { return deformer_.vertices(); }
  /// Sets the number of threads that deform an instance.
  void set_threads(unsigned threads) { threads_ = threads; }
  /// Returns the nodes whose slot in a skin moves a vertex.
  [[nodiscard]] std::vector<Index> moving_joints() const;

  /// Sets the nodes that stress poses turn.
  void set_stressed(std::vector<Index> nodes) { stressed_ = std::move(nodes); }

  /// Shapes alone are added to the stored amounts, not to 0.
  void keep_stored_amounts() { stored_amounts_ = true; }
  /// Returns the amounts of an instance to which shapes alone are added.
  [[nodiscard]] std::vector<double> base_amounts(std::size_t instance) const {
    const std::vector<double>& stored = model_->rest_pose.amounts[instances()[instance].node];
    return stored_amounts_ ? stored : std::vector<double>(stored.size(), 0);
  }

  /// `shown`: what the pose shows although the stored scales hide it.
  void pose_at(const Moment& moment, const std::vector<HiddenAxis>& shown);
  /// Returns the rows of an instance at the current pose, valid until the next call; nothing if a transform is not finite.
  [[nodiscard]] std::optional<std::span<const float>> rows(std::size_t instance);
  /// Returns whether an instance has the same maps and amounts as one of another side, both at their current poses; no if a transform is
  /// not finite.
  [[nodiscard]] bool moves_like(std::size_t instance, Side& other, std::size_t instance_of_other);
  /// Returns the normals of an instance's vertices at rest; NaN for vertices without a normal.
  [[nodiscard]] std::vector<float> normals_at_rest(std::size_t instance) const;

 private:
  /// Some shapes of a mesh, prepared separately: with very many shapes, deforming would check all of them for each one.
  struct FewShapes {
    Index first;
    deform::Prepared prepared;
  };

  /// The palette that several instances have at every pose, apart from the map of their own node, which moves none of their vertices.
  struct SharedPalette {
    deform::Palette palette;
    bool known = false;   ///< of the current pose
    bool exists = false;  ///< if known: whether all its maps are finite
  };
  static constexpr std::uint32_t unshared = static_cast<std::uint32_t>(-1);
  static constexpr std::size_t no_instance = static_cast<std::size_t>(-1);

  Side(const Model& model, deform::SceneDeformer deformer, unsigned threads);
  void share_palettes();
  /// Returns the palette of an instance at the current pose; nullptr if a transform is not finite.
  [[nodiscard]] const deform::Palette* palette_of(std::size_t instance);
  [[nodiscard]] bool own_map_fits(std::size_t instance) const;
  [[nodiscard]] const FewShapes* few_shapes(std::size_t instance, Index shape);
  [[nodiscard]] deform::PrepareOptions prepare_options(std::size_t instance) const;

  const Model* model_;
  deform::SceneDeformer deformer_;
  std::shared_ptr<const deform::Rig> rig_;
  unsigned threads_;
  AlignedVector<double> locals_, world_;  ///< of the current pose, by step of the rig
  Pose pose_;
  deform::Palette palette_;
  std::size_t palette_of_ = no_instance;  ///< the instance of `palette_`
  std::vector<SharedPalette> shared_;
  std::vector<std::uint32_t> shared_by_;  ///< by instance: an index in `shared_`, or `unshared`
  std::vector<float> rows_;
  std::vector<Index> stressed_;
  bool stored_amounts_ = false;
  std::vector<Index> shown_;                   ///< the shapes of the last moment; empty if it was of another kind
  std::vector<std::optional<FewShapes>> few_;  ///< by instance
};

/// Returns whether a node is sheared, so that stress poses cannot turn it; glTF needs two nodes for it.
[[nodiscard]] bool has_shear(const Model& model, Index node);

/// Returns the times at which two clips are compared: the keys of both, and half-way between them.
[[nodiscard]] std::vector<double> moments_of(const Clip& a, const Clip& b);

}  // namespace sinew::operations
