// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/catalogue.hpp"
#include "door/computed_normals.hpp"

#include "sinew/deform.hpp"
#include "sinew/sinew.hpp"

namespace sinew {

struct Deformer::State {
  std::shared_ptr<const Model> model;
  DeformerOptions options;
  deform::SceneDeformer scene;
  std::shared_ptr<const ComputedNormals> computed;  ///< null: not requested or not needed
  std::vector<InstanceRows> instances;
  std::vector<float> positions = {};         ///< for normals that are computed when positions are not requested
  std::vector<double> normals_scratch = {};  ///< of ComputedNormals::run

  /// Refuses channels that the options leave out, and other sizes than `rows` rows.
  [[nodiscard]] Result<> check(const deform::Output& out, std::size_t rows) const;
  /// Fills normals and tangents with NaN if some mesh has none and none are computed.
  void fill_missing(const deform::Output& out) const;
};

[[nodiscard]] inline Unexpected usage(std::string message) { return Unexpected(error("SINEW_USAGE"_code, Failure::usage, {}, message)); }

}  // namespace sinew
