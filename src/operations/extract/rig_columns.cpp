// SPDX-License-Identifier: MIT
#include "operations/extract/rig_columns.hpp"

#include <algorithm>

#include "base/guard.hpp"
#include "deform/bind.hpp"
#include "deform/packed.hpp"

namespace sinew::operations {

RigColumns::RigColumns(const Model& model, const deform::SceneDeformer& deformer)
    : model_(model),
      instances_(deformer.instances()),
      rest_world_(need(world_transforms(model, model.rest_pose))),
      slots_(instances_.size()) {
  const deform::Rig rig(model, instances_, nullptr);
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    const deform::Prepared::Packed& packed = deformer.prepared(i).packed();
    add_instance(i, rig, std::ranges::binary_search(packed.used_slots, packed.slots));
  }
  add_unused_skins();
  find_parents();
}

void RigColumns::add_unused_skins() {
  std::vector<bool> used(model_.skins.size()), known(model_.nodes.size());
  for (const Instance& instance : instances_)
    if (instance.skin != none) used[instance.skin] = true;
  for (Index s = 0; s < model_.skins.size(); ++s) {
    const Skin& skin = model_.skins[s];
    if (used[s] || skin.defect != none) continue;
    for (std::size_t slot = 0; slot < skin.slots.size(); ++slot)
      if (skin.slots[slot] != none)
        if (const auto bind = deform::joint_from_mesh(model_, skin, slot, skin.frame, rest_world_))
          add({skin.slots[slot], *bind, npos, npos, 0});
  }
  for (const Column& column : columns_)
    if (column.node != none) known[column.node] = true;
  for (const Skeleton& skeleton : model_.skeletons)
    for (const Index joint : skeleton.defect == none ? skeleton.joints : std::vector<Index>())
      if (joint != none && !known[joint])
        if (const auto bind = inverse(rest_world_[joint])) add({joint, *bind, npos, npos, 0});
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

/// Returns whether a clip may move the mesh's node relative to its skeleton, which moves all vertices (Skin::Bind::skeleton_pose).
bool RigColumns::moves_alone(const deform::Rig& rig, const deform::Rig::Bound& bound) const {
  const auto moved = [&](const Track& track) {
    return track.path != TrackPath::amounts && std::ranges::find(bound.still, rig.place(track.node)) != bound.still.end();
  };
  return bound.always_asked || std::ranges::any_of(model_.clips, [&](const Clip& clip) { return std::ranges::any_of(clip.tracks, moved); });
}

/// `follows_node`: some vertices move with the node of the mesh.
void RigColumns::add_instance(std::size_t i, const deform::Rig& rig, bool follows_node) {
  const deform::Rig::Bound& bound = rig.bound(i);
  const bool alone = moves_alone(rig, bound);
  const std::size_t count = bound.slots.size() - (follows_node ? 0 : 1);  // the last one is the mesh's node
  for (std::size_t slot = 0; slot < count; ++slot) {
    const auto [place, bind] = bound.slots[slot];
    const Index node = place == deform::Rig::nowhere ? none : rig.steps()[place].node;
    slots_[i].push_back(
        add(alone ? Column{node, Affine(model_.dimension), npos, i, slot} : Column{node, rig.bind_matrix(bind), npos, npos, 0}));
  }
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
  const std::vector<Affine> world = need(world_transforms(model_, pose));
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
