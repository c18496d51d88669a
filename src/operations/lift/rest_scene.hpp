// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "operations/lift/sheet.hpp"

namespace sinew::operations {

/// What the scene draws at rest.
struct RestScene {
  struct Drawn {
    Index mesh = none;
    double scale = 1;            ///< the length of its edges, relative to the stored ones
    std::vector<double> places;  ///< of its vertices, N numbers each
  };
  std::size_t dimension = 0;
  double diagonal = 0;
  std::vector<Drawn> drawn;  ///< the first instance of each mesh

  /// 1 for a mesh that is not drawn.
  [[nodiscard]] double scale_of(Index mesh) const;
};

[[nodiscard]] Result<RestScene> scene_at_rest(const Model& model, unsigned threads);

/// The thickness of the sheets, by mesh and point, in the units of the meshes.
struct SheetThickness {
  std::vector<std::vector<double>> of_mesh;
  std::size_t meeting = 0;  ///< simplexes that touch or cross others of the scene
};

/// Returns `wanted` (in the world), or less where that is too much for the sheets as the scene draws them (limit_thickness): several meshes
/// must not meet either; of the copies of a mesh, only the first one counts. `sheets`: by mesh.
[[nodiscard]] SheetThickness thickness_in(const RestScene& scene, const std::vector<const Sheet*>& sheets, double wanted, unsigned threads);

}  // namespace sinew::operations
