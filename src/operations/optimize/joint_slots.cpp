// SPDX-License-Identifier: MIT
#include "operations/optimize/joint_slots.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/message.hpp"
#include "document/schema/orphans.hpp"
#include "gltf/extensions/STAIK_skeletons.hpp"
#include "gltf/extensions/references.hpp"
#include "operations/repair/repair_steps.hpp"

namespace sinew::operations {

bool shows_influences(const Mesh& mesh) {
  return mesh.defect == none && std::ranges::all_of(mesh.blocks, [](const VertexBlock& block) { return block.vertices != 0; });
}

namespace {

/// Returns whether the row lists a slot twice.
bool repeats_slot(std::span<const Influence> row) {
  for (std::size_t i = 0; i < row.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (row[i].weight != 0 && row[k].weight != 0 && row[i].slot == row[k].slot) return true;
  return false;
}

}  // namespace

std::vector<std::uint32_t> places_of(std::vector<bool>& used, const std::function<bool(std::uint32_t, std::uint32_t)>& alike) {
  std::vector<std::uint32_t> same(used.size());
  std::iota(same.begin(), same.end(), 0U);
  for (std::uint32_t slot = 1; slot < used.size(); ++slot)
    for (std::uint32_t first = 0; used[slot] && first < slot; ++first) {
      if (!alike(first, slot)) continue;
      same[slot] = first;
      used[slot] = false;
      used[first] = true;
    }
  if (!used.empty() && std::ranges::find(used, true) == used.end()) used[0] = true;
  if (std::ranges::find(used, false) == used.end()) return {};
  std::vector<std::uint32_t> places(used.size());
  std::uint32_t next = 0;
  for (std::size_t slot = 0; slot < used.size(); ++slot) places[slot] = used[slot] ? next++ : 0;
  for (std::size_t slot = 0; slot < used.size(); ++slot) places[slot] = places[same[slot]];
  return places;
}

void renumber_slots(Mesh& mesh, const std::vector<std::uint32_t>& places) {
  for (VertexBlock& block : mesh.blocks) {
    if (block.influences.sets.empty()) continue;
    DenseInfluences table(block.influences);
    for (std::size_t vertex = 0; vertex < table.vertices(); ++vertex) {
      const std::span<Influence> row = table[vertex];
      const bool repeated = repeats_slot(row);  // in the file
      for (Influence& entry : row) entry.slot = entry.weight == 0 || entry.slot >= places.size() ? 0 : places[entry.slot];
      if (!repeated && repeats_slot(row)) table.put(vertex, without_repeats(row));
    }
    std::vector<Influences::Set> sets = table.sets();
    block.influences.sets = std::move(sets);
  }
}

void keep_slots(Skin& skin, const std::vector<bool>& kept, const EditReporter& reporter) {
  std::size_t next = 0;
  const std::size_t before = skin.slots.size();
  for (std::size_t slot = 0; slot < before; ++slot) {
    if (!kept[slot]) continue;
    skin.slots[next] = skin.slots[slot];
    if (skin.bind == Skin::Bind::matrices) skin.joint_from_mesh[next] = skin.joint_from_mesh[slot];
    ++next;
  }
  skin.slots.resize(next);
  if (skin.bind == Skin::Bind::matrices) skin.joint_from_mesh.resize(next, Affine(0));
  if (next != before) reporter.changed(skin, format_text("kept {} of {}", next, count_of(before, "joint", "joints")));
}

bool is_bare_joint(const Node& node, document::JsonValue stored) {
  return node.children.empty() && node.mesh == none && !stored["camera"] && !stored["extensions"];
}

bool is_kept(const StepInput& input, Index node) {
  return node != none && std::ranges::find(input.options.keep, input.model.nodes[node].name) != input.options.keep.end();
}

bool has_unknown_extension(document::JsonValue skin) {
  for (const document::JsonMember member : skin["extensions"].members())
    if (!member.key.equals(gltf::staik_extension)) return true;
  return false;
}

bool has_unknown_indices(const document::Document& document) {
  return document::visit_references(document.json().root(), gltf::reference_scheme(), [](const document::Property&, std::uint64_t) {});
}

}  // namespace sinew::operations
