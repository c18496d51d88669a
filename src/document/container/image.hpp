// SPDX-License-Identifier: MIT
#pragma once

#include <tl/expected.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "sinew/document.hpp"

namespace sinew::document {

// Facts from the headers of images. Pixels are never decoded.

/// Returns the media type by the first bytes: PNG, JPEG, WebP or KTX 2.0; otherwise empty.
[[nodiscard]] std::string_view image_mime_type(std::span<const std::byte> bytes);

/// Returns whether a data URI declares the image format of its data.
[[nodiscard]] bool has_declared_type(std::string_view data_uri, std::span<const std::byte> data);

struct ImageInfo {
  std::string_view mime_type;
  ResourceInfo::Image image;
  std::string_view unusual;  ///< properties that programs ignore: colour space, animation, non-square pixels; empty: none
};

/// Why an image's header is unusable.
struct ImageFault {
  enum class Kind : std::uint8_t { unrecognized, truncated, invalid } kind = Kind::unrecognized;
  std::string_view reason;  ///< if it is invalid
};

/// Reads the header of a PNG, JPEG or WebP file.
[[nodiscard]] tl::expected<ImageInfo, ImageFault> image_info(std::span<const std::byte> bytes);

}  // namespace sinew::document
