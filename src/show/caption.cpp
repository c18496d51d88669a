// SPDX-License-Identifier: MIT
#include "show/caption.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

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

constexpr std::uint16_t degree_glyph = 0x2a80, unknown_glyph = 0x0010;

/// Returns the glyph of the character that the text starts with.
std::uint16_t glyph_of(std::string_view text) {
  if (text.starts_with("°")) return degree_glyph;
  const char upper = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  const auto found = std::ranges::find(glyphs, upper, &Glyph::character);
  return found == glyphs.end() ? unknown_glyph : found->pixels;
}

void fill(Picture& picture, std::size_t left, std::size_t top, std::size_t width, std::size_t height,
          const std::array<std::uint8_t, 4>& color) {
  for (std::size_t y = top; y < std::min(top + height, picture.height); ++y)
    for (std::size_t x = left; x < std::min(left + width, picture.width); ++x)
      std::copy(color.begin(), color.end(), picture.rgba.begin() + static_cast<std::ptrdiff_t>((y * picture.width + x) * 4));
}

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

/// Divides a text at blanks into lines of at most `most` characters; longer words are divided, too.
std::vector<std::string> lines_of(std::string_view text, std::size_t most) {
  std::vector<std::string> lines(1);
  std::size_t length = 0, blank = std::string::npos;  // of the last line, in characters; its last blank, in bytes
  for (const char c : text) {
    if (starts_character(c) && length == most) {
      std::string rest;
      if (c != ' ' && blank != std::string::npos) {
        rest = lines.back().substr(blank + 1);
        lines.back().resize(blank);
      }
      length = static_cast<std::size_t>(std::ranges::count_if(rest, starts_character));
      blank = std::string::npos;
      lines.push_back(std::move(rest));
      if (c == ' ') continue;
    }
    if (c == ' ') blank = lines.back().size();
    lines.back() += c;
    length += starts_character(c) ? 1 : 0;
  }
  return lines;
}

void write_line(std::string_view text, std::size_t scale, std::size_t top, Picture& picture) {
  std::size_t left = 2 * scale;
  for (; !text.empty(); text.remove_prefix(1)) {
    if (!starts_character(text.front())) continue;  // a character of several bytes is one glyph
    const std::uint16_t pixels = glyph_of(text);
    for (std::size_t y = 0; y < glyph_height; ++y)
      for (std::size_t x = 0; x < glyph_width; ++x)
        if (((pixels >> (glyph_width * glyph_height - 1 - y * glyph_width - x)) & 1U) != 0)
          fill(picture, left + x * scale, top + y * scale, scale, scale, {30, 32, 38, 255});
    left += (glyph_width + 1) * scale;
  }
}

}  // namespace

void write_caption(std::string_view text, std::size_t scale, Picture& picture) {
  const std::size_t line = (glyph_height + 2) * scale, most = picture.width / ((glyph_width + 1) * scale);
  if (most < 2 || picture.height < line + 2 * scale) return;
  std::vector<std::string> lines = lines_of(text, most - 1);
  lines.resize(std::min(lines.size(), (picture.height - 2 * scale) / line));
  const std::size_t bar = lines.size() * line + 2 * scale, top = picture.height - bar;
  fill(picture, 0, top, picture.width, bar, {250, 250, 250, 255});
  for (std::size_t i = 0; i < lines.size(); ++i) write_line(lines[i], scale, top + 2 * scale + i * line, picture);
}

void put_inset(const Picture& inset, std::size_t left, std::size_t top, Picture& picture) {
  if (left + inset.width > picture.width || top + inset.height > picture.height) return;
  fill(picture, left, top, inset.width, inset.height, {150, 152, 158, 255});
  for (std::size_t y = 1; y + 1 < inset.height; ++y)
    std::copy_n(inset.rgba.begin() + static_cast<std::ptrdiff_t>((y * inset.width + 1) * 4), (inset.width - 2) * 4,
                picture.rgba.begin() + static_cast<std::ptrdiff_t>(((y + top) * picture.width + left + 1) * 4));
}

}  // namespace sinew::show
