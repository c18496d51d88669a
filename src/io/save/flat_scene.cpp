// SPDX-License-Identifier: MIT
#include "io/save/flat_scene.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "base/guard.hpp"

namespace sinew::io {

FlatScene flatten(const Model& model) {
  FlatScene scene;
  for (const Instance& from : need(instances(model))) {
    const Mesh& mesh = model.meshes[from.mesh];
    FlatInstance& instance = scene.instances.emplace_back();
    instance.name = model.nodes[from.node].name;
    if (instance.name.empty()) instance.name = mesh.name;
    if (instance.name.empty()) instance.name = "mesh_" + std::to_string(scene.instances.size() - 1);
    for (const VertexBlock& block : mesh.blocks) {
      instance.blocks.push_back({&block, scene.vertices});
      scene.vertices += block.vertices;
    }
    for (const Surface& surface : mesh.surfaces)
      if (mesh.blocks[surface.block].vertices != 0)
        instance.surfaces.push_back({&surface, surface.block, need(elements_of(mesh, surface, model.dimension))});
  }
  return scene;
}

std::size_t count_elements(const FlatScene& scene, std::size_t corners) {
  std::size_t count = 0;
  for (const FlatInstance& instance : scene.instances)
    for (const FlatSurface& surface : instance.surfaces)
      if (surface.elements.corners == corners) count += surface.elements.indices.size() / corners;
  return count;
}

bool any_block_has(const FlatScene& scene, Semantic semantic) {
  return std::ranges::any_of(scene.instances, [&](const FlatInstance& instance) {
    return std::ranges::any_of(instance.blocks,
                               [&](const FlatBlock& block) { return find_attribute(block.block->attributes, semantic) != nullptr; });
  });
}

FlatRows rows_of(const VertexBlock& block, Semantic semantic) {
  const Attribute* attribute = find_attribute(block.attributes, semantic);
  if (attribute == nullptr) return {};
  return {attribute->values.read<float>(), attribute->values.width()};
}

FlatCorners corners_of(const FlatSurface& surface, Semantic semantic) {
  const Attribute* attribute = find_attribute(surface.surface->attributes, semantic);
  if (attribute == nullptr) return {};
  const std::vector<float> values = attribute->values.read<float>();
  const std::vector<std::uint32_t> index = attribute->index.read<std::uint32_t>();
  FlatCorners corners;
  const std::size_t width = corners.rows.width = attribute->values.width();
  std::unordered_map<std::string_view, std::uint32_t> seen;
  for (std::size_t corner = 0; corner < surface.elements.indices.size(); ++corner) {
    const float* row = &values[(index.empty() ? corner : index[corner]) * width];
    const std::string_view key(reinterpret_cast<const char*>(row), width * sizeof(float));
    const auto [found, added] = seen.emplace(key, static_cast<std::uint32_t>(seen.size()));
    if (added) corners.rows.values.insert(corners.rows.values.end(), row, row + width);
    corners.index.push_back(found->second);
  }
  return corners;
}

}  // namespace sinew::io
