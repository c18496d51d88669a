// SPDX-License-Identifier: MIT
#include "gltf/buffer.hpp"

#include "gltf/ext/EXT_meshopt_compression.hpp"

namespace sinew::gltf {

Buffers::Buffers(Reading& reading) : reading_(reading) {
  Index index = 0;
  for (const JsonValue value : reading.root()[RootRow::buffers].elements()) buffers_.push_back(read_buffer(value, index++));
  views_.reserve(reading.count(Reference::buffer_view));
  for (const JsonValue value : reading.root()[RootRow::bufferViews].elements()) read_view(value);
}

Checked<document::Bytes> Buffers::fetch(const BufferObject& buffer) {
  const JsonValue uri = buffer[BufferRow::uri];
  auto fetched = reading_.document().fetch(uri.string());
  if (!fetched) return reading_.refuse(uri, fetched.error());
  if (uri.text().starts_with("\"data:"))
    if (auto taken = reading_.take(uri, fetched->view.size(), 1); !taken) return Refused(taken.error());
  return std::move(*fetched);
}

// A buffer without uri is the GLB's binary chunk if it is the first one (glTF, GLB-stored Buffer), or stands for views that are stored
// compressed elsewhere (EXT_meshopt_compression, fallback buffers): nobody reads from it then.
Checked<document::Bytes> Buffers::read_buffer(JsonValue value, Index index) {
  const auto buffer = reading_.object<BufferObject>(value);
  if (buffer.defect()) return reading_.refuse(buffer);
  document::Bytes bytes;
  if (buffer.has(BufferRow::uri)) {
    auto fetched = fetch(buffer);
    if (!fetched) return fetched;
    bytes = std::move(*fetched);
  } else if (index == 0 && !reading_.document().chunks().empty()) {
    if (const Finding* cut = reading_.document().cut()) return reading_.refuse(*cut);
    bytes = reading_.document().chunks()[0];
  } else if (extension_of(buffer, meshopt::extension)["fallback"].boolean().value_or(false)) {
    return bytes;
  } else {
    return reading_.refuse<"BUFFER_MISSING_GLB_DATA"_code>(value);
  }
  const std::uint64_t length = buffer.integer(BufferRow::byteLength);
  // What is there can be used; views that reach further are refused one by one.
  if (bytes.view.size() < length)
    reading_.report<"BUFFER_BYTE_LENGTH_MISMATCH"_code>(value, bytes.view.size(), length);
  else
    bytes.view = bytes.view.first(length);
  return bytes;
}

Checked<document::Bytes> Buffers::range(JsonValue at, Index buffer, std::uint64_t offset, std::uint64_t length) {
  const Checked<document::Bytes>& bytes = buffers_[buffer];
  if (!bytes) return bytes;
  const auto end = checked_add(offset, length);
  const std::size_t size = bytes->view.size();
  if (!end || *end > size) {
    const JsonValue place = at[offset >= size ? "byteOffset" : "byteLength"];
    return reading_.refuse<"BUFFER_VIEW_TOO_LONG"_code>(place ? place : at, offset, offset + length, buffer, size);
  }
  return document::Bytes{bytes->view.subspan(offset, length), bytes->owner};
}

void Buffers::read_view(JsonValue value) {
  const auto view = reading_.object<BufferViewObject>(value);
  Stored& stored = views_.emplace_back(Stored{view.integer(BufferViewRow::byteStride), {}, std::nullopt});
  if (view.defect()) {
    stored.view = reading_.refuse(view);
    return;
  }
  const auto buffer = reading_.resolve(view, BufferViewRow::buffer);
  if (!buffer) {
    stored.view = Refused(buffer.error());
    return;
  }
  const JsonValue compressed = extension_of(view, meshopt::extension);
  if (compressed) {
    stored.compressed = compressed;
    return;
  }
  auto bytes = range(value, *buffer, view.integer(BufferViewRow::byteOffset), view.integer(BufferViewRow::byteLength));
  stored.view = bytes.map([&](document::Bytes& found) { return View{std::move(found), stored.stride}; });
}

Checked<View> Buffers::view(Index index) {
  Stored& stored = views_[index];
  if (!stored.view) {
    auto bytes = meshopt::decode(reading_, *this, stored.compressed);
    stored.view = bytes.map([&](document::Bytes& decoded) { return View{std::move(decoded), stored.stride}; });
  }
  return *stored.view;
}

}  // namespace sinew::gltf
