// SPDX-License-Identifier: MIT
#include "gltf/read/buffers.hpp"

#include <algorithm>

#include "document/files/uri.hpp"
#include "gltf/extensions/KHR_meshopt_compression.hpp"

namespace sinew::gltf {

namespace {

// Returns the extension object of a buffer or a view, or a missing value.
template <const auto& table>
JsonValue meshopt_of(const ObjectOf<table>& object) {
  for (const std::string_view name : meshopt_extensions)
    if (const JsonValue value = extension_of(object, name)) return value;
  return {};
}

}  // namespace

Buffers::Buffers(Reader& reader) : reader_(reader) {
  Index index = 0;
  for (const JsonValue value : reader.root()["buffers"].elements()) {
    const auto buffer = reader_.object<BufferObject>(value);
    buffers_.push_back(read_buffer(buffer, index++));
  }
  views_.reserve(reader.count(Reference::buffer_view));
  for (const JsonValue value : reader.root()["bufferViews"].elements()) read_view(value);
}

Checked<Bytes> Buffers::fetch(const BufferObject& buffer) {
  const JsonValue uri = buffer["uri"];
  const std::string text = uri.string();
  const bool data = is_data_uri(text);
  if (!data && buffer.defect()) return reader_.refuse(buffer);
  auto fetched = reader_.document().fetch(text);
  if (!fetched) return reader_.refuse(uri, fetched.error());
  const auto taken = data ? reader_.take(uri, fetched->view.size(), 1) : reader_.take_file(uri, *fetched);
  if (!taken) return Refused(taken.error());
  return std::move(*fetched);
}

// A buffer without a URI is the GLB's binary chunk if it is the first one (glTF, GLB-stored Buffer). Otherwise it is the fallback of views
// that are stored compressed (KHR_meshopt_compression), and nothing reads it.
Checked<Bytes> Buffers::embedded(const BufferObject& buffer, Index index) {
  if (buffer.defect()) return reader_.refuse(buffer);
  const bool first = index == 0 && reader_.document().container() == Container::glb;
  const Finding* const cut = first ? reader_.document().cut() : nullptr;
  const bool only_short = cut == nullptr || cut->code == "GLB_UNEXPECTED_END_OF_CHUNK_DATA";  // else the missing chunk could be any
  if (first && only_short && !reader_.document().chunks().empty()) return reader_.document().chunks()[0];
  if (meshopt_of(buffer)["fallback"].boolean().value_or(false)) return Bytes{};
  if (cut != nullptr) return reader_.refuse(*cut);
  if (first) return reader_.refuse("BUFFER_MISSING_GLB_DATA"_code, buffer.value());
  return reader_.refuse("GLTF_BUFFER_WITHOUT_DATA"_code, buffer.value());
}

Checked<Bytes> Buffers::read_buffer(const BufferObject& buffer, Index index) {
  auto bytes = buffer.has("uri") ? fetch(buffer) : embedded(buffer, index);
  if (!bytes || bytes->owner == nullptr) return bytes;
  if (buffer.defect()) return reader_.refuse(buffer);
  const std::uint64_t length = buffer.integer("byteLength");
  const std::size_t size = bytes->view.size();
  if (size < length) {
    // The existing bytes can be used. Views that reach beyond them are refused one by one.
    reader_.report("BUFFER_BYTE_LENGTH_MISMATCH"_code, buffer.value(), size, length);
    return bytes;
  }
  bytes->view = bytes->view.first(length);
  return bytes;
}

Checked<Bytes> Buffers::range(JsonValue at, Index buffer, std::uint64_t offset, std::uint64_t length) {
  const Checked<Bytes>& bytes = buffers_[buffer];
  if (!bytes) return bytes;
  const std::uint64_t size = bytes->view.size();
  const auto end = checked_add(offset, length);
  if (!end || *end > size) {
    const JsonValue place = at[offset >= size ? "byteOffset" : "byteLength"];
    return reader_.refuse("BUFFER_VIEW_TOO_LONG"_code, place ? place : at, offset, offset + length, buffer, size);
  }
  return Bytes{bytes->view.subspan(offset, length), bytes->owner};
}

void Buffers::read_view(JsonValue value) {
  const auto view = reader_.object<BufferViewObject>(value);
  Stored& stored = views_.emplace_back(Stored{view.integer("byteStride"), {}, std::nullopt});
  const auto buffer = reader_.resolve(view, "buffer");
  if (view.defect() || !buffer) {
    stored.view = view.defect() ? reader_.refuse(view) : Refused(buffer.error());
    return;
  }
  if (meshopt_of(view)) {
    stored.compressed = view["extensions"];
    return;
  }
  auto bytes = range(value, *buffer, view.integer("byteOffset"), view.integer("byteLength"));
  stored.view = bytes.map([&](Bytes& found) { return View{std::move(found), stored.stride}; });
}

bool Buffers::filtered(Index index) const {
  return std::ranges::any_of(meshopt_extensions, [&](std::string_view name) {
    const JsonValue filter = views_[index].compressed[name]["filter"];
    return filter && !filter.equals("NONE");
  });
}

const Checked<View>& Buffers::view(Index index) {
  Stored& stored = views_[index];
  if (!stored.view) {
    auto bytes = meshopt::decode(reader_, *this, stored.compressed);
    stored.view = bytes.map([&](Bytes& decoded) { return View{std::move(decoded), stored.stride}; });
  }
  return *stored.view;
}

}  // namespace sinew::gltf
