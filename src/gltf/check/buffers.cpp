// SPDX-License-Identifier: MIT
#include <algorithm>

#include "document/files/uri.hpp"
#include "gltf/check/checks.hpp"

namespace sinew::gltf {

namespace {

bool is_binary_type(std::string_view media_type) {
  constexpr std::string_view types[] = {"application/octet-stream", "application/gltf-buffer"};
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a | 0x20 : a) == b; };
  return std::ranges::any_of(types, [&](std::string_view type) { return std::ranges::equal(media_type, type, same); });
}

bool in_glb(const Checker& checker) { return checker.document().container() == Container::glb; }

// Returns whether the media type is one that buffers may have.
bool check_data_uri(Checker& checker, JsonValue at, const std::string& uri) {
  if (in_glb(checker)) checker.report("DATA_URI_GLB"_code, at);
  const auto parts = split_data_uri(uri);
  if (!parts || is_binary_type(parts->media_type)) return true;
  checker.report("BUFFER_DATA_URI_MIME_TYPE_INVALID"_code, at, parts->media_type);
  return false;
}

// Returns whether the data matches its declaration.
bool check_buffer(Checker& checker, const BufferObject& buffer, const Checked<Bytes>& bytes) {
  const JsonValue uri = buffer["uri"];
  const std::string text = uri.string();
  const bool data = uri && is_data_uri(text);
  if (uri) check_uri(checker, uri, text);
  if (data && bytes && !check_data_uri(checker, uri, text)) return false;
  if (!data && checker.cut() != nullptr) return false;
  const std::uint64_t length = buffer.integer("byteLength");
  if (!bytes || bytes->owner == nullptr || uri) return !bytes || bytes->owner == nullptr || bytes->view.size() >= length;
  // The binary chunk may only have padding after the bytes of its buffer.
  const std::uint64_t size = checker.document().chunks()[0].view.size();
  if (size > (length + 3) / 4 * 4) checker.report("BUFFER_GLB_CHUNK_TOO_BIG"_code, buffer.value(), size, length);
  return size >= length;
}

// Returns a number of a buffer view if it is valid.
std::optional<std::uint64_t> possible(const BufferViewObject& view, BufferViewObject::Row row) {
  const std::uint64_t value = view.integer(row);
  const auto& property = view.property(row);
  if (!view.has(row) || static_cast<double>(value) < property.minimum || static_cast<double>(value) > property.maximum) return std::nullopt;
  return value;
}

ViewLayout layout_of(const Checker& checker, const BufferViewObject& view) {
  ViewLayout layout{possible(view, "byteOffset"), possible(view, "byteLength"), possible(view, "byteStride"),
                    checker.index(view, "buffer")};
  if (!view.value()["byteOffset"]) layout.offset = 0;
  return layout;
}

void check_stride(Checker& checker, const BufferViewObject& view, const ViewLayout& layout) {
  if (!layout.stride) return;
  const JsonValue at = view["byteStride"];
  if (layout.length && *layout.stride > *layout.length)
    checker.report("BUFFER_VIEW_TOO_BIG_BYTE_STRIDE"_code, at, *layout.stride, *layout.length);
  if (view.integer("target") == 34963) checker.report("BUFFER_VIEW_INVALID_BYTE_STRIDE"_code, at);
}

// Compares the view with the declared length of the buffer, whether or not the data exists. A view without bytes must begin inside as well.
void check_range(Checker& checker, const BufferViewObject& view, const ViewLayout& layout, std::uint64_t size) {
  if (!layout.offset) return;
  const std::uint64_t offset = *layout.offset, length = layout.length.value_or(0);
  const auto end = checked_add(offset, length);
  if (end && *end <= size && offset < size) return;
  const JsonValue place = view.value()[offset >= size ? "byteOffset" : "byteLength"];
  checker.report("BUFFER_VIEW_TOO_LONG"_code, place ? place : view.value(), offset, offset + length, layout.buffer, size);
}

}  // namespace

void check_buffers(Checker& checker) {
  std::vector<std::optional<std::uint64_t>> lengths;
  for (const JsonValue value : checker.root()["buffers"].elements()) {
    const auto buffer = checker.object<BufferObject>(value);
    const auto& bytes = checker.parsed().buffers->bytes(static_cast<Index>(lengths.size()));
    checker.lost_buffers.push_back(!check_buffer(checker, buffer, bytes));
    const std::uint64_t length = buffer.integer("byteLength");
    const bool known = buffer.has("byteLength") && (length > 0 || bytes);
    lengths.push_back(known ? std::optional(length) : std::nullopt);
  }
  for (const JsonValue value : checker.root()["bufferViews"].elements()) {
    const auto view = checker.object<BufferViewObject>(value);
    const ViewLayout& layout = checker.views.emplace_back(layout_of(checker, view));
    check_stride(checker, view, layout);
    if (layout.buffer != none && lengths[layout.buffer]) check_range(checker, view, layout, *lengths[layout.buffer]);
  }
}

void check_uri(Checker& checker, JsonValue at, std::string_view uri) {
  if (in_glb(checker)) checker.report("URI_GLB"_code, at);
  if (is_data_uri(uri)) return;
  const bool relative = scheme_of(uri).empty() && uri.find_first_of("?#") == std::string_view::npos && !uri.starts_with('/');
  if (!relative && !find_uri_fault(uri)) checker.report("NON_RELATIVE_URI"_code, at, uri);
}

}  // namespace sinew::gltf
