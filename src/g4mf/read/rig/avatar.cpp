// SPDX-License-Identifier: MIT
#include <array>
#include <string>
#include <unordered_map>
#include <utility>

#include "g4mf/read/rig/nodes.hpp"
#include "g4mf/schema/extras.hpp"

namespace sinew::g4mf {

namespace {

class AvatarReader {
 public:
  AvatarReader(Model& model, JsonValue stored) : model_(model), avatar_(model.avatar), stored_(stored) {}

  void read() {
    for (const auto format : {Avatar::Format::vrm0, Avatar::Format::vrm1})
      if (stored_["format"].equals(to_string(format))) avatar_.format = format;
    if (avatar_.format == Avatar::Format::no) return;
    for (Index node = 0; node < model_.nodes.size(); ++node) nodes_.try_emplace(model_.nodes[node].name, node);
    avatar_.spec_version = stored_["specVersion"].string();
    const JsonValue meta = stored_["meta"];
    const bool old = avatar_.format == Avatar::Format::vrm0;
    avatar_.title = meta[old ? "title" : "name"].string();
    avatar_.version = meta["version"].string();
    avatar_.license = meta[old ? "licenseName" : "licenseUrl"].string();
    if (old && meta["author"].is(document::JsonKind::string)) avatar_.authors.push_back(meta["author"].string());
    for (const JsonValue author : meta["authors"].elements()) avatar_.authors.push_back(author.string());
    for (const document::JsonMember bone : stored_["humanBones"].members())
      if (const Index node = node_of(bone.value); node != none && avatar_.bone(bone.key.string()) == none)
        avatar_.bones.push_back({bone.key.string(), node, Source::id_of(bone.value)});
    for (const JsonValue value : stored_["expressions"].elements())
      if (value["name"].is(document::JsonKind::string)) read_expression(value);
  }

 private:
  /// Returns a node by its name or, if it has none, its index.
  [[nodiscard]] Index node_of(JsonValue value) const {
    if (value.is(document::JsonKind::string)) {
      const auto found = nodes_.find(value.string());
      return found == nodes_.end() ? none : found->second;
    }
    const auto index = value.integer();
    return index && *index >= 0 && static_cast<std::uint64_t>(*index) < model_.nodes.size() ? static_cast<Index>(*index) : none;
  }

  [[nodiscard]] static Index shape_of(const Mesh& mesh, JsonValue value) {
    const auto index = value.integer();
    return index && *index >= 0 && static_cast<std::uint64_t>(*index) < mesh.shapes.size() ? static_cast<Index>(*index) : none;
  }

  void read_expression(JsonValue value) {
    Expression expression;
    expression.source = Source::id_of(value);
    expression.name = value["name"].string();
    expression.stored = value["stored"] ? value["stored"].string() : expression.name;
    expression.preset = value["preset"].boolean().value_or(false);
    expression.binary = value["isBinary"].boolean().value_or(false);
    constexpr std::string_view keys[] = {"overrideBlink", "overrideLookAt", "overrideMouth"};
    for (std::size_t kind = 0; kind < expression.overrides.size(); ++kind)
      for (const auto what : {Expression::Override::block, Expression::Override::blend})
        if (value[keys[kind]].equals(to_string(what))) expression.overrides[kind] = what;
    for (const JsonValue bind : value["binds"].elements()) {
      const Index node = node_of(bind["node"]);
      const auto weight = bind["weight"].number();
      if (node == none || !weight || model_.nodes[node].mesh >= model_.meshes.size()) continue;
      if (const Index shape = shape_of(model_.meshes[model_.nodes[node].mesh], bind["shape"]); shape != none)
        expression.binds.push_back({node, shape, *weight});
    }
    avatar_.expressions.push_back(std::move(expression));
  }

  Model& model_;
  Avatar& avatar_;
  JsonValue stored_;
  std::unordered_map<std::string, Index> nodes_;  ///< by name
};

}  // namespace

void read_avatar(Reader& reader) {
  const JsonValue stored = reader.root()["nodes"].at(0)["extras"][gltf_extra][avatar_extra];
  if (stored.is(document::JsonKind::object)) AvatarReader(reader.model(), stored).read();
}

}  // namespace sinew::g4mf
