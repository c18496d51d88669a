// SPDX-License-Identifier: MIT
#include <algorithm>

#include "document/files/uri.hpp"
#include "document/schema/revision.hpp"
#include "g4mf/read/read.hpp"
#include "g4mf/schema/data/accessors.hpp"

namespace sinew::g4mf {

namespace {

class InfoReader {
 public:
  explicit InfoReader(const Document& document) : reading_(document), reader_(reading_.reader) {}

  AssetInfo read() {
    const RootObject& root = reader_.root();
    const JsonValue asset = root["asset"];
    info_.version = name_of(reader_.revision());
    info_.generator = asset["generator"].string();
    if (const auto dimension = whole_number(asset["dimension"])) info_.dimension = *dimension;
    for (const JsonValue name : asset["extensionsUsed"].elements()) info_.extensions_used.push_back(name.string());
    for (const JsonValue name : asset["extensionsRequired"].elements()) info_.extensions_required.push_back(name.string());
    info_.materials = root["materials"].size();
    info_.has_textures = root["textures"].size() > 0;
    info_.has_default_scene = root["nodes"].size() > 0;
    for (const JsonValue buffer : root["buffers"].elements()) add_buffer(buffer);
    for (const RootObject::Row row : file_lists)
      for (const JsonValue file : root[row].elements()) add_file(file);
    for (const JsonValue texture : root["textures"].elements())
      for (const JsonValue image : texture["images"].elements()) add_file(image);
    for (const JsonValue mesh : root["meshes"].elements()) add_mesh(mesh);
    return std::move(info_);
  }

 private:
  void add_uri(ResourceInfo& resource, JsonValue uri) {
    const std::string text = uri.string();
    resource.storage = is_data_uri(text) ? "data-uri" : "external";
    if (resource.storage == "external") resource.uri = text;
  }

  void add_buffer(JsonValue buffer) {
    if (!buffer.is(JsonKind::object)) return;
    ResourceInfo& resource = info_.resources.emplace_back();
    resource.pointer = buffer.pointer();
    resource.mime_type = "application/octet-stream";
    resource.byte_length = whole_number(buffer["byteLength"]);
    if (buffer["uri"])
      add_uri(resource, buffer["uri"]);
    else if (reader_.document().container() == Container::g4b)
      resource.storage = "g4b";
  }

  void add_file(JsonValue file) {
    if (!file.is(JsonKind::object)) return;
    ResourceInfo& resource = info_.resources.emplace_back();
    resource.pointer = file.pointer();
    resource.mime_type = file["mimeType"].string();
    if (file["uri"])
      add_uri(resource, file["uri"]);
    else if (const JsonValue view = element(reader_.root()["bufferViews"], file["bufferView"])) {
      resource.storage = "buffer-view";
      resource.byte_length = whole_number(view["byteLength"]);
    }
  }

  void add_mesh(JsonValue mesh) {
    if (const Array* const vertices = reading_.accessors.find(mesh["vertices"])) info_.vertices += vertices->size();
    for (const JsonValue surface : mesh["surfaces"].elements()) {
      ++info_.draw_calls;
      const JsonValue simplexes = surface["simplexes"] ? surface["simplexes"] : surface["cells"];
      if (const Array* const found = reading_.accessors.find(simplexes)) info_.triangles += found->size();
      const bool normals = static_cast<bool>(surface["normals"]), map = static_cast<bool>(surface["textureMap"]);
      info_.max_uvs = std::max<std::uint64_t>(info_.max_uvs, map ? 1 : 0);
      info_.max_attributes = std::max<std::uint64_t>(info_.max_attributes, 1 + (normals ? 1 : 0) + (map ? 1 : 0));
    }
    if (mesh["blend"]["shapes"].size() > 0) info_.has_morph_targets = true;
    if (!mesh["skin"]) return;
    info_.has_skins = true;
    const Array* const vertices = reading_.accessors.find(mesh["skin"]["vertices"]);
    if (vertices == nullptr || vertices->width() != 1 || is_float(vertices->type())) return;
    const std::vector<std::uint32_t> owners = vertices->read<std::uint32_t>();
    std::uint64_t run = 0;
    for (std::size_t i = 0; i < owners.size(); ++i) {
      run = i > 0 && owners[i] == owners[i - 1] ? run + 1 : 1;
      info_.max_influences = std::max(info_.max_influences, run);
    }
  }

  AssetInfo info_;
  QuietReading reading_;
  Reader& reader_;
};

}  // namespace

std::optional<AssetInfo> asset_info(const Document& document) { return InfoReader(document).read(); }

}  // namespace sinew::g4mf
