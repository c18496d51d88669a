// SPDX-License-Identifier: MIT
#include "operations/merge/mesh_choice.hpp"

#include <algorithm>

#include "base/catalogue_edit.hpp"
#include "base/message.hpp"
#include "base/suggestion.hpp"
#include "model/place.hpp"

namespace sinew::operations {

namespace {

std::vector<bool> meshes_called(const Model& model, const std::string& wanted) {
  std::vector<bool> chosen(model.meshes.size());
  for (std::size_t mesh = 0; mesh < chosen.size(); ++mesh) chosen[mesh] = model.meshes[mesh].name == wanted;
  for (const Node& node : model.nodes)
    if (node.mesh != none && node.name == wanted) chosen[node.mesh] = true;
  if (std::ranges::find(chosen, true) == chosen.end())
    for (std::size_t mesh = 0; mesh < chosen.size(); ++mesh) chosen[mesh] = wanted == format_text("{}", mesh);
  return chosen;
}

std::vector<std::string_view> names_of(const Model& model) {
  std::vector<std::string_view> names;
  for (const Mesh& mesh : model.meshes)
    if (!mesh.name.empty()) names.push_back(mesh.name);
  for (const Node& node : model.nodes)
    if (node.mesh != none && !node.name.empty() && std::ranges::find(names, node.name) == names.end()) names.push_back(node.name);
  return names;
}

std::vector<bool> find_joints(const Model& model) {
  std::vector<bool> joints(model.nodes.size());
  for (const Skin& skin : model.skins)
    for (const Index slot : skin.slots)
      if (slot != none) joints[slot] = true;
  for (const Skeleton& skeleton : model.skeletons)
    for (const Index joint : skeleton.joints)
      if (joint != none) joints[joint] = true;
  return joints;
}

Unexpected wrong_choice(Place place, std::string message) {
  return Unexpected(error("SINEW_USAGE"_code, Failure::usage, std::move(place), std::move(message)));
}

}  // namespace

Result<std::vector<std::vector<bool>>> choose_meshes(std::span<const Model* const> models, const std::vector<std::string>& wanted) {
  std::vector<std::vector<bool>> chosen;
  for (const Model* model : models) chosen.emplace_back(model->meshes.size());
  std::vector<std::string_view> known;
  for (const Model* model : models)
    for (const std::string_view name : names_of(*model)) known.push_back(name);
  for (const std::string& name : wanted) {
    bool found = false;
    for (std::size_t i = 0; i < models.size(); ++i) {
      const std::vector<bool> meshes = meshes_called(*models[i], name);
      for (std::size_t mesh = 0; mesh < meshes.size(); ++mesh)
        if (meshes[mesh]) found = chosen[i][mesh] = true;
    }
    if (found) continue;
    return wrong_choice({}, format_text("no mesh of the clothes is named \"{}\"{}", name, suggestion(name, known)));
  }
  for (std::size_t i = 0; i < models.size(); ++i)
    if (std::ranges::find(chosen[i], true) == chosen[i].end())
      return wrong_choice(place_of(*models[i]),
                          format_text("--mesh names no mesh of this file, and each file of clothes needs one; it has \"{}\"",
                                      join_text(names_of(*models[i]), "\", \"")));
  return chosen;
}

Model with_meshes(const Model& model, const std::vector<bool>& chosen) {
  Model part = model;
  for (Index node = 0; node < part.nodes.size(); ++node) {
    if (part.nodes[node].mesh == none || chosen[part.nodes[node].mesh]) continue;
    part.nodes[node].mesh = part.nodes[node].skin = none;
    part.nodes[node].materials.clear();
    part.rest_pose.amounts[node].clear();
  }
  for (Clip& clip : part.clips)
    std::erase_if(clip.tracks, [&](const Track& track) {
      return track.path == TrackPath::amounts && track.node != none && part.nodes[track.node].mesh == none;
    });
  return part;
}

std::vector<Index> emptied_nodes(const Model& before, const Model& after) {
  const std::vector<bool> were = find_joints(before), are = find_joints(after);
  std::vector<bool> stays(before.nodes.size());
  for (Index node = 0; node < before.nodes.size(); ++node) {
    const bool held = before.nodes[node].mesh != none || were[node];
    if (held && after.nodes[node].mesh == none && !are[node]) continue;
    for (Index up = node; up != none && !stays[up]; up = before.nodes[up].parent) stays[up] = true;
  }
  std::vector<Index> emptied;
  for (Index node = 0; node < before.nodes.size(); ++node)
    if (!stays[node]) emptied.push_back(node);
  return emptied;
}

}  // namespace sinew::operations
