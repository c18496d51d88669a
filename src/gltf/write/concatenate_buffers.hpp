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

/// A file beside the second document that now lies in the first buffer.
struct EmbeddedImage {
  std::uint64_t start = 0;
  std::uint64_t size = 0;
  std::string mime_type;
};

/// Where the bytes of the second document went.
struct AppendedBuffers {
  struct Place {
    std::uint64_t buffer = 0;  ///< in the whole
    std::uint64_t start = 0;   ///< in that buffer
  };
  std::vector<Place> place;                     ///< of each buffer of the second document
  std::map<std::size_t, EmbeddedImage> images;  ///< by the image's index in the second document
  std::optional<document::Bytes> binary;        ///< the content of the first buffer, where it changed
};

/// Puts the buffers of the second document that are at hand behind the first buffer of the first one, and those that are not behind its
/// list; images in files of another folder as well. `root` is the first document's. A first buffer that is not at hand stays, and the
/// bytes follow in a data URI: `images` is empty then.
[[nodiscard]] Result<AppendedBuffers> append_buffers(const document::Document& first, const document::Document& second,
                                                     document::JsonEdit& root, FindingSink& losses);

}  // namespace sinew::gltf
