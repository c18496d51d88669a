// SPDX-License-Identifier: MIT
#include "gltf/write/write_node.hpp"

#include <fmt/format.h>

#include <optional>

#include "gltf/write/node_transform.hpp"

namespace sinew::gltf {
namespace {

template <class Numbers>
void write_numbers(JsonWriter& json, std::string_view key, const std::optional<Numbers>& values) {
  if (!values) return;
  json.key(key).begin_array();
  for (const double value : *values) json.number(value);
  json.end_array();
}

void write_indices(JsonWriter& json, std::string_view key, const std::vector<Index>& indices) {
  if (indices.empty()) return;
  json.key(key).begin_array();
  for (const Index index : indices) json.integer(index);
  json.end_array();
}

}  // namespace

void write_nodes(JsonWriter& json, const Model& model, const std::vector<Index>& mesh_places, Carried& carried,
                 std::vector<std::string>& notes) {
  if (model.nodes.empty()) return;
  json.key("nodes").begin_array();
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    const Node& node = model.nodes[n];
    const document::JsonValue source = carried.object(node.source);
    const NodeTransform transform = node_transform(model.rest.locals[n]);
    if (transform.note != nullptr) notes.push_back(fmt::format("node {} \"{}\": {}", n, node.name, transform.note));
    json.begin_object();
    if (!node.name.empty()) json.key("name").string(node.name);
    write_indices(json, "children", node.children);
    write_numbers(json, "matrix", transform.matrix);
    write_numbers(json, "translation", transform.translation);
    write_numbers(json, "rotation", transform.rotation);
    write_numbers(json, "scale", transform.scale);
    if (source["camera"].integer()) json.key("camera").raw(source["camera"].text());
    if (node.mesh != none && mesh_places[node.mesh] != none) json.key("mesh").integer(mesh_places[node.mesh]);
    std::optional<Carried::Extension> hidden;
    if (!node.visible) hidden = {"KHR_node_visibility", "{\"visible\":false}"};
    carried.write_extensions_and_extras(json, source, hidden);
    json.end_object();
  }
  json.end_array();
}

void write_scenes(JsonWriter& json, const Model& model, Carried& carried) {
  if (model.scenes.empty()) return;
  if (model.default_scene != none) json.key("scene").integer(model.default_scene);
  json.key("scenes").begin_array();
  for (const Scene& scene : model.scenes) {
    json.begin_object();
    if (!scene.name.empty()) json.key("name").string(scene.name);
    write_indices(json, "nodes", scene.roots);
    carried.write_extensions_and_extras(json, carried.object(scene.source));
    json.end_object();
  }
  json.end_array();
}

}  // namespace sinew::gltf
