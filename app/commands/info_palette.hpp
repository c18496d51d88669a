// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "terminal.hpp"

#include "sinew/geometry.hpp"
#include "sinew/model.hpp"

namespace app {

/// The joint matrices of one instance at a pose: world_from_joint · joint_from_mesh per joint slot, as deforming uses them.
struct InstancePalette {
  sinew::Instance instance;
  std::vector<sinew::Affine> joints;  ///< per slot; without a skin one map, the node's own
};

/// Refuses matrices that are not finite.
[[nodiscard]] sinew::Result<std::vector<InstancePalette>> palettes_of(const sinew::Model& model, sinew::Index scene,
                                                                      const sinew::Pose& pose);

/// Rows of numbers as on paper.
[[nodiscard]] std::string palettes_text(const sinew::Model& model, const std::vector<InstancePalette>& palettes, const Terminal& terminal);
/// (N+1)² numbers per matrix, column-major, as in pose files.
[[nodiscard]] nlohmann::ordered_json palettes_json(const sinew::Model& model, const std::vector<InstancePalette>& palettes);

}  // namespace app
