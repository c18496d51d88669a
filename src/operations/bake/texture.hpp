// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sinew/bake.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// RGB texels as a file stores them, rows from the top. PNG: 0 … 255 or 0 … 65535 for 0 … 1; EXR: the bits of half floats.
struct Texture {
  TexelFormat format = TexelFormat::png16;
  std::size_t width = 0, height = 0;
  std::vector<std::uint16_t> values;  ///< three per texel
};

/// The largest value of a half float.
inline constexpr double largest_half = 65504;

/// Rounds a value to the nearest stored one. Precondition: 0 … 1 (PNG), or at most largest_half (EXR).
[[nodiscard]] std::uint16_t stored_texel(TexelFormat format, double value);
/// Returns the value that a reader gets.
[[nodiscard]] double value_of_texel(TexelFormat format, std::uint16_t stored);

/// Returns ".png" or ".exr".
[[nodiscard]] std::string_view texture_extension(TexelFormat format);

/// Failure::unsupported if this build leaves out the format.
[[nodiscard]] Result<> check_texture_format(TexelFormat format);
/// Returns the bytes of the file. Precondition: check_texture_format.
[[nodiscard]] Result<std::vector<std::byte>> encode_texture(const Texture& texture);

// The two parts of these functions.
[[nodiscard]] Result<> check_png();
[[nodiscard]] Result<std::vector<std::byte>> encode_png(const Texture& texture);
[[nodiscard]] Result<> check_exr();
[[nodiscard]] Result<std::vector<std::byte>> encode_exr(const Texture& texture);

}  // namespace sinew::operations
