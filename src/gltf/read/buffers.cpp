// SPDX-License-Identifier: MIT
#include "gltf/read/buffers.hpp"

#include <algorithm>

#include "document/uri.hpp"
#include "gltf/check/buffers.hpp"
#include "gltf/read/ext/EXT_meshopt_compression.hpp"

namespace sinew::gltf {

namespace {

// The container ends in a chunk: what it holds of the data is not read then. A wrong length alone makes nothing unreadable.
const Finding* cut_of(const Reading& reading) {
  const Finding* cut = reading.document().cut();
  return cut != nullptr && (reading.checks() == Checks::safety || cut->code != "GLB_LENGTH_MISMATCH") ? cut : nullptr;
}

// A number of a buffer view as far as it is possible.
std::optional<std::uint64_t> possible(const BufferViewObject& view, BufferViewRow row) {
  const std::uint64_t value = view.integer(row);
  const auto& property = view.property(row);
  if (!view.has(row) || static_cast<double>(value) < property.minimum || static_cast<double>(value) > property.maximum) return std::nullopt;
  return value;
}

ViewLayout layout_of(const BufferViewObject& view) {
  ViewLayout layout{possible(view, BufferViewRow::byteOffset), possible(view, BufferViewRow::byteLength),
                    possible(view, BufferViewRow::byteStride)};
  if (!view.value()["byteOffset"]) layout.offset = 0;
  return layout;
}

}  // namespace

Buffers::Buffers(Reading& reading) : reading_(reading) {
  Index index = 0;
  for (const JsonValue value : reading.root()[RootRow::buffers].elements()) {
    const auto buffer = reading_.object<BufferObject>(value);
    Buffer& stored = buffers_.emplace_back();
    if (const std::uint64_t length = buffer.integer(BufferRow::byteLength); buffer.has(BufferRow::byteLength) && length > 0)
      stored.length = length;
    stored.bytes = read_buffer(buffer, index++);
  }
  views_.reserve(reading.count(Reference::buffer_view));
  for (const JsonValue value : reading.root()[RootRow::bufferViews].elements()) read_view(value);
}

Checked<document::Bytes> Buffers::fetch(const BufferObject& buffer) {
  const JsonValue uri = buffer[BufferRow::uri];
  const std::string text = uri.string();
  const bool data = document::is_data_uri(text);
  const bool all = reading_.checks() == Checks::all;
  if (all) check_uri(reading_, uri, text);
  if (!data) {
    if (buffer.defect()) return reading_.refuse(buffer);
    if (all && cut_of(reading_) != nullptr) return reading_.refuse(*cut_of(reading_));
  }
  auto fetched = reading_.document().fetch(text);
  if (!fetched) return reading_.refuse(uri, fetched.error());
  if (data) {
    if (all)
      if (auto checked = check_data_uri(reading_, uri, text); !checked) return Refused(checked.error());
    if (auto taken = reading_.take(uri, fetched->view.size(), 1); !taken) return Refused(taken.error());
  } else if (auto taken = reading_.take_file(uri, *fetched); !taken) {
    return Refused(taken.error());
  }
  return std::move(*fetched);
}

// A buffer without uri is the GLB's binary chunk if it is the first one (glTF, GLB-stored Buffer), or stands for views that are stored
// compressed elsewhere (EXT_meshopt_compression, fallback buffers): nobody reads from it then.
Checked<document::Bytes> Buffers::embedded(const BufferObject& buffer, Index index) {
  if (buffer.defect()) return reading_.refuse(buffer);
  const bool first = index == 0 && in_glb(reading_);
  if (first && (reading_.checks() == Checks::all || !reading_.document().chunks().empty()))
    if (const Finding* cut = cut_of(reading_)) return reading_.refuse(*cut);
  if (first && !reading_.document().chunks().empty()) return reading_.document().chunks()[0];
  if (extension_of(buffer, meshopt::extension)["fallback"].boolean().value_or(false)) return document::Bytes{};
  if (first) return reading_.refuse<"BUFFER_MISSING_GLB_DATA"_code>(buffer.value());
  return reading_.refuse<"GLTF_BUFFER_WITHOUT_DATA"_code>(buffer.value());
}

Checked<document::Bytes> Buffers::read_buffer(const BufferObject& buffer, Index index) {
  auto bytes = buffer.has(BufferRow::uri) ? fetch(buffer) : embedded(buffer, index);
  if (!bytes || bytes->owner == nullptr) return bytes;
  if (buffer.defect()) return reading_.refuse(buffer);
  const std::uint64_t length = buffer.integer(BufferRow::byteLength);
  const std::size_t size = bytes->view.size();
  if (size < length) {
    // What is there can be used; views that reach further are refused one by one.
    if (reading_.checks() == Checks::all) return reading_.refuse<"BUFFER_BYTE_LENGTH_MISMATCH"_code>(buffer.value(), size, length);
    reading_.report<"BUFFER_BYTE_LENGTH_MISMATCH"_code>(buffer.value(), size, length);
    return bytes;
  }
  if (reading_.checks() == Checks::all && !buffer.has(BufferRow::uri)) check_chunk_size(reading_, buffer, size);
  bytes->view = bytes->view.first(length);
  return bytes;
}

// Where every rule is checked, a range is held against what the buffer says of itself, whether or not its data can be had.
Checked<document::Bytes> Buffers::range(JsonValue at, Index buffer, std::uint64_t offset, std::uint64_t length) {
  const Checked<document::Bytes>& bytes = buffers_[buffer].bytes;
  if (!bytes && (reading_.checks() == Checks::safety || !buffers_[buffer].length)) return bytes;
  const bool there = bytes && (bytes->owner != nullptr || reading_.checks() == Checks::safety);
  const std::uint64_t size = there ? bytes->view.size() : buffers_[buffer].length.value_or(0);
  const auto end = checked_add(offset, length);
  if (!end || *end > size) {
    const JsonValue place = at[offset >= size ? "byteOffset" : "byteLength"];
    return reading_.refuse<"BUFFER_VIEW_TOO_LONG"_code>(place ? place : at, offset, offset + length, buffer, size);
  }
  if (!bytes || bytes->owner == nullptr) return bytes;
  return document::Bytes{bytes->view.subspan(offset, length), bytes->owner};
}

void Buffers::read_view(JsonValue value) {
  const auto view = reading_.object<BufferViewObject>(value);
  Stored& stored = views_.emplace_back(Stored{layout_of(view), view.integer(BufferViewRow::byteStride), {}, std::nullopt});
  if (reading_.checks() == Checks::all) check_stride(reading_, view, stored.layout);
  const auto buffer = reading_.resolve(view, BufferViewRow::buffer);
  if (view.defect() || !buffer) {
    stored.view = view.defect() ? reading_.refuse(view) : Refused(buffer.error());
    return;
  }
  const JsonValue compressed = extension_of(view, meshopt::extension);
  if (compressed) {
    stored.compressed = compressed;
    if (reading_.checks() == Checks::safety) return;
  }
  auto bytes = range(value, *buffer, view.integer(BufferViewRow::byteOffset), view.integer(BufferViewRow::byteLength));
  if (!compressed) stored.view = bytes.map([&](document::Bytes& found) { return View{std::move(found), stored.stride}; });
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
