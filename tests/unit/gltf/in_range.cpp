// SPDX-License-Identifier: MIT
#include <cmath>

#include "base/guard.hpp"
#include "unit/gltf/builder.hpp"

namespace sinew::gltf::test {

namespace {

bool usable(const Entity& entity) { return entity.defect == none; }

void expect_below(const Array& values, std::uint64_t limit) {
  for (const std::uint32_t value : values.read<std::uint32_t>()) EXPECT_LT(value, limit);
}

// Reads every byte, so that the address sanitizer detects rows outside their buffer.
void expect_readable(const Array& values) {
  double sum = 0;
  for (const double value : values.read<double>()) sum += value;
  EXPECT_FALSE(values.size() != 0 && values.width() == 0) << sum;
}

void expect_block(const VertexBlock& block, std::size_t shapes) {
  for (const Attribute& attribute : block.attributes) {
    EXPECT_EQ(attribute.values.size(), block.vertices);
    expect_readable(attribute.values);
    for (const Offsets& offsets : attribute.offsets) {
      EXPECT_LT(offsets.shape, shapes);
      expect_readable(offsets.values);
      if (!offsets.sparse()) {
        EXPECT_EQ(offsets.values.size(), block.vertices);
        continue;
      }
      EXPECT_EQ(offsets.values.size(), offsets.indices.size());
      expect_below(offsets.indices, block.vertices);
    }
  }
  for (const auto& set : block.influences.sets) {
    EXPECT_EQ(set.joints.size(), block.vertices);
    EXPECT_EQ(set.weights.size(), block.vertices);
    EXPECT_EQ(set.joints.width(), 4u);
    EXPECT_EQ(set.weights.width(), 4u);
    expect_readable(set.weights);
  }
}

void expect_mesh(const Model& model, const Mesh& mesh) {
  for (const VertexBlock& block : mesh.blocks) expect_block(block, mesh.shapes.size());
  for (const Surface& surface : mesh.surfaces) {
    ASSERT_LT(surface.block, mesh.blocks.size());
    expect_below(surface.elements, mesh.blocks[surface.block].vertices);
    EXPECT_TRUE(surface.material == none || surface.material < model.materials.size());
  }
  for (const BlendShape& shape : mesh.shapes) EXPECT_TRUE(std::isfinite(shape.amount));
}

void expect_node(const Model& model, Index index) {
  const Node& node = model.nodes[index];
  if (!usable(node)) return;
  const LocalTransform& local = model.rest_pose.locals[index];
  for (const auto& part : {std::vector<double>(local.translation.begin(), local.translation.end()),
                           std::vector<double>(local.basis.begin(), local.basis.end())})
    for (const double x : part) EXPECT_TRUE(std::isfinite(x));
  EXPECT_TRUE(node.skin == none || node.skin < model.skins.size());
  if (node.mesh == none) return;
  ASSERT_LT(node.mesh, model.meshes.size());
  const Mesh& mesh = model.meshes[node.mesh];
  EXPECT_EQ(model.rest_pose.amounts[index].size(), mesh.shapes.size());
  if (node.skin == none || !usable(mesh) || !usable(model.skins[node.skin])) return;
  for (const VertexBlock& block : mesh.blocks)
    for (const auto& set : block.influences.sets) expect_below(set.joints, model.skins[node.skin].slots.size());
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

void expect_track(const Model& model, const Track& track) {
  ASSERT_LT(track.node, model.nodes.size());
  ASSERT_GT(track.times.size(), 0u);
  const std::vector<double> times = track.times.read<double>();
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_TRUE(std::isfinite(times[i]) && (i == 0 || times[i] >= times[i - 1]));
  std::size_t rows = times.size() * (track.interpolation == Interpolation::cubic_spline ? 3 : 1);
  if (track.path == TrackPath::amounts) rows *= model.meshes.at(model.nodes[track.node].mesh).shapes.size();
  EXPECT_EQ(track.values.size(), rows);
  for (const double value : track.values.read<double>()) EXPECT_TRUE(std::isfinite(value));
}

}  // namespace

void expect_in_range(const Model& model) {
  ASSERT_EQ(model.rest_pose.locals.size(), model.nodes.size());
  ASSERT_EQ(model.rest_pose.amounts.size(), model.nodes.size());
  for (const Mesh& mesh : model.meshes)
    if (usable(mesh)) expect_mesh(model, mesh);
  for (const Skin& skin : model.skins) {
    if (!usable(skin)) continue;
    for (const Index slot : skin.slots) EXPECT_LT(slot, model.nodes.size());
    EXPECT_EQ(skin.joint_from_mesh.size(), skin.bind == Skin::Bind::matrices ? skin.slots.size() : 0);
    for (const Affine& map : skin.joint_from_mesh) EXPECT_TRUE(is_finite(map));
    EXPECT_TRUE(skin.frame == none || skin.frame < model.nodes.size());
    EXPECT_TRUE(skin.root_hint == none || skin.root_hint < model.nodes.size());
  }
  for (const Skeleton& skeleton : model.skeletons) {
    if (!usable(skeleton)) continue;
    EXPECT_LT(skeleton.root, model.nodes.size());
    for (const Index joint : skeleton.joints) EXPECT_LT(joint, model.nodes.size());
    EXPECT_TRUE(skeleton.joint_from_mesh.empty() || skeleton.joint_from_mesh.size() == skeleton.joints.size());
  }
  for (Index i = 0; i < model.nodes.size(); ++i) expect_node(model, i);
  expect_trees(model);
  for (const Clip& clip : model.clips)
    if (usable(clip))
      for (const Track& track : clip.tracks) expect_track(model, track);
  for (const Scene& scene : model.scenes)
    for (const Index root : scene.roots) EXPECT_LT(root, model.nodes.size());
  EXPECT_TRUE(model.default_scene == none || model.default_scene < model.scenes.size());
  // Traversing the elements must be safe for any broken file.
  for (const Instance& instance : need(instances(model))) {
    EXPECT_LT(instance.mesh, model.meshes.size());
    EXPECT_TRUE(instance.skin == none || instance.skin < model.skins.size());
  }
}

}  // namespace sinew::gltf::test
