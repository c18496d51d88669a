// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "console/json.hpp"
#include "console/terminal.hpp"

#include "sinew/geometry.hpp"
#include "sinew/model.hpp"

namespace app {

/// The joint matrices of one instance at a pose, as in deformation: world_from_joint · joint_from_mesh per joint slot.
struct InstancePalette {
  sinew::Instance instance;
  std::vector<sinew::Affine> joints;  ///< per slot; without a skin, only the node's own map
};

/// Fails if a matrix is not finite.
[[nodiscard]] sinew::Result<std::vector<InstancePalette>> palettes_of(const sinew::Model& model, sinew::Index scene,
                                                                      const sinew::Pose& pose);

/// Formats each matrix in rows.
[[nodiscard]] std::string palettes_text(const sinew::Model& model, const std::vector<InstancePalette>& palettes, const Terminal& terminal);
/// Formats matrices as (N+1)² numbers, column-major, as in pose files.
[[nodiscard]] Json palettes_json(const sinew::Model& model, const std::vector<InstancePalette>& palettes);

}  // namespace app
