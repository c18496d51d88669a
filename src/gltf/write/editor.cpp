// SPDX-License-Identifier: MIT
#include "gltf/write/editor.hpp"

#include <cassert>
#include <optional>
#include <span>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/path_text.hpp"
#include "document/files/uri.hpp"
#include "document/schema/edited.hpp"
#include "document/schema/reader.hpp"
#include "gltf/extensions/extension.hpp"
#include "gltf/write/buffer_content.hpp"
#include "gltf/write/joined_buffers.hpp"

namespace sinew::gltf {

namespace {

/// Returns whether an object in a list has the extension.
bool has_extension(JsonEdit* list, std::string_view name) {
  for (std::size_t i = 0; i < length(list); ++i)
    if (JsonEdit* extensions = list->at(i).find("extensions"); extensions != nullptr && extensions->find(name) != nullptr) return true;
  return false;
}

}  // namespace

Editor::Editor(std::shared_ptr<const Document> document, FindingSink& losses)
    : BufferWriter(document->json().root()["bufferViews"].size(), document->json().root()["accessors"].size()),
      document_(std::move(document)),
      reporter_(losses),
      root_(document_->json().root()) {}

Result<std::shared_ptr<const Document>> Editor::finish() {
  if (has_accessors()) append_accessors(list_in(root_, "accessors"));
  if (!has_views() && root_.source()) return document_;
  end_statements_about_vertices();
  if (has_views()) return finish_with_data();
  return with_binary(*document_, root_.text(), std::nullopt);
}

void Editor::end_statements_about_vertices() {
  for (const JsonMember member : old_root()["extensions"].members()) {
    const std::string name = member.key.string();
    const Extension* const extension = find_extension(name);
    if (extension == nullptr || !extension->of_vertices) continue;
    erase_extension(root_, name);
    forget_extension(name);
    reporter_.lost(member.value.pointer(), format_text("{} is about the vertices of the file before", name));
  }
}

Result<std::shared_ptr<const Document>> Editor::finish_with_data() {
  auto content = buffer_content(*document_, 0, BufferFrom::anywhere);
  if (!content) return Unexpected(std::move(content.error()));
  FirstBuffer bytes(*document_);
  std::uint64_t start = 0;
  for (const std::span<const std::byte> part : {*content ? (*content)->view : std::span<const std::byte>(), std::span(this->bytes())}) {
    if (auto room = bytes.make_room(part.size(), "the new buffer"); !room) return Unexpected(std::move(room.error()));
    start = bytes.add(part);
  }
  const std::size_t buffer = *content ? 0 : list_in(root_, "buffers").size();
  append_views(list_in(root_, "bufferViews"), buffer, start);
  JsonEdit& buffers = list_in(root_, "buffers");
  if (buffer == buffers.size()) buffers.push_back(JsonEdit::object());
  std::optional<Bytes> chunk = set_bytes(buffers.at(buffer), std::move(bytes.bytes()), buffer == 0);
  return with_binary(*document_, root_.text(), std::move(chunk));
}

std::vector<JsonValue> Editor::old_list(std::string_view name) const { return list_of(old_root()[name]); }

JsonEdit& Editor::element(std::string_view list, std::size_t index) {
  JsonEdit& elements = list_in(root_, list);
  assert(index <= elements.size());
  if (index == elements.size()) return elements.push_back(JsonEdit::object());
  JsonEdit& element = elements.at(index);
  if (!element.is(JsonKind::object)) element = JsonEdit::object();
  return element;
}

Index Editor::add_matrices(const std::vector<Affine>& matrices) {
  std::vector<float> values;
  values.reserve(matrices.size() * 16);
  for (const Affine& matrix : matrices)
    for (std::size_t column = 0; column < 4; ++column) {
      for (std::size_t row = 0; row < 3; ++row) values.push_back(static_cast<float>(matrix.values()[column * 3 + row]));
      values.push_back(column == 3 ? 1.0f : 0.0f);
    }
  return add(Array::own(std::move(values), 16), AccessorUse::data);
}

void Editor::use_extension(std::string_view name) { add_name(root_, "extensionsUsed", name); }

void Editor::require_extension(std::string_view name) {
  use_extension(name);
  add_name(root_, "extensionsRequired", name);
}

void Editor::end_extension(std::string_view name, std::string_view list, std::string_view parts) {
  JsonEdit* elements = root_.find(list);
  if (parts.empty() && has_extension(elements, name)) return;
  for (std::size_t i = 0; i < (parts.empty() ? 0 : length(elements)); ++i)
    if (has_extension(elements->at(i).find(parts), name)) return;
  forget_extension(name);
}

void Editor::forget_extension(std::string_view name) {
  erase_name(root_, "extensionsUsed", name);
  erase_name(root_, "extensionsRequired", name);
}

Unexpected Editor::refuse(std::string pointer, std::string_view what) const {
  using operations::operator""_code;
  return Unexpected(
      error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, Place{path_text(document_->path()), std::move(pointer), {}}, what));
}

JsonEdit& extension_in(JsonEdit& object, std::string_view name) { return object_in(object_in(object, "extensions"), name); }

void erase_extension(JsonEdit& object, std::string_view name) { erase_in(object, "extensions", name); }

}  // namespace sinew::gltf
