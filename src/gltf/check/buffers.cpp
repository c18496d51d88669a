// SPDX-License-Identifier: MIT
#include "gltf/check/buffers.hpp"

#include <algorithm>

#include "document/uri.hpp"

namespace sinew::gltf {

namespace {

bool is_binary_type(std::string_view media_type) {
  constexpr std::string_view types[] = {"application/octet-stream", "application/gltf-buffer"};
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a | 0x20 : a) == b; };
  return std::ranges::any_of(types, [&](std::string_view type) { return std::ranges::equal(media_type, type, same); });
}

}  // namespace

void check_uri(Reading& reading, JsonValue at, std::string_view uri) {
  if (in_glb(reading)) reading.report<"URI_GLB"_code>(at);
  if (document::is_data_uri(uri)) return;
  const bool relative = document::scheme_of(uri).empty() && uri.find_first_of("?#") == std::string_view::npos && !uri.starts_with('/');
  if (!relative && !document::find_uri_fault(uri)) reading.report<"NON_RELATIVE_URI"_code>(at, uri);
}

Checked<> check_data_uri(Reading& reading, JsonValue at, const std::string& uri) {
  if (in_glb(reading)) reading.report<"DATA_URI_GLB"_code>(at);
  const auto parts = document::split_data_uri(uri);
  if (parts && !is_binary_type(parts->media_type)) return reading.refuse<"BUFFER_DATA_URI_MIME_TYPE_INVALID"_code>(at, parts->media_type);
  return {};
}

void check_chunk_size(Reading& reading, const BufferObject& buffer, std::uint64_t size) {
  const std::uint64_t length = buffer.integer(BufferRow::byteLength);
  if (size > (length + 3) / 4 * 4) reading.report<"BUFFER_GLB_CHUNK_TOO_BIG"_code>(buffer.value(), size, length);
}

void check_stride(Reading& reading, const BufferViewObject& view, const ViewLayout& layout) {
  if (!layout.stride) return;
  const JsonValue at = view[BufferViewRow::byteStride];
  if (layout.length && *layout.stride > *layout.length)
    reading.report<"BUFFER_VIEW_TOO_BIG_BYTE_STRIDE"_code>(at, *layout.stride, *layout.length);
  if (view.integer(BufferViewRow::target) == 34963) reading.report<"BUFFER_VIEW_INVALID_BYTE_STRIDE"_code>(at);
}

}  // namespace sinew::gltf
