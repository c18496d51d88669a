// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "sinew/result.hpp"

namespace sinew::show {

/// Pixels from the top left, row by row: red, green, blue and opacity, 8 bits each, sRGB, colours not multiplied by the opacity.
struct Picture {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<std::uint8_t> rgba;  ///< width · height · 4
};

/// A PNG, JPEG or WebP file's pixels (of an animation the first), told apart by their first bytes. Failure::input where the bytes are none
/// of these or broken, Failure::limit where the picture has more than `most_pixels`.
[[nodiscard]] Result<Picture> decode_picture(std::span<const std::byte> bytes, std::size_t most_pixels);

/// Writes a picture by the extension of `path`: .png, or .webp without loss. The file appears whole or not at all. Failure::usage: another
/// extension.
[[nodiscard]] Result<> write_picture(const Picture& picture, const std::filesystem::path& path);
[[nodiscard]] bool can_write_picture(const std::filesystem::path& path);

/// An animated WebP, picture by picture; the file appears at `finish`, and plays for ever.
class AnimationWriter {
 public:
  /// Pictures are `width` × `height` (at most 16383 each). `path`: ".webp".
  [[nodiscard]] static Result<AnimationWriter> create(const std::filesystem::path& path, std::size_t width, std::size_t height);
  AnimationWriter(AnimationWriter&&) noexcept;
  AnimationWriter& operator=(AnimationWriter&&) noexcept;
  ~AnimationWriter();  ///< without finish: nothing is left behind

  /// `seconds`: when the picture appears, later than the one before.
  [[nodiscard]] Result<> add(const Picture& picture, double seconds);
  /// `seconds`: when the last picture makes way for the first.
  [[nodiscard]] Result<> finish(double seconds);

 private:
  struct State;
  explicit AnimationWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace sinew::show
