// SPDX-License-Identifier: MIT
#include "gltf/write/one_buffer.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/catalogue_edit.hpp"
#include "base/catalogue_gltf.hpp"
#include "document/json/edit_members.hpp"
#include "document/json/json_edit.hpp"
#include "document/schema/edited.hpp"
#include "document/schema/object.hpp"
#include "document/schema/reader.hpp"
#include "gltf/extensions/KHR_meshopt_compression.hpp"
#include "gltf/write/buffer_content.hpp"

namespace sinew::gltf {

using document::Bytes;
using document::Document;
using document::JsonEdit;
using document::JsonValue;

namespace {

/// Where the bytes of an old buffer are in the new document.
struct JoinedAt {
  std::uint64_t buffer = 0, start = 0;
};

/// Returns the bytes of a buffer, or nothing if they cannot be part of the file.
Result<std::optional<Bytes>> available_content(const Document& document, JsonValue buffer, std::size_t index, FindingSink& losses) {
  using operations::operator""_code;
  auto content = buffer_content(document, index, BufferFrom::anywhere, TooFew::take);
  if (!content && index != 0) {
    losses.add(finding("SINEW_CONVERT_RELATIVE_URI"_code, buffer["uri"].place(), buffer["uri"].string()));
    return std::nullopt;
  }
  return content;
}

/// Appends the bytes; a buffer that is too short would lend its missing bytes from the next one.
Result<std::uint64_t> append_buffer(const Document& document, JsonValue buffer, const Bytes& bytes, std::vector<std::byte>& all) {
  const sinew::Place place{document.path().string(), buffer.pointer(), {}};
  const std::uint64_t length = document::whole_number(buffer["byteLength"]).value_or(0);
  if (bytes.view.size() < length)
    return Unexpected(error("BUFFER_BYTE_LENGTH_MISMATCH"_code, Failure::input, place, bytes.view.size(), length));
  const std::uint64_t most = document.options().limits.memory;
  if (bytes.view.size() > most || all.size() + 4 > most - bytes.view.size())
    return Unexpected(error("SINEW_MEMORY_LIMIT"_code, Failure::limit, place, "the joined buffer", all.size() + bytes.view.size(), most));
  all.resize((all.size() + 3) / 4 * 4);
  const std::uint64_t start = all.size();
  all.insert(all.end(), bytes.view.begin(), bytes.view.end());
  return start;
}

/// Moves the range that a buffer view, or its extension for compressed data, names.
void move_range(JsonEdit& edit, JsonValue old, const std::vector<JoinedAt>& places) {
  const auto buffer = document::whole_number(old["buffer"]);
  if (!buffer || *buffer >= places.size()) return;
  const JoinedAt& place = places[*buffer];
  edit.set("buffer", JsonEdit::integer(place.buffer));
  if (place.start != 0) edit.set("byteOffset", JsonEdit::integer(place.start + document::whole_number(old["byteOffset"]).value_or(0)));
}

}  // namespace

Result<std::shared_ptr<const Document>> with_one_buffer(const Document& document, FindingSink& losses) {
  const std::vector<JsonValue> buffers = document::list_of(document.json().root()["buffers"]);
  if (buffers.size() < 2) return nullptr;
  std::vector<std::byte> all;
  std::vector<std::optional<JoinedAt>> joined(buffers.size());
  JsonEdit root(document.json().root());
  JsonEdit list = JsonEdit::array();
  list.push_back(JsonEdit(buffers.front()));
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto content = available_content(document, buffers[i], i, losses);
    if (!content) return Unexpected(content.error());
    if (!*content) continue;
    const auto start = append_buffer(document, buffers[i], **content, all);
    if (!start) return Unexpected(start.error());
    joined[i] = JoinedAt{0, *start};
  }
  if (all.empty()) return nullptr;  // nothing for the binary chunk
  std::vector<JoinedAt> places;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    places.push_back(joined[i].value_or(JoinedAt{list.size(), 0}));
    if (!joined[i]) list.push_back(JsonEdit(buffers[i]));
  }
  if (!joined.front()) list.at(0) = JsonEdit::object();
  list.at(0).erase("uri");
  list.at(0).set("byteLength", JsonEdit::integer(all.size()));
  root.set("buffers", std::move(list));
  std::size_t index = 0;
  for (const JsonValue view : document.json().root()["bufferViews"].elements()) {
    const std::size_t i = index++;
    if (!view.is(document::JsonKind::object)) continue;
    JsonEdit& edit = root.find("bufferViews")->at(i);
    move_range(edit, view, places);
    for (const std::string_view name : meshopt_extensions)
      if (const JsonValue compressed = view["extensions"][name]; compressed.is(document::JsonKind::object))
        move_range(*edit.find("extensions")->find(name), compressed, places);
  }
  const auto held = std::make_shared<const std::vector<std::byte>>(std::move(all));
  return document::with_binary(document, root.text(), Bytes{*held, held});
}

}  // namespace sinew::gltf
