// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/result.hpp"

namespace sinew::codecs {

// PNG, JPEG and WebP: the bytes of a file to pixels, and back. A build with SINEW_IMAGES=OFF has none of it: every function then fails with
// SINEW_LEFT_OUT.

/// Pixels from the top left, row by row: red, green, blue and opacity, 8 bits each, colours not multiplied by the opacity.
struct Pixels {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<std::uint8_t> rgba;  ///< width · height · 4
};

/// Fails if the build leaves the codecs out.
[[nodiscard]] Result<> check();

/// What a PNG says about its colours (gamma, profile). glTF ignores it: the numbers count as they are.
enum class ColorSpace : std::uint8_t { heed, ignore };

/// Decodes a PNG, JPEG or WebP file (of an animation: the first picture). The first bytes decide the format. Failure::input for broken
/// files and other formats, Failure::limit if the picture has more than `most` pixels.
[[nodiscard]] Result<Pixels> decode(std::span<const std::byte> bytes, std::size_t most, ColorSpace space = ColorSpace::heed);

using Encoded = std::vector<std::byte>;

/// Returns the smallest PNG with exactly these pixels that is found: as palette, grey or colours, with the best filter of the rows.
[[nodiscard]] Result<Encoded> encode_png(const Pixels& pixels);

/// How to write a WebP.
struct WebpForm {
  enum class Kind : std::uint8_t {
    lossy,    ///< `level`: the quality from 0 to 100; colours are stored at half of the width and height
    lossless  ///< `level`: 100: exact; 80, 60, … 0: the last 1, 2, … 5 bits are rounded where that helps
  } kind = Kind::lossy;
  int level = 100;
  bool sharp = false;  ///< lossy: takes longer, and keeps edges between strong colours
  int effort = 4;      ///< from 0 to 6
};
inline constexpr std::size_t most_of_webp = 16383;  ///< pixels on a side

/// Colours below an opacity of 0 count, too. Precondition: at most most_of_webp pixels on a side.
[[nodiscard]] Result<Encoded> encode_webp(const Pixels& pixels, const WebpForm& form);

/// Opacity is left out. `quality`: from 0 to 100. Precondition: at most 65500 pixels on a side.
enum class JpegColors : std::uint8_t { halved, full };  ///< how many of them are stored along a side
[[nodiscard]] Result<Encoded> encode_jpeg(const Pixels& pixels, int quality, JpegColors colors);
inline constexpr std::size_t most_of_jpeg = 65500;

}  // namespace sinew::codecs
