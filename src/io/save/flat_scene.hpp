// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::io {

/// A block of an instance; `first` is the scene-wide number of its first vertex.
struct FlatBlock {
  const VertexBlock* block;
  std::size_t first;
};

/// A surface with strips, fans and loops expanded; indices count within its block.
struct FlatSurface {
  const Surface* surface;
  std::size_t block;  ///< of FlatInstance::blocks
  Elements elements;
};

struct FlatInstance {
  std::string name;  ///< the name of the node or the mesh, or "mesh_I"
  std::vector<FlatBlock> blocks;
  std::vector<FlatSurface> surfaces;
};

/// The instances of the default scene, for formats without nodes. Refers to the model.
struct FlatScene {
  std::vector<FlatInstance> instances;
  std::size_t vertices = 0;
};
[[nodiscard]] FlatScene flatten(const Model& model);

/// Returns the number of elements with that many corners in all surfaces.
[[nodiscard]] std::size_t count_elements(const FlatScene& scene, std::size_t corners);

/// Returns whether some block has the attribute.
[[nodiscard]] bool any_block_has(const FlatScene& scene, Semantic semantic);

/// The attribute of a block as floats; empty if there is none.
struct FlatRows {
  std::vector<float> values;
  std::size_t width = 0;

  [[nodiscard]] bool empty() const { return values.empty(); }
  [[nodiscard]] const float* operator[](std::size_t row) const { return values.data() + row * width; }
};
[[nodiscard]] FlatRows rows_of(const VertexBlock& block, Semantic semantic);

/// Values of a surface's corners: each distinct row once, in the order of first use, and the row of every corner.
struct FlatCorners {
  FlatRows rows;
  std::vector<std::uint32_t> index;  ///< empty: the surface has no such values
};
[[nodiscard]] FlatCorners corners_of(const FlatSurface& surface, Semantic semantic);

}  // namespace sinew::io
