// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/deform.hpp"
#include "sinew/model.hpp"

namespace sinew {

/// Calls `use(block, first, indices)` for every surface made of simplexes with that many corners; `first`: the row where its block starts
/// among the vertices of the mesh; `indices`: vertices of the block.
template <class Use>
void for_each_simplex_list(const Mesh& mesh, std::size_t dimension, std::size_t corners, Use&& use) {
  std::vector<std::size_t> first{0};
  for (const VertexBlock& block : mesh.blocks) first.push_back(first.back() + block.vertices);
  for (const Surface& surface : mesh.surfaces) {
    const Elements elements = elements_of(mesh, surface, dimension);
    if (elements.corners == corners) use(surface.block, first[surface.block], elements.indices);
  }
}

/// Normals of vertices that the file stores none for, from deformed positions. Immutable.
class ComputedNormals {
 public:
  ComputedNormals(const Model& model, const deform::SceneDeformer& scene);

  /// Fills the rows of all blocks without normals; rows that no simplex with a volume touches become NaN.
  void run(const strided_view<float>& positions, const strided_view<float>& normals) const;

 private:
  struct Block {
    std::size_t first = 0;  ///< row of the scene
    std::size_t vertices = 0;
    std::size_t simplexes = 0;  ///< of simplexes_, which blocks of one mesh share
  };
  std::vector<Block> blocks_;
  std::vector<std::vector<std::uint32_t>> simplexes_;  ///< rows of `dimension` vertices of the block
};

}  // namespace sinew
