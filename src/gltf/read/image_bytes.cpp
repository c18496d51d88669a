// SPDX-License-Identifier: MIT
#include "base/catalogue_gltf.hpp"
#include "document/schema/object.hpp"
#include "gltf/read/read.hpp"

namespace sinew::gltf {

using document::Bytes;
using document::JsonValue;
using document::whole_number;

namespace {

/// Returns the bytes of a buffer view that lies inside its buffer.
Result<Bytes> view_bytes(const document::Document& document, JsonValue view) {
  const JsonValue root = document.json().root();
  const JsonValue buffer = element(root["buffers"], view["buffer"]);
  Result<Bytes> bytes;
  if (const JsonValue uri = buffer["uri"])
    bytes = document.fetch(uri.string());
  else if (whole_number(view["buffer"]) == 0U && !document.chunks().empty())
    bytes = document.chunks()[0];
  if (!bytes) return bytes;
  const std::uint64_t offset = whole_number(view["byteOffset"]).value_or(0);
  const std::uint64_t length = whole_number(view["byteLength"]).value_or(0);
  const std::uint64_t size = bytes->view.size();
  if (length == 0 || offset > size || length > size - offset)
    return Unexpected(error("IO_ERROR"_code, Failure::input, Place{document.path().string(), view.pointer(), {}},
                            "the image data is outside its buffer"));
  bytes->view = bytes->view.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
  return bytes;
}

}  // namespace

Result<Bytes> image_bytes(const document::Document& document, JsonValue image) {
  if (const JsonValue uri = image["uri"]) return document.fetch(uri.string());
  return view_bytes(document, element(document.json().root()["bufferViews"], image["bufferView"]));
}

}  // namespace sinew::gltf
