// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "operations/weights/vec.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// The vertices of the meshes of the default scene in some of the poses that compare measures, the rest pose first: stress poses, moments
/// of all clips, and blend shapes, several in one pose.
struct TrianglePoses {
  std::size_t count = 0;
  /// By mesh: place of row r in pose k at [r * count + k]; empty if the scene does not show the mesh, or a place is not finite. A mesh with
  /// several instances takes turns: pose k is one of instance k modulo their number.
  std::vector<std::vector<weights::Vec>> places;
};
/// `most`: the largest number of poses.
[[nodiscard]] Result<TrianglePoses> triangle_poses(const Model& model, std::size_t most, unsigned threads);

}  // namespace sinew::operations
