// SPDX-License-Identifier: MIT
#include "door/computed_normals.hpp"

#include <map>
#include <numeric>

#include "base/parallel.hpp"
#include "deform/smooth.hpp"

namespace sinew {

namespace {

constexpr std::size_t grain = 2048;  // simplexes or vertices that are worth a thread

}  // namespace

ComputedNormals::ComputedNormals(const Model& model, const deform::SceneDeformer& scene, MemoryResource* memory) {
  const std::size_t n = model.dimension;
  const auto lacks_normals = [](const VertexBlock& block) { return find_attribute(block.attributes, Semantic::normal) == nullptr; };
  std::map<Index, std::size_t> first_surface;  // by mesh; one for each of its blocks
  for (std::size_t i = 0; i < scene.instances().size(); ++i) {
    const Mesh& mesh = model.meshes[scene.instances()[i].mesh];
    const auto [in_mesh, added] = first_surface.try_emplace(scene.instances()[i].mesh, simplexes_.size());
    if (added) {
      simplexes_.resize(simplexes_.size() + mesh.blocks.size());
      for_each_simplex_list(mesh, n, n, [&](const Surface& surface, std::size_t, const std::vector<std::uint32_t>& indices) {
        auto& all = simplexes_[in_mesh->second + surface.block].corners;
        if (lacks_normals(mesh.blocks[surface.block])) all.insert(all.end(), indices.begin(), indices.end());
      });
      for (std::size_t b = 0; b < mesh.blocks.size(); ++b) simplexes_[in_mesh->second + b].find_around(mesh.blocks[b].vertices, n);
    }
    std::size_t first = scene.first(i);
    for (std::size_t b = 0; b < mesh.blocks.size(); first += mesh.blocks[b].vertices, ++b)
      if (lacks_normals(mesh.blocks[b])) blocks_.push_back({first, mesh.blocks[b].vertices, in_mesh->second + b});
  }
  for (Simplexes& all : simplexes_) move_to(memory, all.corners, all.first, all.around);
}

void ComputedNormals::Simplexes::find_around(std::size_t vertices, std::size_t n) {
  first.assign(vertices + 1, 0);
  for (const std::uint32_t vertex : corners) ++first[vertex + 1];
  std::inclusive_scan(first.begin(), first.end(), first.begin());
  around.resize(corners.size());
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for (std::size_t c = 0; c < corners.size(); ++c) around[next[corners[c]]++] = static_cast<std::uint32_t>(c / n);
}

void ComputedNormals::run(const strided_view<float>& positions, const strided_view<float>& normals, std::vector<double>& scratch,
                          unsigned threads) const {
  const std::size_t n = positions.width();
  for (const Block& block : blocks_) {
    const Simplexes& all = simplexes_[block.simplexes];
    const std::span<const std::uint32_t> corners(all.corners);
    const auto own = positions.rows(block.first, block.vertices), rows = normals.rows(block.first, block.vertices);
    if (scratch.size() < corners.size()) scratch.resize(corners.size());
    parallel_for(corners.size() / n, grain, threads, [&](std::size_t begin, std::size_t end) {
      deform::simplex_normals(own, corners.subspan(begin * n, (end - begin) * n), scratch.data() + begin * n);
    });
    parallel_for(block.vertices, grain, threads, [&](std::size_t begin, std::size_t end) {
      deform::vertex_normals(all.first, all.around, scratch.data(), begin, end, rows);
    });
  }
}

}  // namespace sinew
