// SPDX-License-Identifier: MIT
#include "g4mf/schema/data/file_bytes.hpp"

#include <optional>

#include "base/path_text.hpp"
#include "document/schema/source.hpp"
#include "g4mf/schema/data/accessors.hpp"

namespace sinew::g4mf {

struct FileBytes::Parts {
  document::FetchedOnce fetched;
  std::optional<QuietReading> reading;  ///< only while `fetched` is locked
};

FileBytes::FileBytes(const Document& document) : document_(document), parts_(std::make_unique<Parts>()) {}

FileBytes::~FileBytes() = default;

Result<Bytes> FileBytes::of(JsonValue file) {
  return parts_->fetched.of(file, [&] { return fetch(file); });
}

Result<Bytes> FileBytes::fetch(JsonValue file) {
  if (const JsonValue uri = file["uri"]) return document_.fetch(uri.string());
  if (!parts_->reading) parts_->reading.emplace(document_);
  const auto index = whole_number(file["bufferView"]);
  if (index && *index < document_.json().root()["bufferViews"].size()) {
    const auto& view = parts_->reading->buffers.view(static_cast<Index>(*index));
    if (view) return view->bytes;
  }
  return Unexpected(error("IO_ERROR"_code, Failure::input, Place{path_text(document_.path()), file.pointer(), {}},
                          "the image's bytes are not in the file"));
}

}  // namespace sinew::g4mf
