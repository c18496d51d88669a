// SPDX-License-Identifier: MIT
#include "gltf/write/concatenate.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/message.hpp"
#include "base/unique_names.hpp"
#include "document/json/edit_members.hpp"
#include "document/json/pointer.hpp"
#include "document/schema/edited.hpp"
#include "document/schema/renumber.hpp"
#include "gltf/extensions/STAIK_skeletons.hpp"
#include "gltf/extensions/extension.hpp"
#include "gltf/extensions/references.hpp"
#include "gltf/schema/root_table.hpp"
#include "gltf/write/concatenate_extensions.hpp"
#include "gltf/write/joined_buffers.hpp"
#include "model/edit_reporter.hpp"

namespace sinew::gltf {

namespace {

class Appender {
 public:
  Appender(const Document& first, const Document& second, const Concatenation& nodes, FindingSink& losses)
      : first_(first), second_(second), nodes_(nodes), losses_(losses), reporter_(losses), root_(first.json().root()) {
    for (std::size_t i = 0; i < shift_.size(); ++i)
      if (const auto reference = static_cast<Reference>(i); reference != Reference::nothing && reference != Reference::animation_sampler)
        shift_[i] = first_.json().root()[array_name(reference)].size();
    name_materials();
  }

  Result<std::shared_ptr<const Document>> run() {
    auto buffers = append_buffers(first_, second_, root_, losses_);
    if (!buffers) return Unexpected(std::move(buffers.error()));
    buffers_ = std::move(*buffers);
    joined_.emplace(first_.json().root(), second_.json().root(), renumbering_, is_shared_, reporter_);
    constexpr RootObject::Row plain[] = {"bufferViews", "accessors", "samplers", "images", "textures",
                                         "materials",   "meshes",    "cameras",  "skins"};
    for (const RootObject::Row row : plain) append(row.property());
    for (const auto& [image, embedded] : buffers_.images) embed(image, embedded);
    append_nodes();
    append_animations();
    joined_->join(root_);
    unite_extension_lists();
    return with_binary(first_, root_.text(), buffers_.binary);
  }

 private:
  /// Gives the materials of the second file names that no other material has, if an extension of either file names materials.
  void name_materials() {
    const JsonValue first = first_.json().root(), second = second_.json().root();
    bool named = false;
    for (const JsonValue root : {first, second})
      for (const JsonMember member : root["extensions"].members())
        if (const Extension* extension = find_extension(member.key.string())) named = named || extension->names_materials;
    if (!named) return;
    UniqueNames names;
    for (const JsonValue material : first["materials"].elements()) names.add(material["name"].string());
    for (const JsonValue material : second["materials"].elements()) {
      const std::string name = material["name"].string();
      if (name.empty() || material_names_.contains(name)) continue;  // of equal names, the first material is meant
      material_names_.emplace(name, names.take(names.contains(name) ? nodes_.prefix + name : name));
    }
  }

  [[nodiscard]] std::string new_name(const Property& row, std::string name) const {
    const auto found = material_names_.find(name);
    return static_cast<Reference>(row.reference) == Reference::material && found != material_names_.end() ? found->second : std::move(name);
  }

  std::optional<std::uint64_t> fresh(const Property& row, std::uint64_t index) const {
    const auto reference = static_cast<Reference>(row.reference);
    switch (reference) {
      case Reference::animation_sampler:
        return index;
      case Reference::animation: {
        const auto kept = std::ranges::find(nodes_.clips, index);
        if (kept == nodes_.clips.end()) return std::nullopt;
        return shift_[static_cast<std::size_t>(reference)] + static_cast<std::uint64_t>(kept - nodes_.clips.begin());
      }
      case Reference::scene:  // only those of the body stay
        return std::nullopt;
      case Reference::of_extension:
        return joined_->place(row.of_list, index);
      case Reference::node:
        if (index >= nodes_.meaning.size() || nodes_.meaning[index] == none) return std::nullopt;
        return nodes_.meaning[index];
      case Reference::buffer:
        return index < buffers_.place.size() ? std::optional(buffers_.place[index].buffer) : std::nullopt;
      default:
        return index + shift_[static_cast<std::size_t>(reference)];
    }
  }

  JsonEdit& list(std::string_view name) { return list_in(root_, name); }

  void append(const Property& row) {
    const JsonValue source = second_.json().root()[row.name];
    if (source.size() == 0) return;
    JsonEdit& target = list(row.name);
    for (const JsonValue element : source.elements()) append(target, element, *row.of);
  }

  JsonEdit& append(JsonEdit& target, JsonValue element, const Table& table) {
    JsonEdit& edit = target.push_back(JsonEdit(element));
    renumber(&edit, element, table, renumbering_);
    if (element["extensions"][staik_extension]) edit.find("extensions")->erase(staik_extension);
    if (&table == &buffer_view_table) move_view(edit, element, buffers_.place);
    if (&table == &material_table && material_names_.contains(element["name"].string()))
      edit.set("name", JsonEdit::string(material_names_.at(element["name"].string())));
    return edit;
  }

  void embed(std::size_t image, const EmbeddedImage& embedded) {
    JsonEdit view = JsonEdit::object();
    view.set("buffer", JsonEdit::integer(0));
    view.set("byteOffset", JsonEdit::integer(embedded.start));
    view.set("byteLength", JsonEdit::integer(embedded.size));
    JsonEdit& views = list("bufferViews");
    views.push_back(std::move(view));
    JsonEdit& edit = list("images").at(shift_[static_cast<std::size_t>(Reference::image)] + image);
    edit.erase("uri");
    edit.set("bufferView", JsonEdit::integer(views.size() - 1));
    edit.set("mimeType", JsonEdit::string(embedded.mime_type));
  }

  void report_stale(const JsonMember& extension) const {
    using operations::operator""_code;
    if (!extension.key.equals(staik_extension))
      losses_.add(finding("SINEW_EDIT_STALE"_code, extension.value.place(), extension.key.string()));
  }

  void append_nodes() {
    const JsonValue source = second_.json().root()["nodes"];
    if (source.size() == 0) return;
    JsonEdit& target = list("nodes");
    UniqueNames names;
    for (const JsonValue node : first_.json().root()["nodes"].elements()) names.add(node["name"].string());
    std::size_t i = 0;
    for (const JsonValue node : source.elements()) {
      if (nodes_.place[i] == none) {
        report_left_out(node);
      } else {
        JsonEdit& edit = append(target, node, node_table);
        if (!edit.is(JsonKind::object)) edit = JsonEdit::object();  // reading treats it as a node without properties
        edit.erase("children");
        name_node(edit, node, i, names);
      }
      ++i;
    }
    append_children(target, nodes_.place, nodes_.parent, none);
    show(nodes_.roots);
  }

  void name_node(JsonEdit& edit, JsonValue node, std::size_t i, UniqueNames& names) const {
    const std::string wanted = nodes_.names[i].empty() ? node["name"].string() : nodes_.names[i];
    if (wanted.empty()) return;
    const std::string name = names.take(names.contains(wanted) ? nodes_.prefix + wanted : wanted);
    if (!node["name"].equals(name)) edit.set("name", JsonEdit::string(name));
  }

  void report_left_out(JsonValue node) {
    for (const std::string_view member : {"camera", "extras"})
      if (node[member]) reporter_.lost(node[member].pointer(), format_text("{} of a bone that the body already has", member));
    for (const JsonMember member : node["extensions"].members())
      if (const std::string name = member.key.string(); name != staik_extension)
        reporter_.lost(member.value.pointer(), format_text("{} of a bone that the body already has", name));
  }

  void show(const std::vector<Index>& roots) {
    JsonEdit* scenes = root_.find("scenes");
    const std::uint64_t scene = whole_number(first_.json().root()["scene"]).value_or(0);
    if (roots.empty() || scene >= length(scenes)) return;
    JsonEdit& shown = list_in(scenes->at(scene), "nodes");
    for (const Index root : roots) shown.push_back(JsonEdit::integer(root));
  }

  void append_animations() {
    const JsonValue source = second_.json().root()["animations"];
    for (const Index clip : nodes_.clips) {
      const JsonValue animation = source.at(clip);
      JsonEdit& edit = append(list("animations"), animation, animation_table);
      JsonEdit& channels = *edit.find("channels");
      std::vector<bool> aimless;
      for (const JsonValue channel : animation["channels"].elements()) {
        JsonEdit& target = *channels.at(aimless.size()).find("target");
        aimless.push_back(!aim(target, channel["target"]));
        if (aimless.back()) reporter_.lost(channel.pointer(), "what the channel animates is not taken over");
      }
      channels.erase_where(aimless);
    }
  }

  /// Completes the target of a channel. Returns false if what its pointer names is left out. Weights belong to the mesh, which stays on its
  /// node even if the body has the same bone.
  bool aim(JsonEdit& target, JsonValue source) const {
    const auto keeps_mesh = [&](std::optional<std::uint64_t> node) {
      return node && *node < nodes_.place.size() && nodes_.place[*node] != none;
    };
    if (const auto node = whole_number(source["node"]); source["path"].equals("weights") && keeps_mesh(node))
      target.set("node", JsonEdit::integer(nodes_.place[*node]));
    JsonEdit* const extensions = target.find("extensions");
    for (const JsonMember member : source["extensions"].members())
      if (const JsonValue pointer = member.value["pointer"]; pointer && table_of_extension(member.key.string(), channel_target_table)) {
        JsonEdit& object = *extensions->find(member.key.string());
        const std::string text = pointer.string();
        const std::vector<PointerStep> steps = steps_of(text);
        const bool weights = steps.size() > 2 && steps[0].text == "nodes" && steps[2].text == "weights";
        if (const auto node = weights ? steps[1].index() : std::nullopt; keeps_mesh(node))
          object.set("pointer",
                     JsonEdit::string(format_text("/nodes/{}{}", nodes_.place[*node], std::string_view(text).substr(steps[1].end))));
        if (object.find("pointer") == nullptr) return false;
      }
    return true;
  }

  void unite_extension_lists() {
    for (const std::string_view list_name : {"extensionsUsed", "extensionsRequired"})
      for (const JsonValue name : second_.json().root()[list_name].elements())
        if (!joined_->is_left_out(name.string()) && !name.equals(staik_extension)) add_name(root_, list_name, name.string());
  }

  const Document& first_;
  const Document& second_;
  const Concatenation& nodes_;
  FindingSink& losses_;
  EditReporter reporter_;
  JsonEdit root_;
  AppendedBuffers buffers_;
  std::array<std::size_t, static_cast<std::size_t>(Reference::count)> shift_{};
  std::map<std::string, std::string> material_names_;  ///< new names of materials of the second file
  const std::function<bool(JsonValue)> is_shared_ = [this](JsonValue node) {
    const auto index = whole_number(node);
    return index && *index < nodes_.place.size() && nodes_.place[*index] == none && nodes_.meaning[*index] != none;
  };
  const Renumbering renumbering_{.scheme = reference_scheme(),
                                 .index = [this](const Property& row, std::uint64_t index) { return fresh(row, index); },
                                 .name = [this](const Property& row, std::string name) { return new_name(row, std::move(name)); },
                                 .unreadable = [this](const JsonMember& extension) { report_stale(extension); }};
  std::optional<JoinedExtensions> joined_;
};

}  // namespace

Result<std::shared_ptr<const Document>> concatenate(const Document& first, const Document& second, const Concatenation& nodes,
                                                    FindingSink& losses) {
  return Appender(first, second, nodes, losses).run();
}

}  // namespace sinew::gltf
