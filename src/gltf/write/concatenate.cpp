// SPDX-License-Identifier: MIT
#include "gltf/write/concatenate.hpp"

#include <array>
#include <cmath>

#include "base/catalogue_edit.hpp"
#include "base/message.hpp"
#include "base/unique_names.hpp"
#include "document/json/edit_members.hpp"
#include "document/schema/edited.hpp"
#include "document/schema/renumber.hpp"
#include "gltf/schema/extensions.hpp"
#include "gltf/schema/references.hpp"
#include "gltf/schema/root_table.hpp"
#include "gltf/write/concatenate_buffers.hpp"
#include "model/edit_reporter.hpp"

namespace sinew::gltf {

namespace {

class Appender {
 public:
  Appender(const Document& first, const Document& second, const Concatenation& nodes, FindingSink& losses)
      : first_(first), second_(second), nodes_(nodes), losses_(losses), reporter_(losses), root_(first.json().root()) {
    for (std::size_t i = 0; i < shift_.size(); ++i) shift_[i] = list_of(first_, static_cast<Reference>(i)).size();
    renumbering_.index = [this](const Property& row, std::uint64_t index) { return fresh(row, index); };
    renumbering_.extensions = [this](JsonEdit& edit, JsonValue source, const Table& holder) { extensions(edit, source, holder); };
    renumbering_.kind = kind_of_object;
  }

  Result<std::shared_ptr<const Document>> run() {
    auto buffers = append_buffers(first_, second_, root_, losses_);
    if (!buffers) return Unexpected(std::move(buffers.error()));
    buffers_ = std::move(*buffers);
    constexpr RootObject::Row plain[] = {"bufferViews", "accessors", "samplers", "images", "textures",
                                         "materials",   "meshes",    "cameras",  "skins"};
    for (const RootObject::Row row : plain) append(row.property());
    for (const auto& [image, embedded] : buffers_.images) embed(image, embedded);
    append_nodes();
    append_animations();
    append_root_extensions();
    unite_extension_lists();
    return with_binary(first_, root_.text(), buffers_.binary);
  }

 private:
  /// Returns the array that references point into, in the root object or in its extension.
  static JsonValue list_of(const Document& document, Reference reference) {
    const JsonValue root = document.json().root();
    const std::string_view name = array_name(reference);
    switch (reference) {
      case Reference::light:
        return root["extensions"]["KHR_lights_punctual"][name];
      case Reference::variant:
        return root["extensions"]["KHR_materials_variants"][name];
      case Reference::skeleton:
        return root["extensions"][staik_extension][name];
      case Reference::nothing:
      case Reference::animation_sampler:
        return {};
      default:
        return root[name];
    }
  }

  std::optional<std::uint64_t> fresh(const Property& row, std::uint64_t index) const {
    const auto reference = static_cast<Reference>(row.reference);
    switch (reference) {
      case Reference::animation_sampler:
        return index;
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
    renumber(edit, element, table, renumbering_);
    if (&table == &buffer_view_table) move_start(edit, element);
    return edit;
  }

  /// Adjusts the offset of a buffer view, or of its compressed form, after its buffer was appended to another one.
  void move_start(JsonEdit& view, JsonValue source) const {
    const auto buffer = whole_number(source["buffer"]);
    if (!buffer || *buffer >= buffers_.place.size() || buffers_.place[*buffer].start == 0) return;
    const auto start = whole_number(source["byteOffset"]);
    view.set("byteOffset", JsonEdit::integer(start.value_or(0) + buffers_.place[*buffer].start));
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

  void extensions(JsonEdit& edit, JsonValue source, const Table& holder) {
    using operations::operator""_code;
    if (source[staik_extension]) edit.erase(staik_extension);
    for (const JsonMember member : source.members()) {
      const std::string name = member.key.string();
      if (name == staik_extension) continue;
      if (const Table* table = table_of_extension(name, holder)) {
        renumber(*edit.find(name), member.value, *table, renumbering_);
        if (&holder == &buffer_view_table && member.value["buffer"]) move_start(*edit.find(name), member.value);
      }
      if (name == "KHR_animation_pointer" ||
          (table_of_extension(name, holder) == nullptr && find_checked_extension(name) == nullptr && may_hold_indices(member.value)))
        losses_.add(finding("SINEW_EDIT_STALE"_code, member.value.pointer(), name));
    }
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
      // Weights belong to the mesh, which stays on this node even if the body has the same bone.
      std::size_t c = 0;
      for (const JsonValue channel : animation["channels"].elements()) {
        JsonEdit& target = *edit.find("channels")->at(c++).find("target");
        const auto node = whole_number(channel["target"]["node"]);
        if (channel["target"]["path"].equals("weights") && node && *node < nodes_.place.size() && nodes_.place[*node] != none)
          target.set("node", JsonEdit::integer(nodes_.place[*node]));
      }
    }
  }

  void append_root_extensions() {
    for (const JsonMember member : second_.json().root()["extensions"].members()) {
      const std::string name = member.key.string();
      if (name == staik_extension) {
        reporter_.changed(member.value.pointer(), "the skeletons of the body replace these skeletons");
      } else if (name == "KHR_lights_punctual" || name == "KHR_materials_variants") {
        append_list_of(name, member.value);
      } else {
        reporter_.lost(member.value.pointer(), format_text("{} applies to the whole file", name));
      }
    }
  }

  /// Appends the only list in the root's object of an extension.
  void append_list_of(const std::string& name, JsonValue source) {
    const Table& table = *table_of_extension(name, root_table);
    JsonEdit& object = object_in(object_in(root_, "extensions"), name);
    const Property& row = table.rows.front();
    JsonEdit& target = list_in(object, row.name);
    for (const JsonValue element : source[row.name].elements()) append(target, element, *row.of);
  }

  void unite_extension_lists() {
    for (const std::string_view list_name : {"extensionsUsed", "extensionsRequired"})
      for (const JsonValue name : second_.json().root()[list_name].elements())
        if (!name.equals(staik_extension)) add_name(root_, list_name, name.string());
  }

  const Document& first_;
  const Document& second_;
  const Concatenation& nodes_;
  FindingSink& losses_;
  EditReporter reporter_;
  JsonEdit root_;
  AppendedBuffers buffers_;
  std::array<std::size_t, static_cast<std::size_t>(Reference::count)> shift_{};
  Renumbering renumbering_;
};

}  // namespace

Result<std::shared_ptr<const Document>> concatenate(const Document& first, const Document& second, const Concatenation& nodes,
                                                    FindingSink& losses) {
  return Appender(first, second, nodes, losses).run();
}

}  // namespace sinew::gltf
