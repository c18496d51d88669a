// SPDX-License-Identifier: MIT
#pragma once

#include <utility>
#include <vector>

#include "sinew/bake.hpp"
#include "sinew/deform.hpp"
#include "sinew/model.hpp"

namespace sinew::operations {

/// Bakes many poses of one model (see `bake`), which it prepares once.
class Baker {
 public:
  /// Keeps a reference to `model`. Fails like bake.
  [[nodiscard]] static Result<Baker> create(const Model& model, const BakeOptions& options);

  [[nodiscard]] const Model& model() const { return *model_; }
  /// The same as bake(model, pose, options).
  [[nodiscard]] Result<Model> at(const Pose& pose);
  /// The positions of that model alone: those of all blocks of all instances, N numbers each, also where a block has none.
  [[nodiscard]] Result<std::vector<float>> positions_at(const Pose& pose);

 private:
  Baker(const Model& model, const BakeOptions& options, deform::SceneDeformer deformer)
      : model_(&model), options_(options), deformer_(std::move(deformer)) {}
  [[nodiscard]] Result<Model> baked(const Pose& pose);

  const Model* model_;
  BakeOptions options_;
  deform::SceneDeformer deformer_;
  std::vector<Affine> rest_world_;
};

}  // namespace sinew::operations
