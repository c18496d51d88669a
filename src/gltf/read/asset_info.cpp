// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/message.hpp"
#include "document/container/image.hpp"
#include "document/files/uri.hpp"
#include "document/schema/object.hpp"
#include "gltf/read/asset.hpp"
#include "gltf/read/read.hpp"
#include "gltf/schema/attribute_names.hpp"

namespace sinew::gltf {

namespace {

std::vector<std::string> names_of(JsonValue list) {
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  for (const JsonValue value : list.elements()) {
    if (!value.is(JsonKind::string)) return {};
    if (std::string name = value.string(); seen.insert(name).second) names.push_back(std::move(name));
  }
  return names;
}

/// Counts the drawn elements, from the properties of accessors only.
class Count {
 public:
  Count(JsonValue root, AssetInfo& info) : accessors_(list_of(root["accessors"])), info_(info) {}

  void mesh(JsonValue mesh) {
    const std::vector<JsonValue> primitives = list_of(mesh["primitives"]);
    if (!std::ranges::all_of(primitives, [](JsonValue value) { return value.is(JsonKind::object); })) return;
    for (const JsonValue value : primitives) primitive(value);
  }

 private:
  [[nodiscard]] std::optional<std::uint64_t> count_of(JsonValue index) const {
    const auto place = whole_number(index);
    if (!place || *place >= accessors_.size() || !accessors_[*place].is(JsonKind::object)) return std::nullopt;
    return whole_number(accessors_[*place]["count"]).value_or(0);
  }

  void primitive(JsonValue value) {
    ++info_.draw_calls;
    for (const JsonValue target : value["targets"].elements())
      if (target.is(JsonKind::object) && target.size() > 0) info_.has_morph_targets = true;
    std::optional<std::uint64_t> vertices;
    std::uint64_t attributes = 0;
    for (const JsonMember member : value["attributes"].members()) {
      const auto count = count_of(member.value);
      if (!count) continue;
      ++attributes;
      if (!vertices) vertices = count;
    }
    info_.vertices += vertices.value_or(0);
    const auto corners = value["indices"] ? count_of(value["indices"]) : vertices;
    info_.triangles += triangles(value["mode"] ? whole_number(value["mode"]).value_or(0) : 4, corners.value_or(0));
    info_.max_attributes = std::max(info_.max_attributes, attributes);
    const AttributeNames names = attribute_names(value["attributes"]);
    info_.max_uvs = std::max<std::uint64_t>(info_.max_uvs, names.texcoords.sets());
    info_.max_influences = std::max<std::uint64_t>(info_.max_influences, 4 * names.influence_sets());
  }

  static std::uint64_t triangles(std::uint64_t mode, std::uint64_t corners) {
    if (mode == 4) return corners / 3;
    return (mode == 5 || mode == 6) && corners > 2 ? corners - 2 : 0;
  }

  std::vector<JsonValue> accessors_;
  AssetInfo& info_;
};

std::optional<std::uint64_t> size_of(const Document& document, const std::string& uri) {
  if (const auto data = split_data_uri(uri); data && data->base64 && data->payload.find('%') == std::string_view::npos) {
    const std::size_t padding = data->payload.ends_with("==") ? 2 : data->payload.ends_with('=') ? 1 : 0;
    return (data->payload.size() - padding) * 3 / 4;
  }
  const auto bytes = document.fetch(uri);
  return bytes ? std::optional<std::uint64_t>(bytes->view.size()) : std::nullopt;
}

ResourceInfo buffer_resource(const Document& document, JsonValue buffer, std::size_t index) {
  ResourceInfo resource;
  resource.pointer = format_text("/buffers/{}", index);
  resource.mime_type = "application/gltf-buffer";
  const std::string uri = buffer["uri"].string();
  if (uri.empty()) {
    if (index != 0 || document.container() != Container::glb) return resource;
    resource.storage = "glb";
    if (!document.chunks().empty()) resource.byte_length = document.chunks()[0].view.size();
  } else {
    const bool data = is_data_uri(uri);
    resource.storage = data ? "data-uri" : "external";
    if (!data) resource.uri = uri;
    resource.byte_length = size_of(document, uri);
  }
  return resource;
}

ResourceInfo image_resource(const Document& document, JsonValue root, JsonValue image, std::size_t index) {
  ResourceInfo resource;
  resource.pointer = format_text("/images/{}", index);
  if (image["extensions"].size() > 0) return resource;  // an extension may specify where the data is
  const std::string uri = image["uri"].string();
  const auto view = whole_number(image["bufferView"]);
  std::optional<Bytes> bytes;
  if (!uri.empty()) {
    if (find_uri_fault(uri)) return resource;
    if (auto fetched = document.fetch(uri)) bytes = std::move(*fetched);
    const bool data = is_data_uri(uri);
    if (data && !(bytes && has_declared_type(uri, bytes->view))) return resource;
    resource.storage = data ? "data-uri" : "external";
    if (!data) resource.uri = uri;
  } else if (view && *view < root["bufferViews"].size()) {
    resource.storage = "buffer-view";
    if (auto found = image_bytes(document, image)) bytes = std::move(*found);
  }
  if (!bytes) return resource;
  if (const auto info = image_info(bytes->view)) {
    resource.mime_type = info->mime_type;
    resource.image = info->image;
  }
  return resource;
}

}  // namespace

std::optional<AssetInfo> asset_info(const Document& document) {
  const JsonValue root = document.json().root();
  const JsonValue asset = root["asset"];
  const auto version = parse_version(asset["version"].string());
  if (!version || version->major != 2) return std::nullopt;
  if (const Finding* cut = document.cut(); cut != nullptr && cut->code != "GLB_LENGTH_MISMATCH") return std::nullopt;
  AssetInfo info;
  info.version = asset["version"].string();
  if (parse_version(asset["minVersion"].string())) info.min_version = asset["minVersion"].string();
  info.generator = asset["generator"].string();
  info.extensions_used = names_of(root["extensionsUsed"]);
  info.extensions_required = names_of(root["extensionsRequired"]);
  std::size_t index = 0;
  for (const JsonValue buffer : root["buffers"].elements()) {
    if (buffer.is(JsonKind::object)) info.resources.push_back(buffer_resource(document, buffer, index));
    ++index;
  }
  index = 0;
  for (const JsonValue image : root["images"].elements()) {
    if (image.is(JsonKind::object)) info.resources.push_back(image_resource(document, root, image, index));
    ++index;
  }
  info.animations = root["animations"].size();
  info.materials = root["materials"].size();
  info.has_skins = root["skins"].size() > 0;
  info.has_textures = root["textures"].size() > 0;
  const auto scene = whole_number(root["scene"]);
  info.has_default_scene =
      scene && root["scenes"].at(static_cast<std::uint32_t>(std::min<std::uint64_t>(*scene, 0xFFFFFFFF))).is(JsonKind::object);
  Count count(root, info);
  for (const JsonValue mesh : root["meshes"].elements()) count.mesh(mesh);
  return info;
}

}  // namespace sinew::gltf
