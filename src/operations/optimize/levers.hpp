// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::operations {

/// How far the vertices of a model move when a node moves, in the rest pose. These are estimates: animated scales and translations can make
/// them larger, and the comparison of the result decides.
struct Levers {
  std::vector<double> reach;                ///< of each node: the largest distance between its origin and a vertex that it moves
  std::vector<double> scale;                ///< of each node's parent: the largest factor of its world transform
  std::vector<double> meshes;               ///< of each mesh: the largest factor of a map from its vertices to the world
  std::vector<std::vector<double>> shapes;  ///< of each node: how far each blend shape of its mesh moves a vertex
};

/// Nodes that move no vertex get the reach `otherwise`: a program may attach something to them.
[[nodiscard]] Levers levers_of(const Model& model, double otherwise);

}  // namespace sinew::operations
