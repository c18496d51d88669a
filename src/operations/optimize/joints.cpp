// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "base/message.hpp"
#include "document/json/json.hpp"
#include "document/schema/reader.hpp"
#include "model/edit_reporter.hpp"
#include "operations/optimize/joint_budget.hpp"
#include "operations/optimize/joint_slots.hpp"
#include "operations/optimize/steps.hpp"
#include "operations/repair/influence_table.hpp"
#include "operations/repair/repair_steps.hpp"
#include "operations/skeletons/hierarchy.hpp"

namespace sinew::operations {

namespace {

using Slots = std::vector<std::uint32_t>;

/// Meshes and skins that share slot numbers: every skin of a mesh, and every mesh of a skin.
struct SlotGroup {
  std::vector<Index> meshes, skins;
  bool sound = true;
};

std::vector<SlotGroup> slot_groups(const StepInput& input, const Model& model) {
  std::vector<std::size_t> group_of(model.meshes.size() + model.skins.size());  // meshes, then skins
  std::iota(group_of.begin(), group_of.end(), std::size_t{0});
  const auto skin_place = [&](Index skin) { return model.meshes.size() + skin; };
  for (const Node& node : model.nodes)
    if (node.mesh != none && node.skin != none) {
      const std::size_t from = group_of[skin_place(node.skin)], to = group_of[node.mesh];
      std::ranges::replace(group_of, from, to);
    }
  std::vector<SlotGroup> groups(group_of.size());
  for (Index mesh = 0; mesh < model.meshes.size(); ++mesh) {
    groups[group_of[mesh]].meshes.push_back(mesh);
    groups[group_of[mesh]].sound &= shows_influences(model.meshes[mesh]);
  }
  const std::vector<document::JsonValue> stored = document::list_of(input.document->json().root()["skins"]);
  for (Index skin = 0; skin < model.skins.size(); ++skin) {
    SlotGroup& group = groups[group_of[skin_place(skin)]];
    group.skins.push_back(skin);
    group.sound &= model.skins[skin].defect == none && skin < stored.size() && !has_unknown_extension(stored[skin]);
  }
  std::erase_if(groups, [](const SlotGroup& group) { return !group.sound || group.meshes.empty() || group.skins.empty(); });
  return groups;
}

/// Returns whether two slots of a skin move every vertex alike.
bool same_joint(const Skin& skin, std::size_t a, std::size_t b) {
  return skin.slots[a] == skin.slots[b] && (skin.bind != Skin::Bind::matrices || skin.joint_from_mesh[a] == skin.joint_from_mesh[b]);
}

class JointReduction {
 public:
  JointReduction(const StepInput& input, Model& model, FindingSink& changes)
      : input_(input),
        model_(model),
        reporter_(input.model, changes),
        skins_(document::list_of(input.document->json().root()["skins"])),
        nodes_(document::list_of(input.document->json().root()["nodes"])),
        depth_(depths(model)) {}

  /// Returns whether anything changed.
  bool run() {
    for (const SlotGroup& group : slot_groups(input_, model_)) shrink(group);
    combine();
    return changed_;
  }

 private:
  void shrink(const SlotGroup& group) {
    // Joints without a common root are an error in glTF that is only found for some sets of joints.
    if (std::ranges::any_of(group.skins, [&](Index skin) { return common_ancestor(model_, depth_, model_.skins[skin].slots) == none; }))
      return;
    std::size_t size = 0;
    for (const Index skin : group.skins) size = std::max(size, model_.skins[skin].slots.size());
    std::vector<bool> used(size);
    for (const Index mesh : group.meshes) mark_weighted(model_.meshes[mesh], used);
    for (const Index index : group.skins) {
      const Skin& skin = model_.skins[index];
      for (std::size_t slot = 0; slot < skin.slots.size(); ++slot)
        if (stays(skin.slots[slot])) used[slot] = true;
    }
    for (const Index skin : group.skins)  // each keeps a joint
      if (std::ranges::none_of(std::views::take(used, static_cast<std::ptrdiff_t>(model_.skins[skin].slots.size())), std::identity()))
        used[0] = true;
    const auto alike = [&](std::uint32_t first, std::uint32_t slot) { return !input_.strict && are_alike(group, first, slot); };
    const Slots places = places_of(used, alike);
    if (places.empty()) return;
    for (const Index skin : group.skins) keep_slots(model_.skins[skin], used, reporter_);
    for (const Index mesh : group.meshes) renumber_slots(model_.meshes[mesh], places);
    changed_ = true;
  }

  /// A joint without children and content may be a socket. If it were no joint, nothing would distinguish it from an empty node.
  [[nodiscard]] bool stays(Index index) const {
    return index == none || is_kept(input_, index) || is_bare_joint(model_.nodes[index], nodes_[index]);
  }

  [[nodiscard]] bool are_alike(const SlotGroup& group, std::size_t a, std::size_t b) const {
    return std::ranges::all_of(group.skins, [&](Index index) {
      const Skin& skin = model_.skins[index];
      return b < skin.slots.size() && same_joint(skin, a, b);
    });
  }

  /// Lets nodes use an earlier skin that has, or can get, the joints of their own.
  void combine() {
    std::vector<std::vector<Index>> meshes(model_.skins.size());  // of each skin
    std::vector<std::vector<Index>> skins(model_.meshes.size());  // of each mesh
    std::vector<std::vector<Index>> nodes(model_.skins.size());   // of each skin
    for (Index node = 0; node < model_.nodes.size(); ++node) {
      const auto [mesh, skin] = std::pair(model_.nodes[node].mesh, model_.nodes[node].skin);
      if (skin != none) nodes[skin].push_back(node);
      if (mesh == none || skin == none) continue;
      meshes[skin].push_back(mesh);
      skins[mesh].push_back(skin);
    }
    for (auto* const lists : {&meshes, &skins})
      for (std::vector<Index>& list : *lists) {
        std::ranges::sort(list);
        list.erase(std::unique(list.begin(), list.end()), list.end());
      }
    std::vector<Index> kept;
    std::size_t count = 0;
    for (Index skin = 0; skin < model_.skins.size(); ++skin) {
      if (meshes[skin].empty() || model_.skins[skin].defect != none) continue;
      const bool alone =
          std::ranges::all_of(meshes[skin], [&](Index mesh) { return skins[mesh].size() == 1 && shows_influences(model_.meshes[mesh]); });
      const auto to = std::ranges::find_if(kept, [&](Index other) { return join(other, skin, alone, meshes[skin]); });
      if (to == kept.end()) {
        kept.push_back(skin);
        continue;
      }
      for (const Index node : nodes[skin]) model_.nodes[node].skin = *to;
      ++count;
    }
    if (count == 0) return;
    reporter_.changed("/skins", format_text("combined {} with another one of the same joints", count_of(count, "skin", "skins")));
    changed_ = true;
  }

  /// Gives the skin `to` the joints of `from` and renumbers its meshes. Returns false, without a change, if results would differ.
  /// `alone`: the meshes of `from` have no other skin, so that they can be renumbered.
  bool join(Index to, Index from, bool alone, const std::vector<Index>& meshes) {
    const Skin &a = model_.skins[to], &b = model_.skins[from];
    if (a.bind != b.bind || a.frame != b.frame || a.root_hint != b.root_hint || (a.name != b.name && !b.name.empty())) return false;
    if (skins_[from]["extras"] || has_unknown_extension(skins_[from]) || has_unknown_extension(skins_[to])) return false;
    if (skins_[from]["extensions"].text() != skins_[to]["extensions"].text()) return false;
    Skin joined = a;
    Slots places;
    std::size_t shared = 0;
    for (std::size_t slot = 0; slot < b.slots.size(); ++slot) {
      const auto at = static_cast<std::size_t>(std::ranges::find(joined.slots, b.slots[slot]) - joined.slots.begin());
      if (at < joined.slots.size()) {
        if (b.bind == Skin::Bind::matrices && !(joined.joint_from_mesh[at] == b.joint_from_mesh[slot])) return false;
        ++shared;
      } else {
        joined.slots.push_back(b.slots[slot]);
        if (b.bind == Skin::Bind::matrices) joined.joint_from_mesh.push_back(b.joint_from_mesh[slot]);
      }
      places.push_back(static_cast<std::uint32_t>(at));
    }
    const std::size_t wanted = input_.options.joint_budget == 0 ? most_joints : input_.options.joint_budget;
    const std::size_t most = std::max<std::size_t>({wanted, a.slots.size(), b.slots.size()});
    const bool renumbered = !std::ranges::equal(places, identity(places.size()));
    if (shared == 0 || joined.slots.size() > most || (renumbered && !alone)) return false;
    if (common_ancestor(model_, depth_, joined.slots) == none) return false;  // see shrink
    model_.skins[to] = std::move(joined);
    if (renumbered)
      for (const Index mesh : meshes) renumber_slots(model_.meshes[mesh], places);
    return true;
  }

  static Slots identity(std::size_t size) {
    Slots slots(size);
    std::iota(slots.begin(), slots.end(), 0U);
    return slots;
  }

  static constexpr std::size_t most_joints = 256;  ///< that joint numbers of one byte can hold
  const StepInput& input_;
  Model& model_;
  EditReporter reporter_;
  std::vector<document::JsonValue> skins_, nodes_;
  const std::vector<std::uint32_t> depth_;
  bool changed_ = false;
};

}  // namespace

Result<StepResult> reduce_joints(const StepInput& input, FindingSink& changes) {
  if (input.revision) return reduce_skeletons(input, changes);
  const std::size_t budget = input.options.joint_budget;
  const bool fixed = has_unknown_indices(*input.document);  // then the old matrices and skins would stay in the file
  Model after = input.model;
  const bool reduced = !fixed && JointReduction(input, after, changes).run();
  std::vector<SplitPart> parts;
  if (budget != 0) {
    auto split = split_skins(input, after, budget);
    if (!split) return Unexpected(std::move(split.error()));
    parts = std::move(*split);
  }
  if (!reduced && parts.empty())
    return StepResult{input.document, fixed ? "left out: an extension, or a value of a wrong type, may refer to elements by index" : ""};
  if (!parts.empty())
    EditReporter(changes).changed("/meshes", format_text("split meshes into {} of at most {} joints", parts.size(), budget));
  auto document = edited(input, after, changes, parts);
  if (!document) return Unexpected(std::move(document.error()));
  StepResult result{std::move(*document)};
  result.required = !parts.empty();
  return result;
}

}  // namespace sinew::operations
