// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "base/catalogue_gltf.hpp"
#include "base/path_text.hpp"
#include "document/schema/object.hpp"
#include "document/schema/source.hpp"

#include "sinew/model.hpp"

namespace sinew::gltf {

class Source final : public document::SourceOf<sinew::Source, SourceId> {
 public:
  static constexpr std::string_view name = "glTF";

  using SourceOf::SourceOf;
  [[nodiscard]] std::string_view format() const noexcept override { return name; }
  /// What was fetched for images and buffers with a URI.
  [[nodiscard]] document::FetchedOnce& fetched() const { return fetched_; }

 private:
  mutable document::FetchedOnce fetched_;
};

[[nodiscard]] inline SourceId source_of(document::JsonValue value) { return Source::id_of(value); }

/// Returns the stored bytes of a buffer view that lies inside its buffer. `fetched`: where to look for its buffer, and to keep it.
[[nodiscard]] inline Result<document::Bytes> view_bytes(const document::Document& document, document::JsonValue view,
                                                        document::FetchedOnce* fetched = nullptr) {
  const document::JsonValue buffer = element(document.json().root()["buffers"], view["buffer"]);
  Result<document::Bytes> bytes;
  if (const document::JsonValue uri = buffer["uri"])
    bytes = fetched == nullptr ? document.fetch(uri.string()) : fetched->of(buffer, [&] { return document.fetch(uri.string()); });
  else if (document::whole_number(view["buffer"]) == 0U && !document.chunks().empty())
    bytes = document.chunks()[0];
  if (!bytes) return bytes;
  const std::uint64_t offset = document::whole_number(view["byteOffset"]).value_or(0);
  const std::uint64_t length = document::whole_number(view["byteLength"]).value_or(0);
  const std::uint64_t size = bytes->view.size();
  if (length == 0 || offset > size || length > size - offset)
    return Unexpected(error("IO_ERROR"_code, Failure::input, Place{path_text(document.path()), view.pointer(), {}},
                            "the image data is outside its buffer"));
  bytes->view = bytes->view.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
  return bytes;
}

}  // namespace sinew::gltf
