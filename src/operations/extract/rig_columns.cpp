// SPDX-License-Identifier: MIT
#include "operations/extract/rig_columns.hpp"

#include <algorithm>

#include "deform/bind.hpp"
#include "deform/packed.hpp"

namespace sinew::operations {

RigColumns::RigColumns(const Model& model, const deform::SceneDeformer& deformer)
    : model_(model), instances_(deformer.instances()), rest_world_(world_transforms(model, model.rest_pose)), slots_(instances_.size()) {
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    const deform::Prepared::Packed& packed = deformer.prepared(i).packed();
    add_instance(i, std::ranges::binary_search(packed.used_slots, packed.slots));
  }
  find_parents();
}

std::size_t RigColumns::add(const Column& column) {
  if (column.instance != npos) {
    columns_.push_back(column);
    return columns_.size() - 1;
  }
  const std::span<const double> bind = column.bind.values();
  const auto [known, added] = known_.try_emplace({column.node, {bind.begin(), bind.end()}}, columns_.size());
  if (added) columns_.push_back(column);
  return known->second;
}

/// `follows_node`: some vertices move with the node of the mesh.
void RigColumns::add_instance(std::size_t i, bool follows_node) {
  const Instance& instance = instances_[i];
  const Affine identity(model_.dimension);
  const bool alone = moves_alone(instance);
  const auto add_slot = [&](std::size_t slot, Index node, const Affine& bind) {
    slots_[i].push_back(add(alone ? Column{node, identity, npos, i, slot} : Column{node, bind, npos, npos, 0}));
  };
  if (instance.skin != none) {
    const Skin& skin = model_.skins[instance.skin];
    for (std::size_t slot = 0; slot < skin.slots.size(); ++slot) {
      const Index node = skin.slots[slot];
      if (node == none) {
        add_slot(slot, instance.node, identity);
      } else if (const auto bind = deform::joint_from_mesh(skin, slot, instance.node, rest_world_, model_.dimension)) {
        add_slot(slot, node, *bind);
      } else {  // a joint that is flat at rest moves nothing (deform::palette)
        add_slot(slot, skin.bind == Skin::Bind::skeleton_pose ? instance.node : skin.frame, identity);
      }
    }
  }
  if (follows_node) add_slot(slots_[i].size(), instance.node, identity);
}

/// Whether a clip may move the mesh's node relative to its skeleton, which moves what the joints move (Skin::Bind::skeleton_pose).
bool RigColumns::moves_alone(const Instance& instance) const {
  if (instance.skin == none || model_.skins[instance.skin].bind != Skin::Bind::skeleton_pose) return false;
  const Index frame = model_.skins[instance.skin].frame;
  Index node = instance.node;
  for (std::size_t steps = 0; node < model_.nodes.size() && node != frame && steps <= model_.nodes.size(); ++steps) {
    for (const Clip& clip : model_.clips)
      if (std::ranges::any_of(clip.tracks, [&](const Track& track) { return track.node == node && track.path != TrackPath::amounts; }))
        return true;
    node = model_.nodes[node].parent;
  }
  return node != frame;
}

void RigColumns::find_parents() {
  std::map<Index, std::size_t> first;  // column by node
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (columns_[c].node != none) first.emplace(columns_[c].node, c);
  for (Column& column : columns_) {
    if (column.node == none) continue;
    for (Index node = model_.nodes[column.node].parent; node < model_.nodes.size(); node = model_.nodes[node].parent)
      if (const auto found = first.find(node); found != first.end()) {
        column.parent = found->second;
        break;
      }
  }
}

Result<std::vector<Affine>> RigColumns::worlds(const Pose& pose) const {
  const std::vector<Affine> world = world_transforms(model_, pose);
  std::vector<deform::Palette> palettes(instances_.size());
  for (std::size_t i = 0; i < instances_.size(); ++i)
    if (auto done = deform::palette(model_, instances_[i], world, rest_world_, palettes[i]); !done)
      return Unexpected(std::move(done.error()));
  std::vector<Affine> out;
  for (const Column& column : columns_)
    out.push_back(column.instance != npos ? palettes[column.instance][column.slot]
                  : column.node == none   ? Affine(model_.dimension)
                                          : world[column.node]);
  return out;
}

}  // namespace sinew::operations
