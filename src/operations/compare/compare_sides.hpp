// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/compare.hpp"
#include "sinew/deform.hpp"

namespace sinew::operations {

/// A moment at which both sides are looked at, as one of them sees it.
struct Moment {
  Part::Kind kind = Part::Kind::rest;
  Index clip = none;
  double seconds = 0;
  std::vector<Index> shapes;  ///< Kind::shape: of each instance the one with amount 1, or `none`
};

/// One of the two models, its instances prepared; deforms one instance at a time.
class Side {
 public:
  [[nodiscard]] static Result<Side> create(const Model& model, Index scene, unsigned threads);

  [[nodiscard]] const Model& model() const { return *model_; }
  [[nodiscard]] const std::vector<Instance>& instances() const { return deformer_.instances(); }
  [[nodiscard]] const Mesh& mesh(std::size_t instance) const { return model_->meshes[instances()[instance].mesh]; }
  [[nodiscard]] std::size_t vertices(std::size_t instance) const { return deformer_.prepared(instance).vertices(); }

  void pose_at(const Moment& moment);
  /// The rows of an instance at that pose, until the next call; nothing where a transform is not finite.
  [[nodiscard]] std::optional<std::span<const float>> rows(std::size_t instance);

 private:
  /// Some of a mesh's shapes by themselves: a mesh of very many would be looked through for every one of them.
  struct FewShapes {
    Index first;
    deform::Prepared prepared;
  };

  Side(const Model& model, deform::SceneDeformer deformer, unsigned threads);
  [[nodiscard]] const FewShapes* few_shapes(std::size_t instance, Index shape);

  const Model* model_;
  deform::SceneDeformer deformer_;
  unsigned threads_;
  std::vector<Affine> rest_world_, world_;
  Pose pose_;
  deform::Palette palette_;
  std::vector<float> rows_;
  std::vector<Index> shown_;                   ///< the shapes of the last moment; empty where it was another than of shapes
  std::vector<std::optional<FewShapes>> few_;  ///< of each instance
};

/// Which things belong together: by a name that only one has on either side, then what is left in order.
struct Paired {
  std::vector<std::pair<Index, Index>> pairs;  ///< ascending
  std::vector<Index> only_a, only_b;
};
[[nodiscard]] Paired pair_by_name(std::span<const std::string> a, std::span<const std::string> b);

/// Times at which two clips are compared: the keys of both, and half-way between them.
[[nodiscard]] std::vector<double> moments_of(const Clip& a, const Clip& b);

}  // namespace sinew::operations
