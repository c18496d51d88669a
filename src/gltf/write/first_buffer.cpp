// SPDX-License-Identifier: MIT
#include "gltf/write/first_buffer.hpp"

#include <string>
#include <utility>

#include "document/object.hpp"
#include "document/uri.hpp"

namespace sinew::gltf {

using document::Bytes;
using document::JsonKind;
using document::JsonValue;

Result<std::optional<Bytes>> first_buffer(const document::Document& document, BufferFrom from, TooFew too_few) {
  const JsonValue buffer = document.json().root()["buffers"].at(0);
  if (!buffer.is(JsonKind::object)) return std::nullopt;
  const std::string uri = buffer["uri"].string();
  const bool local = document::is_data_uri(uri) || document::scheme_of(uri).empty();
  Bytes content;
  if (buffer["uri"] && from == BufferFrom::anywhere && local) {
    auto fetched = document.fetch(uri);
    if (!fetched) {
      fetched.error().place.pointer = buffer["uri"].pointer();
      return Unexpected(std::move(fetched.error()));
    }
    content = std::move(*fetched);
  } else if (!buffer["uri"] && !document.chunks().empty()) {
    content = document.chunks().front();
  } else {
    return std::nullopt;
  }
  const auto length = document::whole_number(buffer["byteLength"]);
  if (!length || *length > content.view.size()) return too_few == TooFew::take ? std::optional(std::move(content)) : std::nullopt;
  content.view = content.view.first(*length);
  return content;
}

}  // namespace sinew::gltf
