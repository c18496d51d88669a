// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "codecs/codecs.hpp"
#include "operations/optimize/textures/picture_error.hpp"
#include "operations/optimize/textures/resize.hpp"

#include "sinew/result.hpp"

namespace sinew::operations {

/// What an image may become.
struct TextureWish {
  bool png = false, webp = false, jpeg = false;
  bool lossless = true;        ///< also lossless WebP
  double psnr = 40;            ///< the least
  bool each_channel = false;   ///< of each channel, not only of all together
  std::size_t size = 0;        ///< fewer bytes than this; 0: any number
  std::size_t webp_costs = 0;  ///< bytes that a WebP needs elsewhere in the file
};

struct TextureChoice {
  codecs::Encoded bytes;
  std::string_view type;  ///< media type
  PictureError error;
  double similarity = 1;
};

/// Returns the smallest file that keeps the wish, or nothing. `pixels`: what errors are measured against.
[[nodiscard]] Result<std::optional<TextureChoice>> smallest_texture(const codecs::Pixels& pixels, const TextureWish& wish);

}  // namespace sinew::operations
