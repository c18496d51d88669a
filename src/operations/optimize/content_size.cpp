// SPDX-License-Identifier: MIT
#include "operations/optimize/content_size.hpp"

#include <algorithm>
#include <string>
#include <system_error>

#include "document/files/uri.hpp"
#include "document/json/json.hpp"
#include "document/schema/reader.hpp"

namespace sinew::operations {

using document::Document;
using document::JsonValue;

std::uint64_t content_size(const Document& document) {
  std::uint64_t size = document.json().text().size();
  std::size_t index = 0;
  for (const JsonValue buffer : document.json().root()["buffers"].elements()) {
    const JsonValue uri = buffer["uri"];
    const bool in_container = document.container() != document::Container::json && (index == 0 || buffer["chunk"]);
    ++index;
    if (!uri && !in_container) continue;  // the place for decoded bytes
    size += document::whole_number(buffer["byteLength"]).value_or(0);
    if (uri && document::is_data_uri(uri.string())) size -= std::min<std::uint64_t>(size, uri.text().size());
  }
  return size;
}

std::uint64_t stored_size(const std::filesystem::path& path, const document::OpenOptions& open) {
  std::error_code unknown;
  std::uint64_t size = std::filesystem::file_size(path, unknown);
  FindingList ignored;
  if (const auto document = document::open(path, open, ignored))
    for (const JsonValue buffer : (*document)->json().root()["buffers"].elements())
      if (const std::string uri = buffer["uri"].string(); !uri.empty() && !document::is_data_uri(uri)) {
        const auto beside = std::filesystem::file_size(path.parent_path() / document::percent_decode(uri), unknown);
        if (!unknown) size += beside;
      }
  return size;
}

}  // namespace sinew::operations
