// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "document/json/json_edit.hpp"

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::gltf {

/// An image file of the second document that was copied into the first buffer.
struct EmbeddedImage {
  std::uint64_t start = 0;
  std::uint64_t size = 0;
  std::string mime_type;
};

/// The new places of the second document's bytes.
struct AppendedBuffers {
  struct Place {
    std::uint64_t buffer = 0;  ///< in the combined document
    std::uint64_t start = 0;   ///< in that buffer
  };
  std::vector<Place> place;                     ///< of each buffer of the second document
  std::map<std::size_t, EmbeddedImage> images;  ///< by the image's index in the second document
  std::optional<document::Bytes> binary;        ///< the new content of the first buffer, if it changed
};

/// Appends the available buffers of the second document to the first buffer of the first one, and the other buffers to its list. Also
/// appends images in files of another folder. `root`: of the first document. If the first buffer is not available, the bytes become a
/// buffer with a data URI, and `images` is empty.
[[nodiscard]] Result<AppendedBuffers> append_buffers(const document::Document& first, const document::Document& second,
                                                     document::JsonEdit& root, FindingSink& losses);

}  // namespace sinew::gltf
