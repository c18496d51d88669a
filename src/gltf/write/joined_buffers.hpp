// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "document/json/json_edit.hpp"

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::gltf {

using namespace document;

/// The content of a document's first buffer while bytes are appended. Each piece starts at a multiple of 4.
class FirstBuffer {
 public:
  /// `document`: sets the memory limit.
  explicit FirstBuffer(const Document& document) : document_(document) {}

  /// Fails if the memory limit does not allow `size` more bytes in `what`. Buffers may share a file, so the sum may exceed the files.
  [[nodiscard]] Result<> make_room(std::size_t size, std::string_view what) const;
  /// Appends bytes and returns their start.
  std::uint64_t add(std::span<const std::byte> bytes);
  [[nodiscard]] std::vector<std::byte>& bytes() { return bytes_; }

 private:
  const Document& document_;
  std::vector<std::byte> bytes_;
};

/// Sets the properties of a buffer with these bytes. Returns the binary chunk if they become it; otherwise they are in a data URI.
[[nodiscard]] std::optional<Bytes> set_bytes(JsonEdit& buffer, std::vector<std::byte> bytes, bool as_chunk);

/// Where the bytes of a buffer are in another document.
struct BufferPlace {
  std::uint64_t buffer = 0, start = 0;
};
/// Lets a new buffer view, and extensions with compressed data, refer to the new place of the bytes. `source`: the old view.
void move_view(JsonEdit& view, JsonValue source, const std::vector<BufferPlace>& places);

/// An image file of the second document that was copied into the first buffer.
struct EmbeddedImage {
  std::uint64_t start = 0;
  std::uint64_t size = 0;
  std::string mime_type;
};

/// The new places of the second document's bytes.
struct AppendedBuffers {
  std::vector<BufferPlace> place;               ///< of each buffer of the second document
  std::map<std::size_t, EmbeddedImage> images;  ///< by the image's index in the second document
  std::optional<Bytes> binary;                  ///< the new content of the first buffer, if it changed
};

/// Appends the available buffers of the second document to the first buffer of the first one, and the other buffers to its list. Also
/// appends images in files of another folder. `root`: of the first document. If the first buffer is not available, the bytes become a
/// buffer with a data URI, and `images` is empty.
[[nodiscard]] Result<AppendedBuffers> append_buffers(const Document& first, const Document& second, JsonEdit& root, FindingSink& losses);

/// Returns the document with all available buffers in the first one, as a GLB stores them; nullptr if it has one buffer or none. Buffers
/// on the web, and those whose bytes only a compression replaces, stay in the list behind it. `losses`: files that cannot be read.
[[nodiscard]] Result<std::shared_ptr<const Document>> with_one_buffer(const Document& document, FindingSink& losses);

}  // namespace sinew::gltf
