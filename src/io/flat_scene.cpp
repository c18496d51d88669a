// SPDX-License-Identifier: MIT
#include "io/flat_scene.hpp"

#include <algorithm>

namespace sinew::io {

FlatScene flatten(const Model& model) {
  FlatScene scene;
  for (const Instance& from : instances(model)) {
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
        instance.surfaces.push_back({&surface, surface.block, elements_of(mesh, surface, model.dimension)});
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

}  // namespace sinew::io
