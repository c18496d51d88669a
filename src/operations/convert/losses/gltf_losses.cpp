// SPDX-License-Identifier: MIT
#include "operations/convert/losses/gltf_losses.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/message.hpp"
#include "document/schema/reader.hpp"
#include "gltf/extensions/KHR_animation_pointer.hpp"
#include "model/edit_reporter.hpp"

namespace sinew::operations {

namespace {

using Moves = gltf::MutableProperty::Moves;
using document::JsonKind;
using document::JsonMember;
using document::JsonValue;

bool is_converted(JsonValue name) {
  const gltf::Extension* const extension = gltf::find_extension(name.string());
  return extension != nullptr && (extension->converted || extension->use == gltf::ExtensionUse::applied);
}

std::string_view converted_part(JsonValue name) {
  const gltf::Extension* const extension = gltf::find_extension(name.string());
  return extension == nullptr ? std::string_view() : extension->converted_part;
}

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
  for (const JsonMember extension : item["extensions"].members()) {
    if (const std::string_view part = converted_part(extension.key); !part.empty())
      lost(extension.value, format_text("{} keeps {}; the rest is", extension.key.string(), part), losses);
    else if (!is_converted(extension.key))
      lost(extension.value, format_text("the extension {} is", extension.key.string()), losses);
    for (const JsonMember attribute : extension.value["attributes"].members())  // of copies
      if (is_converted(extension.key) && attribute.key.string().starts_with('_'))
        lost(attribute.value, format_text("the attribute {} is", attribute.key.string()), losses);
  }
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

void report_left_behind(const document::Document& gltf, const Model& model, FindingSink& losses) {
  const JsonValue root = gltf.json().root();
  for (const JsonValue animation : root["animations"].elements())
    for (const JsonValue channel : animation["channels"].elements()) {
      const JsonValue pointer = gltf::pointer_of_target(channel["target"]);
      if (!pointer) continue;
      const gltf::PointerTarget target = gltf::pointer_target(root, model, pointer.string());
      if (target.counts() && (target.moves() == Moves::nothing || target.moves() == Moves::visibility))
        lost(pointer, format_text("the animation of {} is", pointer.string()), losses);
    }
  if (const JsonValue copyright = root["asset"]["copyright"]) lost(copyright, "the copyright is", losses);
  report_items(root, losses);
}

}  // namespace sinew::operations
