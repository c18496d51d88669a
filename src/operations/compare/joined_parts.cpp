// SPDX-License-Identifier: MIT
#include "operations/compare/joined_parts.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/guard.hpp"
#include "model/deformable.hpp"

#include "sinew/geometry.hpp"

namespace sinew::operations {

namespace {

std::size_t corners_of(const Model& model, Index node) {
  const Mesh& mesh = model.meshes[model.nodes[node].mesh];
  std::size_t corners = 0;
  for (const Surface& surface : mesh.surfaces) corners += need(elements_of(mesh, surface, model.dimension)).indices.size();
  return corners;
}

bool is_sound(const Model& model, const Instance& instance) {
  return model.nodes[instance.node].defect == none && model.meshes[instance.mesh].defect == none &&
         (instance.skin == none || model.skins[instance.skin].defect == none);
}

/// The instances by name; nullptr: several have the name.
using ByName = std::map<std::string_view, const Instance*>;
ByName by_name(const Model& model, const std::vector<Instance>& list) {
  ByName named;
  for (const Instance& instance : list) {
    const auto [known, is_new] = named.try_emplace(model.nodes[instance.node].name, &instance);
    if (!is_new) known->second = nullptr;
  }
  return named;
}

const Instance* named_instance(const ByName& named, std::string_view name) {
  const auto found = named.find(name);
  return found == named.end() ? nullptr : found->second;
}

/// Returns BASE if a name is "BASE_" and a number.
std::optional<std::string_view> base_of(std::string_view name) {
  const std::size_t end = name.rfind('_');
  if (end == std::string_view::npos || end + 1 == name.size() || !is_digits(name.substr(end + 1))) return std::nullopt;
  return name.substr(0, end);
}

const Track* amounts_of(const Clip& clip, Index node) {
  const auto found =
      std::ranges::find_if(clip.tracks, [&](const Track& track) { return track.node == node && track.path == TrackPath::amounts; });
  return found == clip.tracks.end() ? nullptr : &*found;
}

/// Returns whether two lists of shapes have a name in common, at different places.
bool shapes_change_places(const std::vector<BlendShape>& a, const std::vector<BlendShape>& b) {
  std::set<std::string_view> names;
  for (const BlendShape& shape : a) names.insert(shape.name);
  for (std::size_t shape = 0; shape < b.size(); ++shape) {
    const std::string& name = b[shape].name;
    if (!name.empty() && (shape >= a.size() || a[shape].name != name) && names.contains(name)) return true;
  }
  return false;
}

/// Returns whether shapes of one place have the same amounts, and no other shapes the same name.
bool same_amounts(const Model& model, Index a, Index b) {
  if (model.rest_pose.amounts[a] != model.rest_pose.amounts[b]) return false;
  if (shapes_change_places(model.meshes[model.nodes[a].mesh].shapes, model.meshes[model.nodes[b].mesh].shapes)) return false;
  return std::ranges::all_of(model.clips, [&](const Clip& clip) {
    const Track *const x = amounts_of(clip, a), *const y = amounts_of(clip, b);
    if (x == nullptr || y == nullptr) return x == y;
    return x->interpolation == y->interpolation && x->times.read<double>() == y->times.read<double>() &&
           x->values.read<double>() == y->values.read<double>();
  });
}

/// Appends the joints that a skin lacks. Returns the slot of each.
std::vector<std::uint32_t> append(const Skin& added, Skin& skin) {
  std::map<Index, std::uint32_t> known;
  for (std::uint32_t slot = 0; slot < skin.slots.size(); ++slot) known.emplace(skin.slots[slot], slot);
  std::vector<std::uint32_t> slots;
  for (std::size_t slot = 0; slot < added.slots.size(); ++slot) {
    const bool stored = slot < added.joint_from_mesh.size();
    const auto found = known.find(added.slots[slot]);
    if (found != known.end() && (!stored || skin.joint_from_mesh[found->second] == added.joint_from_mesh[slot])) {
      slots.push_back(found->second);
      continue;
    }
    slots.push_back(static_cast<std::uint32_t>(skin.slots.size()));
    skin.slots.push_back(added.slots[slot]);
    if (stored) skin.joint_from_mesh.push_back(added.joint_from_mesh[slot]);
  }
  return slots;
}

/// Appends the mesh and the skin of a node. Returns false if they cannot be one.
bool append(const Model& model, Index node, Mesh& mesh, Skin& skin) {
  const Node& at = model.nodes[node];
  std::vector<std::uint32_t> slots;  // in `skin`
  if (at.skin != none) {
    const Skin& added = model.skins[at.skin];
    if (added.bind != skin.bind || added.frame != skin.frame) return false;
    slots = append(added, skin);
  }
  const auto first_block = static_cast<Index>(mesh.blocks.size());
  for (VertexBlock block : model.meshes[at.mesh].blocks) {
    for (Influences::Set& set : block.influences.sets) {
      std::vector<std::uint32_t> joints = set.joints.read<std::uint32_t>();
      for (std::uint32_t& joint : joints)
        if (joint < slots.size()) joint = slots[joint];
      set.joints = Array::own(std::move(joints), set.joints.width());
    }
    mesh.blocks.push_back(std::move(block));
  }
  for (Surface surface : model.meshes[at.mesh].surfaces) {
    surface.block += first_block;
    mesh.surfaces.push_back(std::move(surface));
  }
  return true;
}

/// Returns whether no pose of the whole model parts them: skinned parts follow their joints only (in G4MF their node, too, which is then at
/// the place of the first), and others are children that stay at their parent's place. Such a child has neither children nor a counterpart.
bool stay_together(const Model& model, const Instance& first, const Instance& part, const Model& whole) {
  if (first.visible != part.visible || (first.skin == none) != (part.skin == none)) return false;
  const bool skinned = first.skin != none;
  if (skinned && model.skins[first.skin].bind != Skin::Bind::skeleton_pose) return true;
  const std::string& name = model.nodes[part.node].name;
  if (std::ranges::any_of(whole.nodes, [&](const Node& node) { return node.name == name; }) ||
      std::ranges::any_of(model.nodes, [&](const Node& node) { return node.parent == part.node; }))
    return false;
  const bool moves = std::ranges::any_of(model.clips, [&](const Clip& clip) {
    return std::ranges::any_of(clip.tracks,
                               [&](const Track& track) { return track.node == part.node && track.path != TrackPath::amounts; });
  });
  const Index parent = model.nodes[part.node].parent;
  const auto local_of = [&model](Index node) { return affine_of(model.dimension, model.rest_pose.locals[node]); };
  if (skinned) return parent == model.nodes[first.node].parent && !moves && local_of(part.node) == local_of(first.node);
  return parent == first.node && !moves && local_of(part.node) == Affine(model.dimension);
}

/// Lets the first node draw what all of them draw.
bool join(Model& model, const std::vector<Index>& nodes) {
  const Node& first = model.nodes[nodes.front()];
  Mesh mesh;
  mesh.name = model.meshes[first.mesh].name;
  mesh.shapes = model.meshes[first.mesh].shapes;
  Skin skin;
  if (first.skin != none) {
    skin.name = model.skins[first.skin].name;
    skin.bind = model.skins[first.skin].bind;
    skin.frame = model.skins[first.skin].frame;
  }
  for (const Index node : nodes)
    if (!append(model, node, mesh, skin)) return false;
  const bool skinned = first.skin != none;
  model.meshes.push_back(std::move(mesh));
  if (skinned) model.skins.push_back(std::move(skin));
  for (const Index node : nodes) model.nodes[node].mesh = model.nodes[node].skin = none;
  model.nodes[nodes.front()].mesh = static_cast<Index>(model.meshes.size() - 1);
  if (skinned) model.nodes[nodes.front()].skin = static_cast<Index>(model.skins.size() - 1);
  return true;
}

}  // namespace

JoinedParts join_parts(const Model& whole, Index scene_of_whole, const Model& split, Index scene_of_split) {
  JoinedParts made;
  if (split.stores_values_by_corner() || !is_deformable(whole, scene_of_whole) || !is_deformable(split, scene_of_split)) return made;
  const std::vector<Instance> in_whole = need(instances(whole, scene_of_whole)), in_split = need(instances(split, scene_of_split));
  if (in_split.size() <= in_whole.size()) return made;
  const ByName whole_by_name = by_name(whole, in_whole), split_by_name = by_name(split, in_split);
  std::map<std::string_view, std::vector<const Instance*>> numbered;
  for (const Instance& part : in_split)
    if (const auto base = base_of(split.nodes[part.node].name)) numbered[*base].push_back(&part);
  for (const Instance& instance : in_whole) {
    const std::string& name = whole.nodes[instance.node].name;
    const Instance* const first = named_instance(split_by_name, name);
    const auto parts = numbered.find(name.empty() ? std::string_view("Part") : name);
    if (first == nullptr || parts == numbered.end() || named_instance(whole_by_name, name) == nullptr) continue;
    std::vector<Index> nodes{first->node};
    std::size_t corners = corners_of(split, first->node);
    for (const Instance* const part : parts->second) {
      if (!is_sound(split, *part) || whole_by_name.contains(split.nodes[part->node].name)) continue;
      if (!stay_together(split, *first, *part, whole) || !same_amounts(split, first->node, part->node)) continue;
      nodes.push_back(part->node);
      corners += corners_of(split, part->node);
    }
    if (nodes.size() == 1 || corners != corners_of(whole, instance.node)) continue;
    if (made.nodes.empty()) made.model = split;
    if (join(made.model, nodes)) made.nodes.push_back(first->node);
  }
  return made;
}

}  // namespace sinew::operations
