// SPDX-License-Identifier: MIT
#include "show/caption.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>

namespace sinew::show {

namespace {

constexpr std::size_t glyph_width = 3, glyph_height = 5;

/// 15 pixels, row by row from the top left, the first one in the highest bit.
struct Glyph {
  char character;
  std::uint16_t pixels;
};

constexpr std::array<Glyph, 49> glyphs = {{
    {'0', 0x7b6f}, {'1', 0x2c97}, {'2', 0x73e7}, {'3', 0x72cf}, {'4', 0x5bc9}, {'5', 0x79cf}, {'6', 0x79ef}, {'7', 0x7292}, {'8', 0x7bef},
    {'9', 0x7bcf}, {'A', 0x2bed}, {'B', 0x6bae}, {'C', 0x3923}, {'D', 0x6b6e}, {'E', 0x79a7}, {'F', 0x79a4}, {'G', 0x396b}, {'H', 0x5bed},
    {'I', 0x7497}, {'J', 0x126a}, {'K', 0x5bad}, {'L', 0x4927}, {'M', 0x5fed}, {'N', 0x6b6d}, {'O', 0x2b6a}, {'P', 0x6ba4}, {'Q', 0x2b51},
    {'R', 0x6bad}, {'S', 0x388e}, {'T', 0x7492}, {'U', 0x5b6f}, {'V', 0x5b52}, {'W', 0x5bfd}, {'X', 0x5aad}, {'Y', 0x5a92}, {'Z', 0x72a7},
    {' ', 0x0000}, {'.', 0x0002}, {',', 0x0014}, {'-', 0x01c0}, {'_', 0x0007}, {':', 0x0410}, {'%', 0x52a5}, {'"', 0x5a00}, {'+', 0x05d0},
    {'(', 0x2922}, {')', 0x224a}, {'/', 0x12a4}, {'=', 0x0e38},
}};

constexpr std::uint16_t unknown_glyph = 0x0010;

std::uint16_t glyph_of(char c) {
  const char upper = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const auto found = std::ranges::find(glyphs, upper, &Glyph::character);
  return found == glyphs.end() ? unknown_glyph : found->pixels;
}

void fill(Picture& picture, std::size_t left, std::size_t top, std::size_t width, std::size_t height,
          const std::array<std::uint8_t, 4>& color) {
  for (std::size_t y = top; y < std::min(top + height, picture.height); ++y)
    for (std::size_t x = left; x < std::min(left + width, picture.width); ++x)
      std::copy(color.begin(), color.end(), picture.rgba.begin() + static_cast<std::ptrdiff_t>((y * picture.width + x) * 4));
}

}  // namespace

void write_caption(std::string_view text, std::size_t scale, Picture& picture) {
  const std::size_t bar = (glyph_height + 4) * scale;
  if (picture.height < bar) return;
  const std::size_t top = picture.height - bar;
  fill(picture, 0, top, picture.width, bar, {250, 250, 250, 255});
  std::size_t left = 2 * scale;
  for (std::size_t i = 0; i < text.size() && left + glyph_width * scale <= picture.width; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U) continue;  // a character of several bytes is one glyph
    const std::uint16_t pixels = glyph_of(text[i]);
    for (std::size_t y = 0; y < glyph_height; ++y)
      for (std::size_t x = 0; x < glyph_width; ++x)
        if (((pixels >> (glyph_width * glyph_height - 1 - y * glyph_width - x)) & 1U) != 0)
          fill(picture, left + x * scale, top + (y + 2) * scale, scale, scale, {30, 32, 38, 255});
    left += (glyph_width + 1) * scale;
  }
}

void put_inset(const Picture& inset, std::size_t left, std::size_t top, Picture& picture) {
  if (left + inset.width > picture.width || top + inset.height > picture.height) return;
  fill(picture, left, top, inset.width, inset.height, {150, 152, 158, 255});
  for (std::size_t y = 1; y + 1 < inset.height; ++y)
    std::copy_n(inset.rgba.begin() + static_cast<std::ptrdiff_t>((y * inset.width + 1) * 4), (inset.width - 2) * 4,
                picture.rgba.begin() + static_cast<std::ptrdiff_t>(((y + top) * picture.width + left + 1) * 4));
}

}  // namespace sinew::show
