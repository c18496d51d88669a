// SPDX-License-Identifier: MIT
#include "edit/convert_skeletons.hpp"

#include <vector>

#include "document/json.hpp"
#include "gltf/read.hpp"
#include "gltf/update.hpp"

#include "sinew/strict_skeletons.hpp"

namespace sinew::edit {
namespace {

using document::Document;
using document::JsonValue;

/// Nodes that carry a camera or a light, which the model does not show.
std::vector<bool> occupied_nodes(const Document& document) {
  std::vector<bool> occupied;
  for (const JsonValue node : document.json().root()["nodes"].elements())
    occupied.push_back(node["camera"] || node["extensions"]["KHR_lights_punctual"]);
  return occupied;
}

}  // namespace

Result<std::shared_ptr<const Document>> with_skeletons(const std::shared_ptr<const Document>& document, Skeletons how, FindingSink& sink,
                                                       FindingSink& losses) {
  if (how == Skeletons::keep) return document;
  const auto model = gltf::read(document, document::Checks::safety, sink);
  if (!model) return Unexpected(model.error());
  if (model->skins.empty() && model->skeletons.empty()) return document;
  const auto changed = how == Skeletons::strict ? ops::make_strict(*model, {occupied_nodes(*document)}, losses) : ops::make_plain(*model);
  if (!changed) return Unexpected(changed.error());
  return gltf::update(document, *model, *changed, losses);
}

}  // namespace sinew::edit
