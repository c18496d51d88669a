// SPDX-License-Identifier: MIT
#include "door/computed_normals.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "base/guard.hpp"

#include "sinew/geometry.hpp"

namespace sinew {

ComputedNormals::ComputedNormals(const Model& model, const deform::SceneDeformer& scene) {
  const std::size_t n = model.dimension;
  const auto lacks_normals = [](const VertexBlock& block) { return find_attribute(block.attributes, Semantic::normal) == nullptr; };
  std::map<Index, std::size_t> first_list;  // by mesh; one list per block
  for (std::size_t i = 0; i < scene.instances().size(); ++i) {
    const Mesh& mesh = model.meshes[scene.instances()[i].mesh];
    const auto [list, added] = first_list.try_emplace(scene.instances()[i].mesh, simplexes_.size());
    if (added) {
      simplexes_.resize(simplexes_.size() + mesh.blocks.size());
      for_each_simplex_list(mesh, n, n, [&](const Surface& surface, std::size_t, const std::vector<std::uint32_t>& indices) {
        auto& all = simplexes_[list->second + surface.block];
        if (lacks_normals(mesh.blocks[surface.block])) all.insert(all.end(), indices.begin(), indices.end());
      });
    }
    std::size_t first = scene.first(i);
    for (std::size_t b = 0; b < mesh.blocks.size(); first += mesh.blocks[b].vertices, ++b)
      if (lacks_normals(mesh.blocks[b])) blocks_.push_back({first, mesh.blocks[b].vertices, list->second + b});
  }
}

void ComputedNormals::run(const strided_view<float>& positions, const strided_view<float>& normals) const {
  const std::size_t n = positions.width();
  for (const Block& block : blocks_) {
    const std::vector<std::uint32_t>& list = simplexes_[block.simplexes];
    const auto own = positions.rows(block.first, block.vertices);
    const auto rows = normals.rows(block.first, block.vertices);
    need(smooth_normals<float>({own.data(), own.size(), n, own.stride()}, {list.data(), list.size() / n, n}, rows));
    for (std::size_t row = 0; row < rows.size(); ++row)
      if (std::all_of(rows[row], rows[row] + n, [](float value) { return value == 0; }))
        std::fill_n(rows[row], n, std::numeric_limits<float>::quiet_NaN());
  }
}

}  // namespace sinew
