// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/guard.hpp"
#include "model/deformable.hpp"

#include "sinew/model.hpp"

namespace sinew {

namespace {

/// Returns the nodes at which a walk of the scene starts.
std::vector<Index> roots_of(const Model& model, Index scene) {
  if (scene == none) scene = model.default_scene;
  if (scene < model.scenes.size()) return model.scenes[scene].roots;
  std::vector<Index> roots;
  for (Index i = 0; i < model.nodes.size(); ++i)
    if (model.nodes[i].parent == none) roots.push_back(i);
  return roots;
}

enum class Reached : std::uint8_t { no, hidden, shown };

/// Marks how each node is reached from the scene. A node is entered once, so cycles of defective nodes end the walk.
std::vector<Reached> visit(const Model& model, Index scene) {
  std::vector<Reached> state(model.nodes.size(), Reached::no);
  std::vector<Index> open;
  const auto enter = [&](Index node, Reached parent) {
    if (node >= state.size() || state[node] != Reached::no) return;
    state[node] = model.nodes[node].visible ? parent : Reached::hidden;
    open.push_back(node);
  };
  for (const Index root : roots_of(model, scene)) enter(root, Reached::shown);
  while (!open.empty()) {
    const Index node = open.back();
    open.pop_back();
    for (const Index child : model.nodes[node].children) enter(child, state[node]);
  }
  return state;
}

}  // namespace

Result<std::vector<Index>> reached_nodes(const Model& model, Index scene) SINEW_TRY {
  const std::vector<Reached> state = visit(model, scene);
  std::vector<Index> list;
  for (Index i = 0; i < state.size(); ++i)
    if (state[i] != Reached::no) list.push_back(i);
  return list;
}
SINEW_CATCH()

Result<std::vector<Instance>> instances(const Model& model, Index scene) SINEW_TRY {
  const std::vector<Reached> state = visit(model, scene);
  std::vector<Instance> list;
  for (Index i = 0; i < state.size(); ++i) {
    const Node& node = model.nodes[i];
    if (state[i] == Reached::no || node.mesh == none) continue;
    const auto copies = static_cast<Index>(std::max<std::size_t>(node.copies.size(), 1));
    for (Index copy = 0; copy < copies; ++copy) list.push_back({i, node.mesh, node.skin, state[i] == Reached::shown, copy});
  }
  return list;
}
SINEW_CATCH()

const Affine* copy_of(const Model& model, const Instance& instance) noexcept {
  const std::vector<Affine>& copies = model.nodes[instance.node].copies;
  return instance.copy < copies.size() ? &copies[instance.copy] : nullptr;
}

namespace {

std::optional<Error> defect_of(const Model& model, Index scene, Index clip) {
  const Entity* found = nullptr;
  const auto check = [&](const Entity& entity) {
    if (found == nullptr && entity.defect != none) found = &entity;
    return found != nullptr;
  };
  std::vector<bool> seen(model.nodes.size());
  const auto check_upwards = [&](Index node) {
    for (; node < model.nodes.size() && !seen[node]; node = model.nodes[node].parent) {
      seen[node] = true;
      if (check(model.nodes[node])) return;
    }
  };
  std::vector<bool> meshes(model.meshes.size()), skins(model.skins.size());  // checked; many nodes may use one
  const Index chosen = scene == none ? model.default_scene : scene;
  if (chosen < model.scenes.size() && check(model.scenes[chosen])) return model.defects[found->defect];
  for (const Instance& instance : need(instances(model, scene))) {
    check_upwards(instance.node);
    if (!meshes[instance.mesh]) {
      meshes[instance.mesh] = true;
      const Mesh& mesh = model.meshes[instance.mesh];
      check(mesh);
      for (const Surface& surface : mesh.surfaces) check(surface);
      for (const BlendShape& shape : mesh.shapes) check(shape);
    }
    if (instance.skin == none || skins[instance.skin]) continue;
    skins[instance.skin] = true;
    const Skin& skin = model.skins[instance.skin];
    if (check(skin)) break;
    for (const Index slot : skin.slots) check_upwards(slot);
    check_upwards(skin.frame);
    if (found != nullptr) break;
  }
  if (clip != none && found == nullptr) check(model.clips[clip]);
  if (found == nullptr) return std::nullopt;
  return model.defects[found->defect];
}

}  // namespace

bool is_deformable(const Model& model, Index scene, Index clip) { return !defect_of(model, scene, clip); }

std::optional<Error> closure_defect(const Model& model, Index scene, Index clip) noexcept {
  return tried([&] { return defect_of(model, scene, clip); }, [] { return std::optional(error_of_exception()); });
}

}  // namespace sinew
