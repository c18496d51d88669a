// SPDX-License-Identifier: MIT
#include "console/hidden_text.hpp"

#include <fmt/format.h>

namespace app {

namespace {

struct Decoded {
  std::size_t bytes = 1;
  unsigned code = 0;
  bool in_utf8 = false;
};

/// Decodes one character of at most three bytes; a longer one only has its length, as none of them is hidden.
Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0);
  if (first < 0x80) return {1, first, true};
  const std::size_t bytes = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  unsigned code = first & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return {1, first, false};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  if (bytes == 0) return {1, first, false};
  return {bytes, code, true};
}

bool is_hidden(unsigned code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

std::string replace_hidden(std::string_view text, bool keep_c0) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const HiddenCharacter hidden = hidden_character(text);
    const bool kept = hidden.bytes == 0 || (keep_c0 && hidden.in_utf8 && hidden.code < 0x20);
    const std::size_t bytes = hidden.bytes == 0 ? decode(text).bytes : hidden.bytes;
    if (kept)
      out.append(text.substr(0, bytes));
    else
      out += hidden.in_utf8 ? fmt::format("\\u{:04x}", hidden.code) : fmt::format("\\x{:02x}", hidden.code);
    text.remove_prefix(bytes);
  }
  return out;
}

}  // namespace

HiddenCharacter hidden_character(std::string_view text) {
  const Decoded character = decode(text);
  if (character.in_utf8 && !is_hidden(character.code)) return {};
  return {character.bytes, character.code, character.in_utf8};
}

std::string printable(std::string_view text) { return replace_hidden(text, false); }

std::string printable_lines(std::string_view text) { return replace_hidden(text, true); }

}  // namespace app
