// SPDX-License-Identifier: MIT
#include "operations/convert/losses/gltf_losses.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/message.hpp"
#include "document/schema/reader.hpp"
#include "model/edit_reporter.hpp"

namespace sinew::operations {

namespace {

using document::JsonKind;
using document::JsonMember;
using document::JsonValue;

// Extensions that the reader applies, or that the conversion of materials handles.
constexpr std::string_view applied[] = {
    "KHR_draco_mesh_compression", "EXT_meshopt_compression",         "KHR_meshopt_compression", "STAIK_skeletons",  "KHR_skeleton_bone",
    "KHR_node_visibility",        "KHR_materials_emissive_strength", "KHR_texture_transform",   "EXT_texture_webp", "KHR_lights_punctual"};

void lost(JsonValue at, std::string_view what, FindingSink& losses) {
  EditReporter(losses).lost(at.pointer(), format_text("{} not converted", what));
}

// Names of morph targets are read from extras; nothing else is.
bool says_more_than_names(JsonValue extras) {
  if (!extras.is(JsonKind::object)) return true;
  for (const JsonMember member : extras.members())
    if (!member.key.equals("targetNames")) return true;
  return false;
}

void report_members(JsonValue item, FindingSink& losses) {
  for (const JsonMember extension : item["extensions"].members())
    if (std::ranges::none_of(applied, [&](std::string_view name) { return extension.key.equals(name); }))
      lost(extension.value, format_text("the extension {} is", extension.key.string()), losses);
  if (const JsonValue extras = item["extras"]; extras && says_more_than_names(extras)) lost(extras, "extras are", losses);
}

// Visits nested objects, but not those in extras and extensions.
void report_items(JsonValue root, FindingSink& losses) {
  std::vector<JsonValue> open = {root};
  while (!open.empty()) {
    const JsonValue item = open.back();
    open.pop_back();
    if (item.is(JsonKind::object)) report_members(item, losses);
    std::vector<JsonValue> inner = document::list_of(item);
    for (const JsonMember member : item.members())
      if (!member.key.equals("extras") && !member.key.equals("extensions")) inner.push_back(member.value);
    std::erase_if(inner, [](JsonValue value) { return !value.is(JsonKind::object) && !value.is(JsonKind::array); });
    open.insert(open.end(), inner.rbegin(), inner.rend());
  }
}

}  // namespace

void report_left_behind(const document::Document& gltf, FindingSink& losses) {
  const JsonValue root = gltf.json().root();
  if (const JsonValue copyright = root["asset"]["copyright"]) lost(copyright, "the copyright is", losses);
  report_items(root, losses);
}

}  // namespace sinew::operations
