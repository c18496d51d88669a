// SPDX-License-Identifier: MIT
#include "operations/merge/merge_clips.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "base/catalogue_edit.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "document/json/json.hpp"
#include "document/schema/reader.hpp"
#include "gltf/extensions/KHR_animation_pointer.hpp"
#include "model/place.hpp"
#include "model/trees.hpp"
#include "operations/repair/repair_steps.hpp"

#include "sinew/retarget.hpp"

namespace sinew::operations {

namespace {

using document::JsonMember;
using document::JsonValue;

/// Returns which nodes carry a camera or a light.
std::vector<bool> lookers(const document::Document& document, const Model& model) {
  std::vector<bool> carries(model.nodes.size());
  Index index = 0;
  for (const JsonValue node : document.json().root()["nodes"].elements()) {
    if (index >= carries.size()) break;
    carries[index++] = node["camera"] || node["light"] || node["extensions"]["KHR_lights_punctual"];
  }
  return carries;
}

/// Returns the nodes whose transform moves something that is shown.
std::vector<bool> moving_nodes(const document::Document& document, const Model& model) {
  std::vector<bool> moving = lookers(document, model);
  for (Index index = 0; index < model.nodes.size(); ++index) {
    const Node& node = model.nodes[index];
    if (node.mesh == none) continue;
    if (node.skin == none || model.binds_by_stored_pose()) moving[index] = true;
    if (node.skin == none) continue;
    for (const Index joint : model.skins[node.skin].slots)
      if (joint != none) moving[joint] = true;
  }
  mark_above(model.nodes, moving);
  return moving;
}

JsonValue animation(const document::Document& document, Index index) { return document.json().root()["animations"].at(index); }

/// Returns whether a channel points to something that is no vertex: a material, a camera, a light, a visibility.
bool points_elsewhere(const document::Document& document, const Model& model, JsonValue animation) {
  return std::ranges::any_of(document::list_of(animation["channels"]), [&](JsonValue channel) {
    const JsonValue pointer = gltf::pointer_of_target(channel["target"]);
    if (!pointer) return false;
    using Moves = gltf::MutableProperty::Moves;
    const gltf::PointerTarget target = gltf::pointer_target(document.json().root(), model, pointer.string());
    return target.counts() && (target.moves() == Moves::nothing || target.moves() == Moves::visibility);
  });
}

/// Returns whether an expression of VRM 1.0 or a group of VRM 0.x binds blend shapes.
bool binds_shapes(JsonValue expressions) {
  for (const JsonMember member : expressions.members()) {
    if (member.key.equals("morphTargetBinds") || member.key.equals("binds")) {
      if (member.value.size() != 0) return true;
    } else if (binds_shapes(member.value)) {
      return true;
    }
  }
  return std::ranges::any_of(document::list_of(expressions), binds_shapes);
}

}  // namespace

std::vector<Index> bones_of_clips(const document::Document& document, const Model& model, std::span<const Index> clips) {
  const bool meshes = std::ranges::any_of(model.nodes, [](const Node& node) { return node.mesh != none; });
  if (meshes || !model.skins.empty() || !model.skeletons.empty()) return {};
  std::vector<bool> looks = lookers(document, model);
  mark_above(model.nodes, looks);
  std::set<Index> moved;
  for (const Index clip : clips)
    for (const Track& track : model.clips[clip].tracks)
      if (track.path != TrackPath::amounts && track.node < looks.size() && !looks[track.node]) moved.insert(track.node);
  return {moved.begin(), moved.end()};
}

Result<> check_clips_move(const document::Document& document, const Model& merged, std::size_t first, const Model& clothes,
                          std::span<const Index> clips) {
  const std::vector<bool> moving = moving_nodes(document, merged);
  const auto moves = [&](const Track& track) {
    if (track.path != TrackPath::amounts) return track.node < moving.size() && bool(moving[track.node]);
    const Index mesh = track.node < merged.nodes.size() ? merged.nodes[track.node].mesh : none;
    return mesh != none && !merged.meshes[mesh].shapes.empty();
  };
  for (std::size_t i = 0; i < clips.size(); ++i) {
    const std::size_t place = first + i;
    if (place < merged.clips.size() && std::ranges::any_of(merged.clips[place].tracks, moves)) continue;
    if (points_elsewhere(document, merged, animation(document, static_cast<Index>(place)))) continue;
    const Clip& clip = clothes.clips[clips[i]];
    return Unexpected(error("SINEW_MERGE_CLIP_MOVES_NOTHING"_code, Failure::input, place_of(clothes, clip), clip.name));
  }
  return {};
}

Result<> check_clips_usable(const Model& clothes, std::span<const Index> clips) {
  for (const Index index : clips) {
    const Clip& clip = clothes.clips[index];
    if (clip.defect != none) return Unexpected(clothes.defects[clip.defect]);
  }
  return {};
}

Result<std::optional<RetargetedClips>> retarget_clips(const Model& body, const Model& clothes, std::span<const Index> clips,
                                                      const PlanOptions& names, FindingSink& notes) {
  RetargetOptions options;
  if (!names.names.empty()) options.names = names.names;
  const auto has = [](const Model& model, const std::string& name) {
    return std::ranges::find(model.nodes, name, &Node::name) != model.nodes.end();
  };
  std::vector<std::pair<std::string, std::string>> given = names.rename;
  std::erase_if(given, [&](const auto& pair) { return !has(clothes, pair.first) || !has(body, pair.second); });
  const auto pairs = pair_bones(clothes, body, options, given);
  if (!pairs) return Unexpected(pairs.error());
  if (pairs->empty()) return std::optional<RetargetedClips>();
  RetargetedClips out{body, {}};
  if (auto done = append_transferred(clothes, clips, *pairs, options, names.prefix, out.model, notes); !done)
    return Unexpected(std::move(done.error()));
  out.text = format_text("{} retargeted by {}: the bones have other names, axes or rest poses",
                         count_of(clips.size(), "animation was", "animations were"), count_of(pairs->size(), "bone", "bones"));
  return std::optional(std::move(out));
}

Result<> check_no_expressions(const document::Document& document) {
  const JsonValue extensions = document.json().root()["extensions"];
  const JsonValue lists[] = {extensions["VRM"]["blendShapeMaster"], extensions["VRMC_vrm"]["expressions"]};
  for (const JsonValue list : lists)
    if (binds_shapes(list))
      return Unexpected(
          error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, Place{path_text(document.path()), list.pointer(), {}},
                "expressions of the avatar refer to blend shapes of single meshes, which --join replaces; merge without --join"));
  return {};
}

}  // namespace sinew::operations
