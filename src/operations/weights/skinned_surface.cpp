// SPDX-License-Identifier: MIT
#include "operations/weights/skinned_surface.hpp"

#include <algorithm>
#include <utility>

#include "base/guard.hpp"
#include "model/influences.hpp"

#include "sinew/deform.hpp"

namespace sinew::operations::weights {

namespace {

std::size_t rows_of_block(const VertexBlock& block) {
  return find_attribute(block.attributes, Semantic::position) == nullptr ? 0 : block.vertices;
}

/// Returns the number of a joint in the list, after adding it.
std::uint32_t slot_of(Index joint, std::vector<Index>& slots) {
  const auto found = std::ranges::find(slots, joint);
  const auto number = static_cast<std::uint32_t>(found - slots.begin());
  if (found == slots.end()) slots.push_back(joint);
  return number;
}

/// Appends a mesh whose rows name joints by their place in `numbers`.
void append_rows(const SceneMesh& mesh, std::span<const InfluenceRow> rows, std::span<const std::uint32_t> numbers,
                 WeightedSurface& surface) {
  const auto begin = static_cast<std::uint32_t>(surface.vertices.size());
  surface.vertices.insert(surface.vertices.end(), mesh.vertices.begin(), mesh.vertices.end());
  for (const Triangle& t : mesh.triangles) surface.triangles.push_back({begin + t[0], begin + t[1], begin + t[2]});
  if (surface.first.empty()) surface.first.push_back(0);
  for (const auto& row : rows) {
    const double sum = sum_of(row);
    for (const auto& [slot, weight] : row) {
      surface.joint.push_back(numbers[slot]);
      surface.weight.push_back(weight / sum);
    }
    surface.first.push_back(surface.joint.size());
  }
}

}  // namespace

Result<DeformedScene> DeformedScene::create(const Model& model, unsigned threads) {
  DeformedScene scene(model);
  auto deformer = deform::SceneDeformer::create(model, need(instances(model)), {.kernel = "plain"});
  if (!deformer) return Unexpected(std::move(deformer.error()));
  scene.positions_.resize(deformer->vertices() * 3);
  if (auto done = deformer->run(model.rest_pose, {{scene.positions_.data(), deformer->vertices(), 3}, {}, {}}, threads); !done)
    return Unexpected(std::move(done.error()));
  scene.list_ = deformer->instances();
  for (std::size_t i = 0; i <= scene.list_.size(); ++i) scene.first_.push_back(deformer->first(i));
  return scene;
}

SceneMesh DeformedScene::mesh(std::size_t instance) const {
  SceneMesh out;
  for (std::size_t row = first_[instance]; row < first_[instance + 1]; ++row) {
    const float* const at = &positions_[row * 3];
    out.vertices.push_back({static_cast<double>(at[0]), static_cast<double>(at[1]), static_cast<double>(at[2])});
  }
  const Mesh& mesh = model_.meshes[list_[instance].mesh];
  std::vector<std::uint32_t> first{0};
  for (const VertexBlock& block : mesh.blocks) first.push_back(first.back() + static_cast<std::uint32_t>(rows_of_block(block)));
  for (const Surface& surface : mesh.surfaces) {
    if (rows_of_block(mesh.blocks[surface.block]) == 0) continue;
    const Elements elements = need(elements_of(mesh, surface, 3));
    if (elements.corners != 3) continue;
    const std::uint32_t begin = first[surface.block];
    for (std::size_t i = 0; i + 3 <= elements.indices.size(); i += 3)
      out.triangles.push_back({begin + elements.indices[i], begin + elements.indices[i + 1], begin + elements.indices[i + 2]});
  }
  return out;
}

bool append_surface(const Model& model, const Instance& instance, const SceneMesh& mesh, std::vector<Index>& slots,
                    WeightedSurface& surface) {
  const Skin& skin = model.skins[instance.skin];
  std::vector<InfluenceRow> rows(mesh.vertices.size());
  std::size_t first = 0;
  for (const VertexBlock& block : model.meshes[instance.mesh].blocks) {
    if (rows_of_block(block) == 0) continue;
    const InfluenceTable influences(block.influences);
    for (std::size_t vertex = 0; vertex < influences.size(); ++vertex)
      for (const Influence& entry : influences[vertex])
        if (entry.weight > 0 && entry.slot < skin.slots.size() && skin.slots[entry.slot] != none) rows[first + vertex].push_back(entry);
    first += block.vertices;
  }
  if (std::ranges::all_of(rows, [](const auto& row) { return row.empty(); })) return false;
  std::vector<std::uint32_t> numbers;
  for (const Index joint : skin.slots) numbers.push_back(slot_of(joint, slots));
  append_rows(mesh, rows, numbers, surface);
  return true;
}

void append_rigid(const SceneMesh& mesh, Index joint, std::vector<Index>& slots, WeightedSurface& surface) {
  const std::uint32_t number = slot_of(joint, slots);
  append_rows(mesh, std::vector<InfluenceRow>(mesh.vertices.size(), InfluenceRow{{0, 1}}), std::span(&number, 1), surface);
}

std::vector<std::vector<Vec>> bones_of(const Model& model, const std::vector<Index>& slots) {
  const std::vector<Affine> world = need(world_transforms(model, model.rest_pose));
  const auto place = [&](Index node) { return Vec{world[node].translation(0), world[node].translation(1), world[node].translation(2)}; };
  std::vector<std::vector<Vec>> bones;
  for (const Index joint : slots) {
    std::vector<Vec>& ends = bones.emplace_back();
    ends.push_back(place(joint));
    std::vector<Index> open = model.nodes[joint].children;
    while (!open.empty()) {
      const Index node = open.back();
      open.pop_back();
      if (std::ranges::find(slots, node) != slots.end())
        ends.push_back(place(node));
      else
        open.insert(open.end(), model.nodes[node].children.begin(), model.nodes[node].children.end());
    }
  }
  return bones;
}

Index own_mesh(Model& model, Index node) {
  const Index mesh = model.nodes[node].mesh;
  for (Index other = 0; other < model.nodes.size(); ++other) {
    if (other == node || model.nodes[other].mesh != mesh) continue;
    Mesh copy = model.meshes[mesh];
    copy.source = SourceId::nowhere;
    model.meshes.push_back(std::move(copy));
    return model.nodes[node].mesh = static_cast<Index>(model.meshes.size() - 1);
  }
  return mesh;
}

void add_skin(Model& model, Index node, const std::vector<Index>& slots, std::vector<Affine> joint_from_mesh) {
  Skin skin;
  skin.name = model.nodes[node].name;
  skin.slots = slots;
  skin.bind = Skin::Bind::matrices;
  skin.joint_from_mesh = std::move(joint_from_mesh);
  for (const Skeleton& skeleton : model.skeletons)
    if (std::ranges::find(skeleton.joints, slots.front()) != skeleton.joints.end()) skin.root_hint = skeleton.root;
  model.nodes[node].skin = static_cast<Index>(model.skins.size());
  model.skins.push_back(std::move(skin));
}

}  // namespace sinew::operations::weights
