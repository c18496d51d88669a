// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "codecs/codecs.hpp"

namespace sinew::operations {

/// What the numbers of a texture mean, which decides how its pixels are averaged.
enum class TextureContent : std::uint8_t {
  color,    ///< sRGB: averaged as light
  blended,  ///< the same, and a pixel counts by its opacity
  normal,   ///< directions: averaged, then given the length 1 again
  data      ///< averaged as stored
};

/// Returns the pixels with at most `most` on a side, each the average of the area that it covers. The sides keep their ratio, rounded, and
/// are at least 1. Precondition: a side is larger than `most`, which is not 0.
[[nodiscard]] codecs::Pixels resized(const codecs::Pixels& pixels, std::size_t most, TextureContent content);

}  // namespace sinew::operations
