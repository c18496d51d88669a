// SPDX-License-Identifier: MIT
#include "operations/convert/gltf_to_g4mf_carried.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "document/json/json_edit.hpp"
#include "document/schema/edited.hpp"
#include "document/schema/reader.hpp"
#include "model/edit_reporter.hpp"

namespace sinew::operations {

namespace {

using document::JsonEdit;
using document::JsonKind;
using document::JsonMember;
using document::JsonValue;

// What the reader has made a part of the model.
constexpr std::string_view applied[] = {"KHR_draco_mesh_compression", "EXT_meshopt_compression", "STAIK_skeletons", "KHR_skeleton_bone",
                                        "KHR_node_visibility"};

void lost(JsonValue at, std::string_view what, FindingSink& losses) {
  EditReporter(losses).lost(at.pointer(), fmt::format("{} not converted", what));
}

// Names of morph targets are read; nothing else in extras is.
bool says_more_than_names(JsonValue extras) {
  if (!extras.is(JsonKind::object)) return true;
  for (const JsonMember member : extras.members())
    if (!member.key.equals("targetNames")) return true;
  return false;
}

void report_members(JsonValue item, FindingSink& losses) {
  for (const JsonMember extension : item["extensions"].members())
    if (std::ranges::none_of(applied, [&](std::string_view name) { return extension.key.equals(name); }))
      lost(extension.value, fmt::format("the extension {} is", extension.key.string()), losses);
  if (const JsonValue extras = item["extras"]; extras && says_more_than_names(extras)) lost(extras, "extras are", losses);
}

// Objects in objects, but not those inside extras and extensions.
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

// Name, factors and what is the default anyway.
bool is_said(const JsonMember& member) {
  for (const std::string_view key : {"name", "emissiveFactor", "extras", "extensions"})
    if (member.key.equals(key)) return true;
  if (member.key.equals("alphaMode")) return member.value.equals("OPAQUE");
  if (!member.key.equals("pbrMetallicRoughness")) return member.value.boolean() == false;
  return std::ranges::none_of(std::vector<std::string_view>{"baseColorTexture", "metallicRoughnessTexture"},
                              [&](std::string_view key) { return static_cast<bool>(member.value[key]); });
}

std::vector<double> numbers_of(JsonValue list, std::vector<double> otherwise) {
  std::size_t i = 0;
  for (const JsonValue number : list.elements())
    if (i < otherwise.size()) otherwise[i++] = number.number().value_or(0);
  return otherwise;
}

void put_factor(JsonEdit& material, std::string_view channel, const std::vector<double>& numbers, const std::vector<double>& otherwise) {
  if (numbers == otherwise) return;
  JsonEdit factor = JsonEdit::array();
  for (const double number : numbers) factor.push_back(JsonEdit::number(number));
  JsonEdit object = JsonEdit::object();
  object.set("factor", std::move(factor));
  material.set(channel, std::move(object));
}

}  // namespace

void report_left_behind(const document::Document& gltf, FindingSink& losses) {
  const JsonValue root = gltf.json().root();
  for (const JsonValue camera : root["cameras"].elements()) lost(camera, "cameras are", losses);
  for (const JsonValue texture : root["textures"].elements()) lost(texture, "textures are", losses);
  for (const JsonValue material : root["materials"].elements())
    for (const JsonMember member : material.members())
      if (!is_said(member)) lost(member.value, fmt::format("\"{}\" of a material is", member.key.string()), losses);
  if (const JsonValue copyright = root["asset"]["copyright"]) lost(copyright, "the copyright is", losses);
  report_items(root, losses);
}

Result<std::shared_ptr<const document::Document>> with_material_factors(const std::shared_ptr<const document::Document>& g4mf,
                                                                        const document::Document& gltf) {
  const JsonValue materials = gltf.json().root()["materials"];
  if (materials.size() == 0) return g4mf;
  JsonEdit root(g4mf->json().root());
  JsonEdit* const written = root.find("materials");
  if (written == nullptr) return g4mf;
  std::size_t i = 0;
  for (const JsonValue source : materials.elements()) {
    if (i == written->size()) break;
    JsonEdit& material = written->at(i++);
    const JsonValue pbr = source["pbrMetallicRoughness"];
    put_factor(material, "baseColor", numbers_of(pbr["baseColorFactor"], {1, 1, 1, 1}), {1, 1, 1, 1});
    put_factor(material, "emissive", numbers_of(source["emissiveFactor"], {0, 0, 0}), {0, 0, 0});
    put_factor(material, "orm", {0, pbr["roughnessFactor"].number().value_or(1), pbr["metallicFactor"].number().value_or(1)}, {0, 1, 0});
  }
  return document::with_text(*g4mf, root.text(), {});
}

}  // namespace sinew::operations
