// SPDX-License-Identifier: MIT
#pragma once

#include <tl/expected.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "sinew/document.hpp"

namespace sinew::document {

// The facts that the header of an image tells. Pixels are never decoded.

/// The media type that the first bytes say: PNG, JPEG, WebP and KTX 2.0 are known; empty otherwise.
[[nodiscard]] std::string_view image_mime_type(std::span<const std::byte> bytes);

/// Whether a data URI declares the image format that its data has.
[[nodiscard]] bool has_declared_type(std::string_view data_uri, std::span<const std::byte> data);

struct ImageInfo {
  std::string_view mime_type;
  ResourceInfo::Image image;
  std::string_view unusual;  ///< what programs ignore: another colour space, animation, pixels that are not square; empty = nothing
};

/// Why an image's header gives no facts.
struct ImageFault {
  enum class Kind : std::uint8_t { unrecognized, truncated, invalid } kind = Kind::unrecognized;
  std::string_view reason;  ///< of invalid ones
};

/// Of PNG, JPEG and WebP.
[[nodiscard]] tl::expected<ImageInfo, ImageFault> image_info(std::span<const std::byte> bytes);

}  // namespace sinew::document
