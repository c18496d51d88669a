// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/guard.hpp"
#include "base/memory.hpp"

#include "sinew/deform.hpp"
#include "sinew/model.hpp"

namespace sinew {

/// Calls `use(surface, first, indices)` for every surface of simplexes with this number of corners. `first`: the row of its block in the
/// vertices of the mesh. `indices`: vertices of the block.
template <class Use>
void for_each_simplex_list(const Mesh& mesh, std::size_t dimension, std::size_t corners, Use&& use) {
  std::vector<std::size_t> first{0};
  for (const VertexBlock& block : mesh.blocks) first.push_back(first.back() + block.vertices);
  for (const Surface& surface : mesh.surfaces) {
    const Elements elements = need(elements_of(mesh, surface, dimension));
    if (elements.corners == corners) use(surface, first[surface.block], elements.indices);
  }
}

/// Computes normals from deformed positions, for vertices without stored normals. Immutable.
class ComputedNormals {
 public:
  ComputedNormals(const Model& model, const deform::SceneDeformer& scene, MemoryResource* memory);

  /// Fills the rows of all blocks without normals. Rows without a simplex that has a volume become NaN. The result does not depend on the
  /// number of threads. `scratch`: memory to use again, for one call at a time.
  void run(const strided_view<float>& positions, const strided_view<float>& normals, std::vector<double>& scratch, unsigned threads) const;

 private:
  struct Block {
    std::size_t first = 0;  ///< row in the scene
    std::size_t vertices = 0;
    std::size_t simplexes = 0;  ///< index in simplexes_, which blocks of one mesh share
  };
  struct Simplexes {
    List<std::uint32_t> corners;  ///< rows of `dimension` vertices of the block
    List<std::uint32_t> first;    ///< the simplexes around vertex v are around[first[v] … first[v + 1])
    List<std::uint32_t> around;   ///< ascending

    /// Fills `first` and `around`.
    void find_around(std::size_t vertices, std::size_t n);
  };
  std::vector<Block> blocks_;
  std::vector<Simplexes> simplexes_;
};

}  // namespace sinew
