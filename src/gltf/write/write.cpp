// SPDX-License-Identifier: MIT
#include "gltf/write/write.hpp"

#include <cassert>
#include <utility>

#include "document/json_writer.hpp"
#include "gltf/source.hpp"
#include "gltf/write/write_buffer.hpp"
#include "gltf/write/write_carried.hpp"
#include "gltf/write/write_mesh.hpp"
#include "gltf/write/write_node.hpp"

namespace sinew::gltf {
namespace {

void write_materials(JsonWriter& json, const Model& model, const WriteOptions& options, Carried& carried) {
  if (model.materials.empty()) return;
  json.key("materials").begin_array();
  for (const std::string& material : options.materials) json.raw(material);
  for (const Material& material : std::span(model.materials).subspan(options.materials.size())) {
    if (const document::JsonValue source = carried.object(material.source)) {
      json.raw(source.text());
      continue;
    }
    json.begin_object();
    if (!material.name.empty()) json.key("name").string(material.name);
    json.end_object();
  }
  json.end_array();
  for (const std::string& name : options.extensions) carried.use_extension(name);
}

/// The glTF file that the model was read from, or null.
const document::Document* document_of(const Model& model) {
  const auto* source = dynamic_cast<const Source*>(model.source.get());
  return source == nullptr ? nullptr : &source->document();
}

}  // namespace

Written write(const Model& model, const WriteOptions& options) {
  assert(model.dimension == 3);
  assert(options.materials.empty() || options.materials.size() == model.materials.size());
  Written written;
  BufferWriter buffer;
  Carried carried(document_of(model), buffer, written.notes);
  JsonWriter json;
  json.begin_object();
  carried.write_asset(json);
  write_scenes(json, model, carried);
  write_nodes(json, model, mesh_places(model), carried, written.notes);
  write_meshes(json, {model, buffer, carried, written.notes});
  write_materials(json, model, options, carried);
  carried.write_lists(json);
  buffer.write(json, options.name_buffer && !buffer.bytes().empty() ? options.name_buffer(buffer.bytes()) : std::string());
  carried.write_extension_names(json, model);
  carried.write_root_extensions_and_extras(json);
  json.end_object();
  written.json = std::move(json).take();
  written.buffer = std::move(buffer).take();
  if (options.materials.empty() && !model.materials.empty() && model.source != nullptr && document_of(model) == nullptr)
    written.notes.emplace_back("materials keep only their names");
  written.relative_uris = carried.take_relative_uris();
  return written;
}

}  // namespace sinew::gltf
