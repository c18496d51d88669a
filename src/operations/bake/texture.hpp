// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "document/files/output.hpp"

#include "sinew/bake.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// A texture of RGB texels as a file stores them, three numbers each, rows from the top. PNG: 0 … 255 or 0 … 65535 for 0 … 1; EXR: the bits
/// of half floats.
struct TextureSize {
  TexelFormat format = TexelFormat::png16;
  std::size_t width = 0, height = 0;

  [[nodiscard]] std::size_t row() const { return width * 3; }  ///< numbers
};

/// Writes a texture as its rows come, under a temporary name, and keeps little of it in memory.
class TextureWriter {
 public:
  TextureWriter() = default;
  TextureWriter(const TextureWriter&) = delete;
  TextureWriter& operator=(const TextureWriter&) = delete;
  virtual ~TextureWriter() = default;

  /// Adds whole rows.
  [[nodiscard]] virtual Result<> write(std::span<const std::uint16_t> rows) = 0;
  /// Returns the complete file. Precondition: all rows were written.
  [[nodiscard]] virtual Result<document::OutputFile> finish() = 0;
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
/// Begins a file. Precondition: check_texture_format.
[[nodiscard]] Result<std::unique_ptr<TextureWriter>> write_texture(const TextureSize& size, document::OutputFile file);

// The two parts of these functions.
[[nodiscard]] Result<> check_png();
[[nodiscard]] Result<std::unique_ptr<TextureWriter>> write_png(const TextureSize& size, document::OutputFile file);
[[nodiscard]] Result<> check_exr();
[[nodiscard]] Result<std::unique_ptr<TextureWriter>> write_exr(const TextureSize& size, document::OutputFile file);

}  // namespace sinew::operations
