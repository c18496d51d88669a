// SPDX-License-Identifier: MIT
#include "gltf/orphans.hpp"

#include <algorithm>

#include "base/catalogue_edit.hpp"
#include "document/edited.hpp"
#include "document/orphans.hpp"
#include "gltf/extension_tables.hpp"
#include "gltf/first_buffer.hpp"
#include "gltf/root_table.hpp"

namespace sinew::gltf {

namespace {

using document::ByteRange;
using document::Bytes;
using document::JsonEdit;
using document::JsonKind;
using document::JsonValue;
using edit::operator""_code;

constexpr std::uint64_t alignment = 8;  // 4 would do; readers of 64-bit data of extensions want 8

constexpr document::OwnedLists::List list(std::string_view name, Reference reference, const row::Table& table) {
  return {name, static_cast<std::uint8_t>(reference), &table};
}
constexpr document::OwnedLists::List owned[] = {
    list("meshes", Reference::mesh, mesh_table),
    list("skins", Reference::skin, skin_table),
    list("materials", Reference::material, material_table),
    list("textures", Reference::texture, texture_table),
    list("images", Reference::image, image_table),
    list("samplers", Reference::sampler, texture_sampler_table),
    list("accessors", Reference::accessor, accessor_table),
    list("bufferViews", Reference::buffer_view, buffer_view_table),
};

void report_stale(JsonValue extension, FindingSink& losses) {
  const std::string pointer = extension.pointer();
  losses.add(finding<"SINEW_EDIT_STALE"_code>(pointer, pointer.substr(pointer.rfind('/') + 1)));
}

document::OwnedLists owned_lists() {
  return {&root_table, owned, extension_table, [](JsonValue object, const row::Table& table) -> const row::Table& {
            if (&table != &camera_table) return table;
            return object["type"].equals("orthographic") ? orthographic_camera_table : perspective_camera_table;
          }};
}

/// The places in the first buffer that a view, or its compressed form, names.
void add_ranges(JsonValue view, std::vector<ByteRange>& ranges) {
  const auto add = [&](JsonValue object) {
    if (!object.is(JsonKind::object) || document::whole_number(object["buffer"]).value_or(1) != 0) return;
    const std::uint64_t begin = document::whole_number(object["byteOffset"]).value_or(0);
    ranges.emplace_back(begin, begin + document::whole_number(object["byteLength"]).value_or(0));
  };
  add(view);
  for (const std::string_view name : {"EXT_meshopt_compression", "KHR_meshopt_compression"}) add(view["extensions"][name]);
}

void move_place(JsonEdit& object, std::span<const ByteRange> removed) {
  JsonEdit* buffer = object.find("buffer");
  JsonEdit* offset = object.find("byteOffset");
  if (buffer == nullptr || offset == nullptr || buffer->text() != "0") return;
  const auto place = document::whole_number(offset->source());
  if (place) object.set("byteOffset", JsonEdit::integer(document::moved_place(*place, removed)));
}

}  // namespace

Result<std::shared_ptr<const document::Document>> remove_orphans(const document::Document& first, const document::Document& before,
                                                                 const std::shared_ptr<const document::Document>& after,
                                                                 FindingSink& losses) {
  const JsonValue root = after->json().root();
  const document::OwnedLists lists = owned_lists();
  const document::Orphans orphans = document::find_orphans(first.json().root(), before.json().root(), root, lists);
  if (!orphans.any()) return after;
  JsonEdit edit = document::without_orphans(root, orphans, lists, [&](JsonValue extension) { report_stale(extension, losses); });
  const std::vector<bool>& dead_views = orphans.dead.at(static_cast<std::uint8_t>(Reference::buffer_view));
  std::vector<ByteRange> dead, used;
  std::size_t view = 0;
  for (const JsonValue value : root["bufferViews"].elements()) add_ranges(value, dead_views[view++] ? dead : used);
  const std::vector<ByteRange> removed = document::removable_bytes(std::move(dead), std::move(used), alignment);
  auto content = first_buffer(*after, BufferFrom::anywhere);
  if (!content) return Unexpected(std::move(content.error()));
  if (removed.empty() || !*content || removed.back().second > (*content)->view.size())
    return document::with_binary(*after, edit.text(), std::nullopt);
  JsonEdit* views = edit.find("bufferViews");
  for (std::size_t i = 0; views != nullptr && i < views->size(); ++i) {
    move_place(views->at(i), removed);
    JsonEdit* extensions = views->at(i).find("extensions");
    for (const std::string_view name : {"EXT_meshopt_compression", "KHR_meshopt_compression"})
      if (JsonEdit* packed = extensions == nullptr ? nullptr : extensions->find(name)) move_place(*packed, removed);
  }
  const auto bytes = std::make_shared<const std::vector<std::byte>>(document::without_ranges((*content)->view, removed));
  JsonEdit& buffer = edit.find("buffers")->at(0);
  buffer.erase("uri");
  buffer.set("byteLength", JsonEdit::integer(bytes->size()));
  return document::with_binary(*after, edit.text(), Bytes{*bytes, bytes});
}

}  // namespace sinew::gltf
