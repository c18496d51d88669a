// SPDX-License-Identifier: MIT
#include "gltf/write/write_carried.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "document/object.hpp"
#include "document/uri.hpp"
#include "gltf/schema/extensions.hpp"

#include "sinew/version.hpp"

namespace sinew::gltf {
namespace {

using document::Bytes;
using document::JsonKind;
using document::JsonMember;
using document::JsonValue;

/// What becomes of an extension when meshes, accessors and buffer views are written anew and skins and clips end.
enum class Fate : std::uint8_t {
  kept,       ///< refers to nothing that moves
  ended,      ///< it was applied on reading, or what it belongs to is gone
  uncertain,  ///< unknown: it may hold indices that mean something else now
};

constexpr std::string_view quantization = "KHR_mesh_quantization";
constexpr std::string_view gpu_instancing = "EXT_mesh_gpu_instancing";

struct FateRow {
  std::string_view prefix;
  Fate fate;
};

/// Where the fate does not follow from what reading does with the extension.
constexpr FateRow exceptions[] = {
    {"KHR_node_visibility", Fate::kept},       // applied, but still true of the nodes
    {"VRM", Fate::uncertain},                  // names meshes
    {gpu_instancing, Fate::ended},             // names accessors, and its nodes lose their meshes
    {"KHR_animation_pointer", Fate::ended},    // belongs to clips
    {"KHR_meshopt_compression", Fate::ended},  // belongs to buffer views
    {"EXT_lights_image_based", Fate::kept},    // names images and scenes
    {"MSFT_lod", Fate::kept},                  // names nodes and materials
    {"MSFT_texture_dds", Fate::kept},          // names images
};

/// KHR_mesh_quantization ends too: it comes back where carried attributes need it.
Fate fate_of(std::string_view name) {
  for (const FateRow& row : exceptions)
    if (name.starts_with(row.prefix)) return row.fate;
  switch (use_of_extension(name)) {
    case ExtensionUse::applied:
      return Fate::ended;
    case ExtensionUse::carried:
      return Fate::kept;
    case ExtensionUse::refused:
      break;
  }
  return Fate::uncertain;
}

void write_names(JsonWriter& json, std::string_view key, const std::vector<std::string>& names) {
  if (names.empty()) return;
  json.key(key).begin_array();
  for (const std::string& name : names) json.string(name);
  json.end_array();
}

}  // namespace

Carried::Carried(const document::Document* document, BufferWriter& buffer, std::vector<std::string>& notes)
    : document_(document), buffer_(buffer), notes_(notes) {}

JsonValue Carried::root() const { return document_ == nullptr ? JsonValue() : document_->json().root(); }

JsonValue Carried::object(SourceId id) const {
  if (document_ == nullptr || id == SourceId::nowhere) return {};
  return {document_->json(), static_cast<std::uint32_t>(id)};
}

void Carried::note_once(std::string_view extension, std::string_view text) {
  if (noted_.emplace(extension).second) notes_.push_back(fmt::format("{}: {}", extension, text));
}

void Carried::write_extensions_and_extras(JsonWriter& json, JsonValue object, std::optional<Extension> own) {
  std::vector<std::pair<std::string, std::string_view>> kept;
  for (const JsonMember member : object["extensions"].members()) {
    std::string name = member.key.string();
    const Fate fate = fate_of(name);
    if (name == gpu_instancing) note_once(name, "its instances are lost: they are not part of the model");
    if (fate == Fate::uncertain) note_once(name, "kept unchanged; its indices may not match the new file");
    if (own && own->name == name) own.reset();
    if (fate != Fate::ended) kept.emplace_back(std::move(name), member.value.text());
  }
  if (own) {
    kept.emplace_back(own->name, own->json);
    own_extensions_.emplace(own->name);
  }
  if (!kept.empty()) {
    json.key("extensions").begin_object();
    for (const auto& [name, text] : kept) json.key(name).raw(text);
    json.end_object();
  }
  if (const JsonValue extras = object["extras"]) json.key("extras").raw(extras.text());
}

void Carried::write_asset(JsonWriter& json) {
  const JsonValue asset = root()["asset"];
  json.key("asset").begin_object();
  const JsonValue version_text = asset["version"];
  json.key("version").raw(version_text.is(JsonKind::string) ? version_text.text() : "\"2.0\"");
  if (const JsonValue least = asset["minVersion"]; least.is(JsonKind::string)) json.key("minVersion").raw(least.text());
  json.key("generator").string(fmt::format("Sinew {}", version()));
  if (const JsonValue copyright = asset["copyright"]; copyright.is(JsonKind::string)) json.key("copyright").raw(copyright.text());
  write_extensions_and_extras(json, asset);
  json.end_object();
}

void Carried::write_lists(JsonWriter& json) {
  for (const std::string_view key : {"cameras", "samplers", "textures"})
    if (const JsonValue list = root()[key]; list.is(JsonKind::array) && list.size() != 0) json.key(key).raw(list.text());
  const JsonValue images = root()["images"];
  if (!images.is(JsonKind::array) || images.size() == 0) return;
  json.key("images").begin_array();
  for (const JsonValue image : images.elements()) write_image(json, image);
  json.end_array();
}

void Carried::write_image(JsonWriter& json, JsonValue image) {
  if (!image.is(JsonKind::object)) return json.raw(image.text());
  if (const std::string uri = image["uri"].string(); !uri.empty() && document::scheme_of(uri).empty()) relative_uris_.push_back(uri);
  json.begin_object();
  for (const JsonMember member : image.members()) {
    if (!member.key.equals("bufferView")) {
      json.key(member.key.string()).raw(member.value.text());
    } else if (const Index view = copy_view(member.value); view != none) {
      json.key("bufferView").integer(view);
    } else {
      notes_.push_back(fmt::format("{}: the image is lost, because its bytes cannot be read", image.pointer()));
    }
  }
  json.end_object();
}

Index Carried::copy_view(JsonValue view_index) {
  const auto index = document::whole_number(view_index);
  const JsonValue views = root()["bufferViews"];
  if (!index || *index >= views.size()) return none;
  if (const auto known = views_.find(*index); known != views_.end()) return known->second;
  const JsonValue view = views.at(static_cast<std::uint32_t>(*index));
  const auto buffer = document::whole_number(view["buffer"]);
  const auto size = document::whole_number(view["byteLength"]);
  const JsonValue offset_value = view["byteOffset"];
  const auto offset = offset_value ? document::whole_number(offset_value) : std::optional<std::uint64_t>(0);
  if (!buffer || !size || !offset || *size == 0) return none;
  const Bytes bytes = buffer_bytes(*buffer);
  if (*offset > bytes.view.size() || *size > bytes.view.size() - *offset) return none;
  const Index copy = buffer_.add_bytes(bytes.view.subspan(*offset, *size));
  views_.emplace(*index, copy);
  return copy;
}

Bytes Carried::buffer_bytes(std::uint64_t index) {
  if (const auto known = buffers_.find(index); known != buffers_.end()) return known->second;
  Bytes bytes;
  const JsonValue buffers = root()["buffers"];
  if (index < buffers.size()) {
    const JsonValue uri = buffers.at(static_cast<std::uint32_t>(index))["uri"];
    if (uri.is(JsonKind::string)) {
      if (auto fetched = document_->fetch(uri.string())) bytes = std::move(*fetched);
    } else if (index == 0 && !document_->chunks().empty()) {
      bytes = document_->chunks().front();
    }
  }
  return buffers_.emplace(index, std::move(bytes)).first->second;
}

void Carried::write_extension_names(JsonWriter& json, const Model& model) const {
  const auto surviving = [&](const std::vector<std::string>& names) {
    std::vector<std::string> result;
    if (document_ != nullptr)
      std::ranges::copy_if(names, std::back_inserter(result), [](const std::string& name) { return fate_of(name) != Fate::ended; });
    return result;
  };
  std::vector<std::string> used = surviving(model.extensions_used), required = surviving(model.extensions_required);
  for (const std::string& name : own_extensions_)
    if (std::ranges::find(used, name) == used.end()) used.push_back(name);
  if (quantization_) {
    used.emplace_back(quantization);
    required.emplace_back(quantization);
  }
  write_names(json, "extensionsUsed", used);
  write_names(json, "extensionsRequired", required);
}

}  // namespace sinew::gltf
