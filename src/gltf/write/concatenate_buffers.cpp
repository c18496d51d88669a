// SPDX-License-Identifier: MIT
#include "gltf/write/concatenate_buffers.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "base/catalogue_edit.hpp"
#include "base/catalogue_gltf.hpp"
#include "base/message.hpp"
#include "document/container/image.hpp"
#include "document/files/file.hpp"
#include "document/files/uri.hpp"
#include "document/json/edit_members.hpp"
#include "document/schema/object.hpp"
#include "gltf/write/buffer_content.hpp"

namespace sinew::gltf {

namespace {

using document::Bytes;
using document::JsonEdit;
using document::JsonKind;
using document::JsonValue;

/// Returns a buffer's bytes up to its byteLength, or nothing if it is on the web or a placeholder for decoded bytes.
Result<std::optional<Bytes>> content_of(const document::Document& document, JsonValue buffer, std::size_t index) {
  auto content = buffer_content(document, index, BufferFrom::anywhere, TooFew::take);
  if (!content || !*content) return content;
  std::span<const std::byte>& view = (*content)->view;
  const std::uint64_t length = document::whole_number(buffer["byteLength"]).value_or(0);
  if (length > view.size()) {
    const JsonValue uri = buffer["uri"];
    return Unexpected(error("BUFFER_BYTE_LENGTH_MISMATCH"_code, Failure::input,
                            Place{document.path().string(), (uri ? uri : buffer).pointer(), {}}, view.size(), length));
  }
  view = view.first(length);
  return content;
}

class Blob {
 public:
  explicit Blob(const document::Document& document) : document_(document) {}
  /// Returns whether the memory limit allows `size` more bytes. Buffers may share a file, so the sum may exceed the files.
  [[nodiscard]] Result<> make_room(std::size_t size) const {
    using operations::operator""_code;
    const std::uint64_t most = document_.options().limits.memory;
    if (size <= most && bytes_.size() + 4 <= most - size) return {};
    return Unexpected(error("SINEW_MEMORY_LIMIT"_code, Failure::limit, Place{document_.path().string(), {}, {}}, "the joined buffer",
                            bytes_.size() + size, most));
  }
  std::uint64_t add(std::span<const std::byte> bytes) {
    bytes_.resize((bytes_.size() + 3) / 4 * 4);
    const std::uint64_t start = bytes_.size();
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return start;
  }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] Bytes take() && {
    const auto held = std::make_shared<const std::vector<std::byte>>(std::move(bytes_));
    return {*held, held};
  }
  [[nodiscard]] std::span<const std::byte> view() const { return bytes_; }

 private:
  const document::Document& document_;
  std::vector<std::byte> bytes_;
};

/// Embeds image files of the second document if it is in another folder than the first one.
void add_images(const document::Document& first, const document::Document& second, Blob& blob, AppendedBuffers& out, FindingSink& losses) {
  using operations::operator""_code;
  if (document::canonical_folder_of(first.path()) == document::canonical_folder_of(second.path())) return;
  std::size_t index = 0;
  for (const JsonValue image : second.json().root()["images"].elements()) {
    const std::size_t i = index++;
    const JsonValue uri = image["uri"];
    if (!uri.is(JsonKind::string) || !document::scheme_of(uri.string()).empty()) continue;
    const auto fetched = second.fetch(uri.string());
    const std::string_view type = fetched ? document::image_mime_type(fetched->view) : std::string_view();
    if (!fetched || type.empty() || !blob.make_room(fetched->view.size())) {
      losses.add(finding("SINEW_CONVERT_RELATIVE_URI"_code, uri.place(), uri.string()));
      continue;
    }
    out.images[i] = {blob.add(fetched->view), fetched->view.size(), std::string(type)};
  }
}

}  // namespace

Result<AppendedBuffers> append_buffers(const document::Document& first, const document::Document& second, JsonEdit& root,
                                       FindingSink& losses) {
  AppendedBuffers out;
  const JsonValue old_list = first.json().root()["buffers"];
  Blob blob(second);
  std::optional<Bytes> old;
  if (old_list.size() > 0) {
    auto content = buffer_content(first, 0, BufferFrom::anywhere);
    if (!content) return Unexpected(std::move(content.error()));
    old = std::move(*content);
    if (old) blob.add(old->view);
  }
  const std::size_t before = blob.size();
  const bool joins = old || old_list.size() == 0;  // the first buffer is extended
  const std::uint64_t home = joins ? 0 : old_list.size();
  std::vector<JsonValue> elsewhere;
  std::size_t index = 0;
  for (const JsonValue buffer : second.json().root()["buffers"].elements()) {
    auto content = content_of(second, buffer, index++);
    if (!content) return Unexpected(std::move(content.error()));
    if (*content) {
      if (auto room = blob.make_room((*content)->view.size()); !room) return Unexpected(std::move(room.error()));
      out.place.push_back({home, blob.add((*content)->view)});
    } else {
      out.place.push_back({std::max<std::uint64_t>(old_list.size(), 1) + (joins ? 0 : 1) + elsewhere.size(), 0});
      elsewhere.push_back(buffer);
    }
  }
  if (joins) add_images(first, second, blob, out, losses);
  if (blob.size() == before && elsewhere.empty()) return out;
  if (joins && blob.size() == 0) blob.add(std::array<std::byte, 4>{});  // a buffer must not be empty
  JsonEdit& list = document::list_in(root, "buffers");
  if (!joins || list.size() == 0) list.push_back(JsonEdit::object());
  JsonEdit& grown = list.at(home);
  grown.set("byteLength", JsonEdit::integer(blob.size()));
  if (joins) {
    grown.erase("uri");
    out.binary = std::move(blob).take();
  } else {
    grown.set("uri", JsonEdit::string(document::octet_stream_uri(blob.view())));
  }
  for (const JsonValue buffer : elsewhere) list.push_back(JsonEdit(buffer));
  return out;
}

}  // namespace sinew::gltf
