// SPDX-License-Identifier: MIT
#include "operations/skeletons/skeleton_roots.hpp"

#include <algorithm>

#include "base/message.hpp"
#include "operations/skeletons/skeleton_edit.hpp"

namespace sinew::operations {

Roots::Roots(const Model& model, const StrictOptions& options, const std::vector<StrictGroup>& groups)
    : model_(model), options_(options), joint_of_(model.nodes.size()) {
  for (const StrictGroup& group : groups) {
    for (const Index joint : group.joints) joint_of_[joint] = true;
    if (group.tops.size() > 1 && group.parent != none) ++wanted_[group.parent];
  }
}

std::optional<std::string> Roots::obstacle_to(const StrictGroup& group) const {
  const Index parent = group.parent;
  if (parent == none) return "they have no parent";
  if (joint_of_[parent]) return format_text("their parent, {}, is a joint of another skeleton", label(model_, parent));
  if (wanted_.at(parent) > 1) return format_text("their parent, {}, would be the root of several skeletons", label(model_, parent));
  const bool occupied = parent < options_.occupied.size() && options_.occupied[parent];
  if (model_.nodes[parent].mesh != none || occupied)
    return format_text("their parent, {}, has a mesh, a camera or another attachment", label(model_, parent));
  for (const Clip& clip : model_.clips)
    for (const Track& track : clip.tracks)
      if (track.node == parent && track.path != TrackPath::amounts && moves_past_mesh(group))
        return format_text("their parent, {}, is moved by the clip \"{}\"", label(model_, parent), clip.name);
  return std::nullopt;
}

bool Roots::moves_past_mesh(const StrictGroup& group) const {
  for (Index node = 0; node < model_.nodes.size(); ++node) {
    if (std::ranges::find(group.skins, model_.nodes[node].skin) == group.skins.end()) continue;
    Index above = node;
    while (above != none && above != group.parent) above = model_.nodes[above].parent;
    if (above == none) return true;
  }
  return false;
}

std::string several_trees(const Model& model, const StrictGroup& group) {
  return format_text("joints are in the separate trees of {} and {}; a strict skeleton must be one tree", label(model, group.tops[0]),
                     label(model, group.tops[1]));
}

}  // namespace sinew::operations
