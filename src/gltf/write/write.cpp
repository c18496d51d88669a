// SPDX-License-Identifier: MIT
#include "gltf/write/write.hpp"

#include <cassert>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "base/message.hpp"
#include "document/container/image.hpp"
#include "document/files/uri.hpp"
#include "gltf/extensions/extension.hpp"
#include "gltf/schema/source.hpp"
#include "gltf/write/editor.hpp"
#include "gltf/write/update.hpp"
#include "gltf/write/update_steps.hpp"

namespace sinew::gltf {
namespace {

/// The part of the source file that a static model keeps: members that the model does not interpret, with the model's indices. A model of
/// another origin has only its materials.
class Carried {
 public:
  Carried(const Model& model, const Source* source, Editor& editor, Written& written)
      : model_(model), source_(source), editor_(editor), written_(written) {}

  void run(const WriteOptions& options) {
    if (source_ != nullptr) carry_asset();
    carry_list("scenes", model_.scenes);
    carry_list("nodes", model_.nodes, "camera");
    carry_meshes();
    carry_materials(options);
    if (source_ == nullptr) return;
    for (const std::string_view key : {"cameras", "samplers", "textures"})
      if (const JsonValue list = old()[key]; list.is(JsonKind::array) && list.size() != 0) root().set(key, JsonEdit(list));
    for (const JsonValue image : old()["images"].elements())
      carry_image(list_in(root(), "images").push_back(JsonEdit(image)), image, options);
    for (const auto& [key, names] :
         {std::pair("extensionsUsed", &model_.extensions_used), {"extensionsRequired", &model_.extensions_required}})
      for (const std::string& name : *names)
        if (fate_of_extension(name) != ExtensionFate::ended) add_name(root(), key, name);
    carry_members(root(), old());
  }

 private:
  [[nodiscard]] JsonEdit& root() { return editor_.root(); }
  [[nodiscard]] JsonValue old() const { return source_->document().json().root(); }
  [[nodiscard]] JsonValue object(SourceId id) const { return source_ == nullptr ? JsonValue() : source_->value(id); }

  void note_once(std::string_view extension, std::string_view text) {
    if (noted_.emplace(extension).second) written_.notes.push_back(format_text("{}: {}", extension, text));
  }

  void carry_asset() {
    const JsonValue asset = old()["asset"];
    JsonEdit& edit = object_in(root(), "asset");
    for (const std::string_view key : {"version", "minVersion", "copyright"})
      if (asset[key].is(JsonKind::string)) edit.set(key, JsonEdit(asset[key]));
    carry_members(edit, asset);
  }

  /// Copies extensions and extras.
  void carry_members(JsonEdit& edit, JsonValue from) {
    for (const JsonMember member : from["extensions"].members()) {
      const std::string name = member.key.string();
      const ExtensionFate fate = fate_of_extension(name);
      if (const Extension* known = find_extension(name); known != nullptr && !known->lost.empty()) note_once(name, known->lost);
      if (fate == ExtensionFate::uncertain) note_once(name, "kept unchanged; its indices may not match the new file");
      if (fate != ExtensionFate::ended) object_in(edit, "extensions").set(name, JsonEdit(member.value));
    }
    if (from["extras"]) edit.set("extras", JsonEdit(from["extras"]));
  }

  template <class T>
  void carry_list(std::string_view list, const std::vector<T>& entities, std::string_view index = {}) {
    for (const T& entity : entities) {
      JsonEdit& edit = list_in(root(), list).push_back(JsonEdit::object());
      if (const JsonValue value = object(entity.source)[index]; value.integer()) edit.set(index, JsonEdit(value));
      carry_members(edit, object(entity.source));
    }
  }

  void carry_meshes() {
    for (const Mesh& mesh : model_.meshes) {
      if (!gives_mesh(mesh)) continue;
      JsonEdit& edit = list_in(root(), "meshes").push_back(JsonEdit::object());
      for (const Surface& surface : mesh.surfaces)
        if (gives_primitive(mesh, surface))
          carry_members(list_in(edit, "primitives").push_back(JsonEdit::object()), object(surface.source));
      carry_members(edit, object(mesh.source));
    }
  }

  void carry_materials(const WriteOptions& options) {
    for (const JsonEdit& material : options.materials) list_in(root(), "materials").push_back(material);
    for (const Material& material : std::span(model_.materials).subspan(options.materials.size())) {
      const JsonValue from = object(material.source);
      JsonEdit& edit = list_in(root(), "materials").push_back(from ? JsonEdit(from) : JsonEdit::object());
      if (!from) set_name(edit, material.name);
    }
    if (!model_.materials.empty())
      for (const std::string& name : options.extensions) editor_.use_extension(name);
  }

  void carry_image(JsonEdit& edit, JsonValue image, const WriteOptions& options) {
    if (const std::string uri = image["uri"].string(); !uri.empty() && scheme_of(uri).empty()) {
      if (options.embed_images) return embed(edit, image, uri);
      written_.relative_uris.push_back(uri);
      if (const std::string name = options.name_image ? options.name_image(image) : std::string(); !name.empty())
        edit.set("uri", JsonEdit::string(name));
    }
    const JsonValue view = image["bufferView"];
    if (!view) return;
    const auto index = view.integer().value_or(-1);
    const auto known = views_.find(index);
    if (known != views_.end()) return set_index(edit, "bufferView", known->second);
    if (const auto bytes = view_bytes(source_->document(), element(old()["bufferViews"], view)))
      return set_index(edit, "bufferView", views_.emplace(index, editor_.add_bytes(bytes->view)).first->second);
    edit.erase("bufferView");
    written_.notes.push_back(format_text("{}: the image is lost, because its bytes cannot be read", image.pointer()));
  }

  struct Embedded {
    Index view = none;  ///< none: the file cannot be embedded
    std::string type;
  };

  void embed(JsonEdit& edit, JsonValue image, const std::string& uri) {
    const auto [known, is_new] = files_.try_emplace(uri);
    if (is_new) {
      const auto bytes = source_->document().fetch(uri);
      const std::string_view type = bytes ? image_mime_type(bytes->view) : std::string_view();
      known->second.type = type.empty() ? image["mimeType"].string() : std::string(type);
      if (bytes && !bytes->view.empty() && !known->second.type.empty())
        known->second.view = editor_.add_bytes(bytes->view);
      else
        written_.notes.push_back(format_text("{}: the image stays in its file \"{}\", which cannot be embedded: {}", image.pointer(), uri,
                                             bytes ? "its format is not known" : bytes.error().message));
    }
    const Embedded& file = known->second;
    if (file.view == none) return;
    edit.erase("uri");
    set_index(edit, "bufferView", file.view);
    edit.set("mimeType", JsonEdit::string(file.type));
  }

  const Model& model_;
  const Source* source_;
  Editor& editor_;
  Written& written_;
  std::map<std::string, Embedded> files_;  ///< by URI
  std::map<std::int64_t, Index> views_;    ///< of images, by their index in the source
  std::set<std::string, std::less<>> noted_;
};

/// Returns the model without skins and what nodes cannot keep without them.
Model unskinned(Model model) {
  for (Node& node : model.nodes) {
    node.skin = none;
    node.bone.reset();
    node.materials.clear();
  }
  for (Mesh& mesh : model.meshes)
    for (VertexBlock& block : mesh.blocks) block.influences = {};
  model.skins.clear();
  model.skeletons.clear();
  return model;
}

}  // namespace

Result<Written> write(const Model& model, const WriteOptions& options) {
  assert(options.materials.empty() || options.materials.size() == model.materials.size());
  const auto* const source = document::source_as<Source>(model.source.get());
  OpenOptions limits = source == nullptr ? OpenOptions() : source->document().options();
  limits.limits.memory = std::numeric_limits<std::uint64_t>::max();  // the caller already has the arrays
  const auto empty = empty_document(source == nullptr ? std::filesystem::path() : source->document().path(), limits);
  if (!empty) return Unexpected(empty.error());
  Written written;
  FindingList losses;
  Editor carrying(*empty, losses);
  Carried(model, source, carrying, written).run(options);
  const auto carried = carrying.finish();
  if (!carried) return Unexpected(carried.error());
  Model nothing;
  nothing.materials = model.materials;
  const auto document = update(*carried, nothing, unskinned(model), losses);
  if (!document) return Unexpected(document.error());
  for (const Finding& loss : losses.list())
    if (loss.severity != Severity::hint) written.notes.push_back(format_text("{}: {}", loss.pointer, loss.message));
  for (Index node = 0; node < model.nodes.size(); ++node)
    if (model.nodes[node].mesh != none && !model.nodes[node].copies.empty())
      written.notes.push_back(format_text("/nodes/{}: its copies are lost, because the model is not baked", node));
  if (options.materials.empty() && !model.materials.empty() && model.source != nullptr && source == nullptr)
    written.notes.emplace_back("materials keep only their names");

  if (!(*document)->chunks().empty()) written.buffer = (*document)->chunks().front();
  JsonEdit root((*document)->json().root());
  if (options.name_buffer && !written.buffer.view.empty())
    root.find("buffers")->at(0).set("uri", JsonEdit::string(options.name_buffer(written.buffer.view)));
  written.json = root.text();
  return written;
}

}  // namespace sinew::gltf
