// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/message.hpp"
#include "document/json/json.hpp"
#include "document/schema/reader.hpp"
#include "model/edit_reporter.hpp"
#include "operations/optimize/joint_slots.hpp"
#include "operations/optimize/steps.hpp"
#include "operations/repair/influence_table.hpp"
#include "operations/repair/repair_steps.hpp"

namespace sinew::operations {

namespace {

using document::JsonValue;

/// Removes joints of G4MF skeletons that move no vertex. All meshes below a skeleton share its joints, and a mesh may have several
/// skeletons.
class SkeletonReduction {
 public:
  SkeletonReduction(const StepInput& input, Model& model, FindingSink& changes)
      : input_(input),
        model_(model),
        reporter_(input.model, changes),
        nodes_(document::list_of(input.document->json().root()["nodes"])),
        meshes_(document::list_of(input.document->json().root()["meshes"])) {}

  /// Returns whether anything changed.
  bool run() {
    for (Group& group : groups())
      if (is_sound(group)) shrink(group);
    return changed_;
  }

 private:
  struct Group {
    std::vector<Index> meshes, skeletons, skins;
  };

  std::vector<Group> groups() {
    std::vector<std::size_t> group_of(model_.meshes.size() + model_.skeletons.size());  // meshes, then skeletons
    std::iota(group_of.begin(), group_of.end(), std::size_t{0});
    std::vector<std::size_t> skeleton_at(model_.nodes.size(), group_of.size());
    for (Index i = 0; i < model_.skeletons.size(); ++i)
      if (model_.skeletons[i].node != none) skeleton_at[model_.skeletons[i].node] = model_.meshes.size() + i;
    std::vector<std::pair<Index, Index>> drawn;  // mesh and skin
    for (const Node& node : model_.nodes)
      if (node.mesh != none && node.skin != none && model_.skins[node.skin].frame != none) {
        const std::size_t skeleton = skeleton_at[model_.skins[node.skin].frame];
        if (skeleton == group_of.size()) continue;
        const std::size_t from = group_of[skeleton], to = group_of[node.mesh];
        if (from != to) std::ranges::replace(group_of, from, to);
        drawn.emplace_back(node.mesh, node.skin);
      }
    std::vector<Group> made(group_of.size());
    for (Index mesh = 0; mesh < model_.meshes.size(); ++mesh) made[group_of[mesh]].meshes.push_back(mesh);
    for (Index i = 0; i < model_.skeletons.size(); ++i) made[group_of[model_.meshes.size() + i]].skeletons.push_back(i);
    for (const auto& [mesh, skin] : drawn) made[group_of[mesh]].skins.push_back(skin);
    std::erase_if(made, [](const Group& group) { return group.skins.empty(); });
    return made;
  }

  /// An extension may depend on the numbers of joints.
  [[nodiscard]] bool is_sound(const Group& group) const {
    const std::size_t size = model_.skeletons[group.skeletons.front()].joints.size();
    return std::ranges::all_of(group.skeletons,
                               [&](Index index) {
                                 const Skeleton& skeleton = model_.skeletons[index];
                                 return skeleton.defect == none && skeleton.joints.size() == size && skeleton.joint_from_mesh.empty() &&
                                        !nodes_[skeleton.node]["skeleton"]["extensions"];
                               }) &&
           std::ranges::all_of(group.skins,
                               [&](Index skin) { return model_.skins[skin].defect == none && model_.skins[skin].slots.size() == size; }) &&
           std::ranges::all_of(group.meshes,
                               [&](Index mesh) { return shows_influences(model_.meshes[mesh]) && !stored_skin(mesh)["extensions"]; });
  }

  [[nodiscard]] JsonValue stored_skin(Index mesh) const { return mesh < meshes_.size() ? meshes_[mesh]["skin"] : JsonValue(); }

  void shrink(const Group& group) {
    const std::size_t size = model_.skeletons[group.skeletons.front()].joints.size();
    std::vector<bool> used(size);
    for (const Index mesh : group.meshes) mark_weighted(model_.meshes[mesh], used);
    for (const Index index : group.skeletons)
      for (std::size_t slot = 0; slot < size; ++slot)
        if (is_kept(input_, model_.skeletons[index].joints[slot])) used[slot] = true;
    const std::vector<std::uint32_t> places = places_of(used, alike_in(group));
    if (places.empty()) return;
    const auto removed = static_cast<std::uint32_t>(std::ranges::count(used, false));
    for (const Index skeleton : group.skeletons) {
      keep(model_.skeletons[skeleton].joints, used);
      reporter_.changed(model_.skeletons[skeleton], format_text("kept {} of {}", size - removed, count_of(size, "joint", "joints")));
    }
    std::vector<Index> skins = group.skins;
    std::ranges::sort(skins);
    skins.erase(std::unique(skins.begin(), skins.end()), skins.end());
    for (const Index skin : skins) keep(model_.skins[skin].slots, used);
    for (const Index mesh : group.meshes) renumber(mesh, used, places, removed);
    changed_ = true;
  }

  /// Returns which slots have the same bone. Slots with names of their own stay apart.
  [[nodiscard]] std::function<bool(std::uint32_t, std::uint32_t)> alike_in(const Group& group) const {
    const bool apart =
        input_.strict || std::ranges::any_of(group.meshes, [&](Index mesh) { return stored_skin(mesh)["groupNames"].size() != 0; });
    return [this, &group, apart](std::uint32_t first, std::uint32_t slot) {
      return !apart && std::ranges::all_of(group.skeletons, [&](Index index) {
        const std::vector<Index>& joints = model_.skeletons[index].joints;
        return joints[first] == joints[slot];
      });
    };
  }

  template <class Value>
  static void keep(std::vector<Value>& list, const std::vector<bool>& kept) {
    std::size_t place = 0;
    std::erase_if(list, [&](const Value&) {
      const std::size_t slot = place++;
      return slot < kept.size() && !kept[slot];
    });
  }

  void renumber(Index index, const std::vector<bool>& used, const std::vector<std::uint32_t>& places, std::uint32_t removed) {
    Mesh& mesh = model_.meshes[index];
    if (stored_skin(index)["groupNames"].size() != 0) keep(mesh.group_names, used);
    for (VertexBlock& block : mesh.blocks) {
      if (block.influences.empty()) continue;
      std::vector<InfluenceRow> rows = weighted_rows(block.influences);
      for (InfluenceRow& row : rows) {
        for (Influence& entry : row)  // groups beyond the joints do nothing
          entry.slot = entry.slot < places.size() ? places[entry.slot] : entry.slot - removed;
        if (!input_.strict) merge(row);
      }
      store_sparse(block.influences, rows);
    }
  }

  static void merge(InfluenceRow& row) {
    InfluenceRow merged = without_repeats(row);
    if (merged.size() == row.size()) return;
    std::ranges::sort(merged, is_stronger);
    row = std::move(merged);
  }

  const StepInput& input_;
  Model& model_;
  EditReporter reporter_;
  std::vector<JsonValue> nodes_, meshes_;
  bool changed_ = false;
};

}  // namespace

Result<StepResult> reduce_skeletons(const StepInput& input, FindingSink& changes) {
  Model after = input.model;
  if (!SkeletonReduction(input, after, changes).run()) return StepResult{input.document};
  auto document = edited(input, after, changes);
  if (!document) return Unexpected(std::move(document.error()));
  return StepResult{std::move(*document)};
}

}  // namespace sinew::operations
