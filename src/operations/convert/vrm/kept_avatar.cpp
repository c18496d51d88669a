// SPDX-License-Identifier: MIT
#include "operations/convert/vrm/kept_avatar.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "document/json/edit_members.hpp"
#include "document/schema/edited.hpp"
#include "document/schema/reader.hpp"
#include "g4mf/schema/extras.hpp"
#include "gltf/extensions/VRM.hpp"
#include "gltf/write/editor.hpp"
#include "model/human_bones.hpp"

namespace sinew::operations {

namespace vrm {

namespace {

using document::JsonEdit;
using document::JsonKind;
using document::JsonValue;

constexpr std::string_view override_keys[] = {"overrideBlink", "overrideLookAt", "overrideMouth"};

bool is_vrm(const Avatar& avatar) { return avatar.format == Avatar::Format::vrm0 || avatar.format == Avatar::Format::vrm1; }
std::string_view extension_of(const Avatar& avatar) { return avatar.format == Avatar::Format::vrm0 ? "VRM" : "VRMC_vrm"; }

void set_overrides(JsonEdit& to, const Expression& expression) {
  for (std::size_t kind = 0; kind < std::size(override_keys); ++kind)
    if (expression.overrides[kind] != Expression::Override::no)
      to.set(override_keys[kind], JsonEdit::string(to_string(expression.overrides[kind])));
}

/// Refers by name where that is possible, because an edit may renumber.
JsonEdit reference(const std::string& name, Index index) { return name.empty() ? JsonEdit::integer(index) : JsonEdit::string(name); }

JsonEdit kept_expression(const Expression& expression, const std::vector<std::string>& names) {
  JsonEdit to = JsonEdit::object();
  to.set("name", JsonEdit::string(expression.name));
  if (expression.stored != expression.name) to.set("stored", JsonEdit::string(expression.stored));
  if (expression.preset) to.set("preset", JsonEdit::boolean(true));
  if (expression.binary) to.set("isBinary", JsonEdit::boolean(true));
  set_overrides(to, expression);
  JsonEdit binds = JsonEdit::array();
  for (const ShapeBind& bind : expression.binds) {
    JsonEdit& made = binds.push_back(JsonEdit::object());
    made.set("node", reference(names[bind.node], bind.node));
    made.set("shape", JsonEdit::integer(bind.shape));
    made.set("weight", JsonEdit::number(bind.weight));
  }
  if (binds.size() != 0) to.set("binds", std::move(binds));
  return to;
}

/// Writes the extension of an avatar from what the G4MF file has kept.
class VrmWriter {
 public:
  VrmWriter(const document::Document& gltf, JsonValue kept, const Model& model, std::span<const Index> node_of)
      : kept_(kept), avatar_(model.avatar), node_of_(node_of), nodes_(document::list_of(gltf.json().root()["nodes"])) {
    for (const JsonValue material : gltf.json().root()["materials"].elements()) materials_.push_back(material["name"].string());
  }

  JsonEdit old_version() {
    JsonEdit to = start();
    JsonEdit bones = JsonEdit::array();
    for (const HumanBone& bone : avatar_.bones) {
      const Index node = node_of_[bone.node];
      if (node == none) continue;
      const HumanBoneKind* const kind = find_human_bone(bone.name);
      JsonEdit& made = bones.push_back(JsonEdit::object());
      made.set("bone", JsonEdit::string(kind == nullptr ? bone.name : kind->name_in_old()));
      made.set("node", JsonEdit::integer(node));
      made.set("useDefaultValues", JsonEdit::boolean(true));
    }
    to.set("humanoid", JsonEdit::object()).set("humanBones", std::move(bones));
    JsonEdit groups = JsonEdit::array();
    for (const Expression& expression : avatar_.expressions) groups.push_back(group_of(expression));
    to.set("blendShapeMaster", JsonEdit::object()).set("blendShapeGroups", std::move(groups));
    JsonEdit properties = JsonEdit::array();
    for (const std::string& name : materials_) {
      JsonEdit& made = properties.push_back(JsonEdit::object());
      made.set("name", JsonEdit::string(name));
      made.set("shader", JsonEdit::string(gltf::vrm::gltf_shader));
      made.set("renderQueue", JsonEdit::integer(2000));
      for (const std::string_view key : {"floatProperties", "vectorProperties", "textureProperties", "keywordMap", "tagMap"})
        made.set(key, JsonEdit::object());
    }
    to.set("materialProperties", std::move(properties));
    return to;
  }

  JsonEdit new_version() {
    JsonEdit to = start();
    JsonEdit bones = JsonEdit::object();
    for (const HumanBone& bone : avatar_.bones)
      if (const Index node = node_of_[bone.node]; node != none)
        bones.set(bone.name, JsonEdit::object()).set("node", JsonEdit::integer(node));
    to.set("humanoid", JsonEdit::object()).set("humanBones", std::move(bones));
    JsonEdit presets = JsonEdit::object(), custom = JsonEdit::object();
    for (const Expression& expression : avatar_.expressions)
      (expression.preset ? presets : custom).set(expression.name, expression_of(expression));
    JsonEdit all = JsonEdit::object();
    if (presets.size() != 0) all.set("preset", std::move(presets));
    if (custom.size() != 0) all.set("custom", std::move(custom));
    if (all.size() != 0) to.set("expressions", std::move(all));
    return to;
  }

 private:
  JsonEdit start() {
    JsonEdit to = JsonEdit::object();
    if (!avatar_.spec_version.empty()) to.set("specVersion", JsonEdit::string(avatar_.spec_version));
    if (const JsonValue meta = kept_["meta"]) to.set("meta", JsonEdit(meta));
    return to;
  }

  /// Returns the mesh of a node of the model, or `none`.
  [[nodiscard]] Index mesh_of(const ShapeBind& bind) const {
    const Index node = node_of_[bind.node];
    const auto mesh = node < nodes_.size() ? document::whole_number(nodes_[node]["mesh"]) : std::nullopt;
    return mesh ? static_cast<Index>(*mesh) : none;
  }

  JsonEdit group_of(const Expression& expression) const {
    JsonEdit to = JsonEdit::object();
    to.set("name", JsonEdit::string(expression.stored));
    const auto* const preset = std::ranges::find(gltf::vrm::preset_names, std::string_view(expression.name), &gltf::vrm::PresetName::name);
    const bool known = expression.preset && preset != std::end(gltf::vrm::preset_names);
    to.set("presetName", JsonEdit::string(known ? preset->old_name : "unknown"));
    to.set("isBinary", JsonEdit::boolean(expression.binary));
    JsonEdit binds = JsonEdit::array();
    std::set<std::pair<Index, Index>> bound;  // several nodes can show one mesh
    for (const ShapeBind& bind : expression.binds) {
      const Index mesh = mesh_of(bind);
      if (mesh == none || !bound.emplace(mesh, bind.shape).second) continue;
      JsonEdit& made = binds.push_back(JsonEdit::object());
      made.set("mesh", JsonEdit::integer(mesh));
      made.set("index", JsonEdit::integer(bind.shape));
      made.set("weight", JsonEdit::number(bind.weight * 100));
    }
    to.set("binds", std::move(binds));
    to.set("materialValues", JsonEdit::array());
    return to;
  }

  JsonEdit expression_of(const Expression& expression) const {
    JsonEdit to = JsonEdit::object();
    to.set("isBinary", JsonEdit::boolean(expression.binary));
    set_overrides(to, expression);
    JsonEdit binds = JsonEdit::array();
    for (const ShapeBind& bind : expression.binds) {
      if (mesh_of(bind) == none) continue;
      JsonEdit& made = binds.push_back(JsonEdit::object());
      made.set("node", JsonEdit::integer(node_of_[bind.node]));
      made.set("index", JsonEdit::integer(bind.shape));
      made.set("weight", JsonEdit::number(bind.weight));
    }
    if (binds.size() != 0) to.set("morphTargetBinds", std::move(binds));
    return to;
  }

  JsonValue kept_;
  const Avatar& avatar_;
  std::span<const Index> node_of_;
  std::vector<JsonValue> nodes_;  ///< of glTF
  std::vector<std::string> materials_;
};

}  // namespace

}  // namespace vrm

Result<std::shared_ptr<const document::Document>> with_avatar(const std::shared_ptr<const document::Document>& g4mf,
                                                              const document::Document& gltf, const Model& model) {
  using namespace vrm;
  const Avatar& avatar = model.avatar;
  if (!is_vrm(avatar)) return g4mf;
  JsonEdit root(g4mf->json().root());
  std::vector<std::string> names;
  for (const JsonValue node : g4mf->json().root()["nodes"].elements()) names.push_back(node["name"].string());
  if (names.empty()) return g4mf;
  JsonEdit kept = JsonEdit::object();
  kept.set("format", JsonEdit::string(to_string(avatar.format)));
  kept.set("specVersion", JsonEdit::string(avatar.spec_version));
  JsonEdit meta(gltf.json().root()["extensions"][extension_of(avatar)]["meta"]);
  if (meta.is(JsonKind::object)) {
    for (const std::string_view picture : {"texture", "thumbnailImage"}) meta.erase(picture);
    kept.set("meta", std::move(meta));
  }
  JsonEdit bones = JsonEdit::object();
  for (const HumanBone& bone : avatar.bones) bones.set(bone.name, reference(names[bone.node], bone.node));
  kept.set("humanBones", std::move(bones));
  JsonEdit expressions = JsonEdit::array();
  for (const Expression& expression : avatar.expressions) expressions.push_back(kept_expression(expression, names));
  if (expressions.size() != 0) kept.set("expressions", std::move(expressions));
  JsonEdit& extras = document::object_in(root.find("nodes")->at(0), "extras");
  document::object_in(extras, g4mf::gltf_extra).set(g4mf::avatar_extra, std::move(kept));
  return document::with_text(*g4mf, root.text(), {});
}

Result<std::shared_ptr<const document::Document>> with_vrm(const std::shared_ptr<const document::Document>& gltf,
                                                           const document::Document& g4mf, const Model& model,
                                                           std::span<const Index> node_of, FindingSink& losses) {
  using namespace vrm;
  if (!is_vrm(model.avatar) || model.avatar.bones.empty()) return gltf;
  const JsonValue kept = g4mf.json().root()["nodes"].at(0)["extras"][g4mf::gltf_extra][g4mf::avatar_extra];
  VrmWriter writer(*gltf, kept, model, node_of);
  gltf::Editor editor(gltf, losses);
  const std::string_view name = extension_of(model.avatar);
  gltf::extension_in(editor.root(), name) = model.avatar.format == Avatar::Format::vrm0 ? writer.old_version() : writer.new_version();
  editor.use_extension(name);
  return editor.finish();
}

}  // namespace sinew::operations
