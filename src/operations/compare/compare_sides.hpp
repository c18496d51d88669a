// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

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

/// One of the two models with prepared instances. Deforms one instance at a time.
class Side {
 public:
  [[nodiscard]] static Result<Side> create(const Model& model, Index scene, unsigned threads);

  [[nodiscard]] const Model& model() const { return *model_; }
  [[nodiscard]] const std::vector<Instance>& instances() const { return deformer_.instances(); }
  [[nodiscard]] const Mesh& mesh(std::size_t instance) const { return model_->meshes[instances()[instance].mesh]; }
  [[nodiscard]] std::size_t vertices(std::size_t instance) const { return deformer_.prepared(instance).vertices(); }

  [[nodiscard]] const deform::Prepared& prepared(std::size_t instance) const { return deformer_.prepared(instance); }
  [[nodiscard]] std::span<const Affine> rest_world() const { return rest_world_; }
  /// Returns the world transforms at the current pose.
  [[nodiscard]] std::span<const Affine> world() const { return world_; }
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
  /// Returns the normals of an instance's vertices at rest; NaN for vertices without a normal.
  [[nodiscard]] std::vector<float> normals_at_rest(std::size_t instance) const;

 private:
  /// Some shapes of a mesh, prepared separately: with very many shapes, deforming would check all of them for each one.
  struct FewShapes {
    Index first;
    deform::Prepared prepared;
  };

  Side(const Model& model, deform::SceneDeformer deformer, unsigned threads);
  [[nodiscard]] const FewShapes* few_shapes(std::size_t instance, Index shape);
  [[nodiscard]] deform::PrepareOptions prepare_options(std::size_t instance) const;

  const Model* model_;
  deform::SceneDeformer deformer_;
  unsigned threads_;
  std::vector<Affine> rest_world_, world_;
  Pose pose_;
  deform::Palette palette_;
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
