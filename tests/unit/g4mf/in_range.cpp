// SPDX-License-Identifier: MIT
#include <cmath>

#include "base/guard.hpp"
#include "unit/g4mf/builder.hpp"

namespace sinew::g4mf::test {

namespace {

bool usable(const Entity& entity) { return entity.defect == none; }

void expect_below(const Array& values, std::uint64_t limit) {
  for (const std::uint32_t value : values.read<std::uint32_t>()) EXPECT_LT(value, limit);
}

// Reads every byte, so that the address sanitizer detects rows outside their buffer.
void expect_readable(const Array& values) {
  double sum = 0;
  for (const double value : values.read<double>()) sum += value;
  EXPECT_FALSE(sum > 0 && values.empty());
}

void expect_attribute(const Attribute& attribute, std::size_t domain, std::size_t shapes, std::size_t dimension) {
  const bool flat = attribute.semantic == Semantic::normal && attribute.values.width() == 0;  // offsets of what is not stored
  const std::size_t rows = flat ? domain : attribute.values.size();
  if (attribute.index.width() == 0) {
    EXPECT_EQ(rows, domain);
  } else {
    EXPECT_EQ(attribute.index.size(), domain);
    expect_below(attribute.index, rows);
  }
  expect_readable(attribute.values);
  for (const Offsets& offsets : attribute.offsets) {
    EXPECT_LT(offsets.shape, shapes);
    EXPECT_TRUE(offsets.sparse());
    EXPECT_EQ(offsets.values.size(), offsets.indices.size());
    EXPECT_EQ(offsets.values.width(), flat ? dimension : attribute.values.width());
    expect_below(offsets.indices, rows);
    expect_readable(offsets.values);
  }
}

void expect_topology(const Topology& topology, const Surface& surface, std::size_t vertices, std::size_t shapes, std::size_t dimension) {
  std::size_t below = surface.edges.size();
  for (const Array& tier : topology.tiers) {
    const std::vector<std::uint32_t> words = tier.read<std::uint32_t>();
    std::size_t items = 0;
    for (std::size_t i = 0; i < words.size(); i += words[i] + std::size_t{1}, ++items) {
      ASSERT_LE(i + words[i], words.size() - 1);
      for (std::size_t k = 1; k <= words[i]; ++k) EXPECT_LT(words[i + k], below);
    }
    below = items;
  }
  expect_below(topology.instances, vertices);
  expect_readable(topology.seams);
  for (const Attribute& attribute : topology.attributes) expect_attribute(attribute, topology.instances.size(), shapes, dimension);
}

void expect_mesh(const Model& model, const Mesh& mesh) {
  ASSERT_EQ(mesh.blocks.size(), 1U);
  const VertexBlock& block = mesh.blocks[0];
  ASSERT_FALSE(block.attributes.empty());
  EXPECT_EQ(block.attributes[0].values.width(), model.dimension);
  for (const Attribute& attribute : block.attributes) expect_attribute(attribute, block.vertices, mesh.shapes.size(), model.dimension);
  if (!block.influences.empty()) {
    const Influences& influences = block.influences;
    ASSERT_EQ(influences.first.size(), block.vertices + 1);
    EXPECT_TRUE(std::is_sorted(influences.first.begin(), influences.first.end()));
    EXPECT_EQ(influences.first.front(), 0U);
    EXPECT_EQ(influences.first.back(), influences.slots.size());
    EXPECT_EQ(influences.weights.size(), influences.slots.size());
    EXPECT_TRUE(influences.divide_by_sum);
    for (const double weight : influences.weights.read<double>()) EXPECT_TRUE(std::isfinite(weight));
  }
  for (const Surface& surface : mesh.surfaces) {
    EXPECT_TRUE(usable(surface));
    EXPECT_EQ(surface.block, 0U);
    expect_below(surface.elements, block.vertices);
    expect_below(surface.edges, block.vertices);
    EXPECT_TRUE(surface.material == none || surface.material < model.materials.size());
    const std::size_t corners = surface.indexed ? surface.elements.size() * surface.elements.width() : block.vertices;
    for (const Attribute& attribute : surface.attributes) expect_attribute(attribute, corners, mesh.shapes.size(), model.dimension);
    if (surface.topology) expect_topology(*surface.topology, surface, block.vertices, mesh.shapes.size(), model.dimension);
  }
}

void expect_node(const Model& model, Index index) {
  const Node& node = model.nodes[index];
  if (!usable(node)) return;
  const LocalTransform& local = model.rest_pose.locals[index];
  const std::size_t dimension = model.dimension;
  EXPECT_TRUE(local.translation.empty() || local.translation.size() == dimension);
  EXPECT_TRUE(local.scale.empty() || local.scale.size() == dimension);
  EXPECT_TRUE(local.basis.empty() || local.basis.size() == dimension * dimension);
  EXPECT_TRUE(local.basis.empty() || (local.rotor.empty() && local.scale.empty()));
  EXPECT_TRUE(is_finite(affine_of(dimension, local)));
  EXPECT_TRUE(node.skin == none || node.skin < model.skins.size());
  if (node.mesh == none) return;
  ASSERT_LT(node.mesh, model.meshes.size());
  const Mesh& mesh = model.meshes[node.mesh];
  EXPECT_EQ(model.rest_pose.amounts[index].size(), mesh.shapes.size());
  EXPECT_TRUE(node.materials.empty() || node.materials.size() == 1 || node.materials.size() == mesh.surfaces.size());
  for (const Index material : node.materials) EXPECT_TRUE(material == none || material < model.materials.size());
}

void expect_trees(const Model& model) {
  for (Index i = 0; i < model.nodes.size(); ++i) {
    std::size_t steps = 0;
    for (Index up = model.nodes[i].parent; up != none; up = model.nodes[up].parent) {
      ASSERT_LT(up, model.nodes.size());
      ASSERT_LE(++steps, model.nodes.size()) << "a cycle";
    }
    for (const Index child : model.nodes[i].children) {
      ASSERT_LT(child, model.nodes.size());
      EXPECT_EQ(model.nodes[child].parent, i);
    }
  }
}

}  // namespace

void expect_in_range(const Model& model) {
  EXPECT_LE(model.dimension, Limits{}.dimension);
  ASSERT_EQ(model.rest_pose.locals.size(), model.nodes.size());
  ASSERT_EQ(model.rest_pose.amounts.size(), model.nodes.size());
  for (const Mesh& mesh : model.meshes)
    if (usable(mesh)) expect_mesh(model, mesh);
  for (const Skin& skin : model.skins) {
    if (!usable(skin)) continue;
    EXPECT_EQ(skin.bind, Skin::Bind::skeleton_pose);
    for (const Index slot : skin.slots) EXPECT_TRUE(slot == none || slot < model.nodes.size());
    EXPECT_LT(skin.frame, model.nodes.size());
  }
  for (const Skeleton& skeleton : model.skeletons) {
    EXPECT_LT(skeleton.node, model.nodes.size());
    for (const Index joint : skeleton.joints) EXPECT_TRUE(joint == none || joint < model.nodes.size());
  }
  for (Index i = 0; i < model.nodes.size(); ++i) expect_node(model, i);
  expect_trees(model);
  EXPECT_EQ(model.scenes.size(), model.nodes.empty() ? 0U : 1U);
  for (const Scene& scene : model.scenes)
    for (const Index root : scene.roots) EXPECT_LT(root, model.nodes.size());
  // Traversing the elements must be safe for any broken file.
  for (const Instance& instance : need(instances(model))) {
    EXPECT_LT(instance.mesh, model.meshes.size());
    EXPECT_TRUE(instance.skin == none || instance.skin < model.skins.size());
  }
}

}  // namespace sinew::g4mf::test
