// SPDX-License-Identifier: MIT
#include "gltf/write/joined_buffers.hpp"

#include <algorithm>
#include <array>

#include "base/catalogue_edit.hpp"
#include "base/catalogue_gltf.hpp"
#include "base/path_text.hpp"
#include "document/container/image.hpp"
#include "document/files/file.hpp"
#include "document/files/uri.hpp"
#include "document/json/edit_members.hpp"
#include "document/schema/edited.hpp"
#include "document/schema/orphans.hpp"
#include "document/schema/reader.hpp"
#include "gltf/write/buffer_content.hpp"

namespace sinew::gltf {

namespace {

void report_unread(JsonValue uri, FindingSink& losses) {
  using operations::operator""_code;
  losses.add(finding("SINEW_CONVERT_RELATIVE_URI"_code, uri.place(), uri.string()));
}

/// Appends the available buffers of a document to buffer `home` of a new one, in which the others are from `next` on. Returns the others.
/// `losses`: gets files that cannot be read, except the first one. Null: they are errors.
Result<std::vector<JsonValue>> join(const Document& document, FirstBuffer& bytes, std::uint64_t home, std::uint64_t next,
                                    std::vector<BufferPlace>& place, FindingSink* losses) {
  std::vector<JsonValue> others;
  for (const JsonValue buffer : document.json().root()["buffers"].elements()) {
    const JsonValue uri = buffer["uri"];
    auto content = buffer_content(document, place.size(), BufferFrom::anywhere, TooFew::take);
    if (!content && (losses == nullptr || place.empty())) return Unexpected(std::move(content.error()));
    if (!content) report_unread(uri, *losses);
    if (!content || !*content) {
      place.push_back({next + others.size(), 0});
      others.push_back(buffer);
      continue;
    }
    // A buffer that is too short would lend its missing bytes from the next one.
    const std::size_t size = (*content)->view.size();
    if (const std::uint64_t length = whole_number(buffer["byteLength"]).value_or(0); size < length)
      return Unexpected(error("BUFFER_BYTE_LENGTH_MISMATCH"_code, Failure::input,
                              sinew::Place{path_text(document.path()), (uri ? uri : buffer).pointer(), {}}, size, length));
    if (auto room = bytes.make_room(size, "the joined buffer"); !room) return Unexpected(std::move(room.error()));
    place.push_back({home, bytes.add((*content)->view)});
  }
  return others;
}

/// Embeds image files of the second document if it is in another folder than the first one.
void add_images(const Document& first, const Document& second, FirstBuffer& bytes, AppendedBuffers& out, FindingSink& losses) {
  if (canonical_folder_of(first.path()) == canonical_folder_of(second.path())) return;
  std::size_t index = 0;
  for (const JsonValue image : second.json().root()["images"].elements()) {
    const std::size_t i = index++;
    const JsonValue uri = image["uri"];
    if (!uri.is(JsonKind::string) || !scheme_of(uri.string()).empty()) continue;
    const auto fetched = second.fetch(uri.string());
    const std::string_view type = fetched ? image_mime_type(fetched->view) : std::string_view();
    if (!fetched && !first.fetch(uri.string())) continue;  // writing the new file will report that it is missing
    if (!fetched || type.empty() || !bytes.make_room(fetched->view.size(), "the joined buffer")) {
      report_unread(uri, losses);
      continue;
    }
    out.images[i] = {bytes.add(fetched->view), fetched->view.size(), std::string(type)};
  }
}

}  // namespace

Result<> FirstBuffer::make_room(std::size_t size, std::string_view what) const {
  using operations::operator""_code;
  const std::uint64_t most = document_.options().limits.memory;
  if (size <= most && bytes_.size() + 4 <= most - size) return {};
  return Unexpected(error("SINEW_MEMORY_LIMIT"_code, Failure::limit, sinew::Place{path_text(document_.path()), {}, {}}, what,
                          bytes_.size() + size, most));
}

std::uint64_t FirstBuffer::add(std::span<const std::byte> bytes) {
  bytes_.resize((bytes_.size() + 3) / 4 * 4);
  const std::uint64_t start = bytes_.size();
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  return start;
}

std::optional<Bytes> set_bytes(JsonEdit& buffer, std::vector<std::byte> bytes, bool as_chunk) {
  set_or_erase(buffer, "uri", as_chunk ? std::nullopt : std::optional(JsonEdit::string(octet_stream_uri(bytes))));
  buffer.set("byteLength", JsonEdit::integer(bytes.size()));
  if (!as_chunk) return std::nullopt;
  const auto held = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  return Bytes{*held, held};
}

void move_view(JsonEdit& view, JsonValue source, const std::vector<BufferPlace>& places) {
  visit_ranges(view, source, [&](JsonEdit& edit, JsonValue old) {
    const auto buffer = whole_number(old["buffer"]);
    if (!buffer || *buffer >= places.size()) return;
    const auto [home, start] = places[*buffer];
    edit.set("buffer", JsonEdit::integer(home));
    if (start != 0) edit.set("byteOffset", JsonEdit::integer(start + whole_number(old["byteOffset"]).value_or(0)));
  });
}

Result<AppendedBuffers> append_buffers(const Document& first, const Document& second, JsonEdit& root, FindingSink& losses) {
  AppendedBuffers out;
  const std::uint64_t count = first.json().root()["buffers"].size();
  FirstBuffer bytes(second);
  auto old = count == 0 ? Result<std::optional<Bytes>>() : buffer_content(first, 0, BufferFrom::anywhere);
  if (!old) return Unexpected(std::move(old.error()));
  if (*old) bytes.add((*old)->view);
  const std::size_t before = bytes.bytes().size();
  const bool joins = *old || count == 0;  // the first buffer is extended
  const std::uint64_t home = joins ? 0 : count;
  const auto others = join(second, bytes, home, std::max<std::uint64_t>(count, home + 1), out.place, nullptr);
  if (!others) return Unexpected(others.error());
  if (joins) add_images(first, second, bytes, out, losses);
  if (bytes.bytes().size() == before && others->empty()) return out;
  if (joins && bytes.bytes().empty()) bytes.add(std::array<std::byte, 4>{});  // a buffer must not be empty
  JsonEdit& list = list_in(root, "buffers");
  if (home == list.size()) list.push_back(JsonEdit::object());
  out.binary = set_bytes(list.at(home), std::move(bytes.bytes()), joins);
  for (const JsonValue buffer : *others) list.push_back(JsonEdit(buffer));
  return out;
}

Result<std::shared_ptr<const Document>> with_one_buffer(const Document& document, FindingSink& losses) {
  const JsonValue source = document.json().root();
  if (source["buffers"].size() < 2) return nullptr;
  FirstBuffer all(document);
  std::vector<BufferPlace> places;
  const auto others = join(document, all, 0, 1, places, &losses);
  if (!others) return Unexpected(others.error());
  if (all.bytes().empty()) return nullptr;  // nothing for the binary chunk
  JsonEdit root(source), list = JsonEdit::array();
  list.push_back(places.front().buffer == 0 ? JsonEdit(source["buffers"].at(0)) : JsonEdit::object());
  for (const JsonValue buffer : *others) list.push_back(JsonEdit(buffer));
  std::optional<Bytes> chunk = set_bytes(list.at(0), std::move(all.bytes()), true);
  root.set("buffers", std::move(list));
  std::size_t index = 0;
  for (const JsonValue view : source["bufferViews"].elements()) move_view(root.find("bufferViews")->at(index++), view, places);
  return with_binary(document, root.text(), std::move(chunk));
}

}  // namespace sinew::gltf
