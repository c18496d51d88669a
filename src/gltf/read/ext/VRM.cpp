// SPDX-License-Identifier: MIT
#include "gltf/read/ext/VRM.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/ascii.hpp"
#include "gltf/extensions/VRM.hpp"
#include "model/human_bones.hpp"

namespace sinew::gltf {

namespace {

std::string_view preset_called(const std::string& name) {
  const auto* const found = std::ranges::find(vrm::preset_names, std::string_view(name), &vrm::PresetName::old_name);
  return found == std::end(vrm::preset_names) ? std::string_view() : found->name;
}

/// Returns the name in VRM 1.0 of a bone in VRM 0.x; thumbs differ. An unknown one stays.
std::string bone_of_vrm0(const std::string& name) {
  const HumanBoneKind* const kind = find_old_human_bone(name);
  return kind == nullptr ? name : std::string(kind->name);
}

/// Reads the object of VRM 0.x.
class Vrm0 {
 public:
  Vrm0(Reader& reader, JsonValue value) : reader_(reader), value_(value), avatar_(reader.model().avatar) {}

  void read() {
    avatar_.format = Avatar::Format::vrm0;
    avatar_.spec_version = value_["specVersion"].string();
    const JsonValue meta = value_["meta"];
    avatar_.title = meta["title"].string();
    avatar_.version = meta["version"].string();
    if (std::string author = meta["author"].string(); !author.empty()) avatar_.authors.push_back(std::move(author));
    avatar_.license = meta["licenseName"].string();
    for (const JsonValue bone : value_["humanoid"]["humanBones"].elements())
      add_bone(reader_, bone_of_vrm0(bone["bone"].string()), bone["node"]);
    list_nodes();
    for (const JsonValue group : value_["blendShapeMaster"]["blendShapeGroups"].elements()) read_expression(group);
    read_springs(value_["secondaryAnimation"]);
    for (const JsonValue annotation : value_["firstPerson"]["meshAnnotations"].elements()) read_annotation(annotation);
    if (const JsonValue first_person = value_["firstPerson"]) read_look(first_person);
  }

 private:
  void list_nodes() {
    const Model& model = reader_.model();
    nodes_of_.resize(model.meshes.size());
    for (Index node = 0; node < model.nodes.size(); ++node)
      if (const Index mesh = model.nodes[node].mesh; mesh < nodes_of_.size()) nodes_of_[mesh].push_back(node);
  }

  /// Returns the nodes with the mesh of `object`; none if the memory for so many does not suffice.
  std::span<const Index> nodes_of(JsonValue object) {
    const Index mesh = reader_.root().plain_index(object["mesh"], Reference::mesh);
    if (mesh >= nodes_of_.size() || !reader_.take(object, nodes_of_[mesh].size(), sizeof(ShapeBind))) return {};
    return nodes_of_[mesh];
  }

  void read_expression(JsonValue group) {
    Expression expression;
    expression.source = source_of(group);
    expression.name = expression.stored = group["name"].string();
    const std::string preset = to_lower(group["presetName"].string());
    std::string_view known = preset_called(preset);
    if (preset.empty() || preset == "unknown") known = preset_called(to_lower(expression.name));
    if (!known.empty()) {
      expression.preset = true;
      expression.name = known;
    }
    expression.binary = group["isBinary"].boolean().value_or(false);
    expression.material_binds = group["materialValues"].size();
    const Model& model = reader_.model();
    for (const JsonValue bind : group["binds"].elements()) {
      const auto shape = bind["index"].integer();
      const auto weight = bind["weight"].number();
      if (!shape || !weight) continue;
      for (const Index node : nodes_of(bind))
        if (*shape >= 0 && static_cast<std::uint64_t>(*shape) < model.meshes[model.nodes[node].mesh].shapes.size())
          expression.binds.push_back({node, static_cast<Index>(*shape), *weight / 100});
    }
    avatar_.expressions.push_back(std::move(expression));
  }

  void read_springs(JsonValue animation) {
    std::vector<std::vector<Index>>& groups = avatar_.collider_groups;
    for (const JsonValue group : animation["colliderGroups"].elements()) {
      std::vector<Index>& own = groups.emplace_back();
      const Index node = reader_.root().plain_index(group["node"], Reference::node);
      if (node == none) continue;
      for (const JsonValue collider : group["colliders"].elements()) {
        own.push_back(static_cast<Index>(avatar_.colliders.size()));
        avatar_.colliders.push_back({node, source_of(collider)});
      }
    }
    for (const JsonValue value : animation["boneGroups"].elements()) {
      Spring spring;
      spring.name = value["comment"].string();
      spring.joints = indices_below(value["bones"], reader_.model().nodes.size());
      spring.collider_groups = indices_below(value["colliderGroups"], groups.size());
      spring.center = reader_.root().plain_index(value["center"], Reference::node);
      spring.source = source_of(value);
      avatar_.springs.push_back(std::move(spring));
    }
  }

  void read_annotation(JsonValue annotation) {
    using Show = FirstPerson::Show;
    const std::string flag = to_lower(annotation["firstPersonFlag"].string());
    const Show show = flag == "both"              ? Show::both
                      : flag == "thirdpersononly" ? Show::third_person_only
                      : flag == "firstpersononly" ? Show::first_person_only
                                                  : Show::automatic;
    for (const Index node : nodes_of(annotation)) avatar_.first_person.push_back({node, show});
  }

  void read_look(JsonValue value) {
    LookAt& look = avatar_.look_at;
    const bool by_expression = value["lookAtTypeName"].equals("BlendShape");
    look.kind = by_expression ? LookAt::Kind::expression : LookAt::Kind::bone;
    const JsonValue offset = value["firstPersonBoneOffset"];  // in left-handed axes
    look.offset = {offset["x"].number().value_or(0), offset["y"].number().value_or(0), 0.0 - offset["z"].number().value_or(0)};
    const double usual = by_expression ? 1 : 10;
    look.inner = range_in(value["lookAtHorizontalInner"], "xRange", "yRange", usual);
    look.outer = range_in(value["lookAtHorizontalOuter"], "xRange", "yRange", usual);
    look.down = range_in(value["lookAtVerticalDown"], "xRange", "yRange", usual);
    look.up = range_in(value["lookAtVerticalUp"], "xRange", "yRange", usual);
  }

  Reader& reader_;
  JsonValue value_;
  Avatar& avatar_;
  std::vector<std::vector<Index>> nodes_of_;  // by mesh
};

}  // namespace

void add_bone(Reader& reader, std::string name, JsonValue node) {
  Avatar& avatar = reader.model().avatar;
  const Index index = reader.root().plain_index(node, Reference::node);
  if (index == none || name.empty() || avatar.bone(name) != none) return;
  avatar.bones.push_back({std::move(name), index, source_of(node)});
}

LookAt::Range range_in(JsonValue value, std::string_view input, std::string_view output, double usual) {
  return {value[input].number().value_or(90), value[output].number().value_or(usual)};
}

void add_texts(std::vector<std::string>& texts, JsonValue list) {
  for (const JsonValue element : list.elements())
    if (element.is(document::JsonKind::string)) texts.push_back(element.string());
}

std::vector<Index> indices_below(JsonValue list, std::size_t count) {
  std::vector<Index> indices;
  for (const JsonValue element : list.elements())
    if (const auto index = element.integer(); index && *index >= 0 && static_cast<std::uint64_t>(*index) < count)
      indices.push_back(static_cast<Index>(*index));
  return indices;
}

bool read_vrm0(Reader& reader) {
  const JsonValue value = reader.root().file_extension("VRM");
  if (value) Vrm0(reader, value).read();
  return bool(value);
}

void read_avatar(Reader& reader) {
  for (bool (*const read)(Reader&) : {read_vrm1, read_vrm0, read_vrm_animation, read_character})
    if (read(reader)) break;
  if (reader.model().avatar.format != Avatar::Format::vrm0) read_springs(reader);
  read_constraints(reader);
}

}  // namespace sinew::gltf
