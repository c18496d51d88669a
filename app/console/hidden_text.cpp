// SPDX-License-Identifier: MIT
#include "console/hidden_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace app {

namespace {

std::string replace_hidden(std::string_view text, bool keep_c0) {
  std::string out;
  out.reserve(text.size());
  const auto plain = [&](char c) { return (keep_c0 || c >= 0x20) && static_cast<unsigned char>(c) < 0x7F; };
  while (!text.empty()) {
    const auto end = std::ranges::find_if_not(text, plain);
    out.append(text.begin(), end);
    text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
    if (text.empty()) break;
    const Character next = first_character(text);
    if (!next.is_hidden() || (keep_c0 && next.in_utf8 && next.code < 0x20))
      out.append(text.substr(0, next.bytes));
    else
      out += next.in_utf8 ? fmt::format("\\u{:04x}", next.code) : fmt::format("\\x{:02x}", next.code);
    text.remove_prefix(next.bytes);
  }
  return out;
}

}  // namespace

bool Character::is_hidden() const {
  return !in_utf8 || code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0);
  if (first < 0x80) return {1, first, true};
  const std::size_t bytes = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  if (bytes == 0) return {1, first, false};
  unsigned code = first & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return {1, first, false};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  return {bytes, code, true};
}

std::string printable(std::string_view text) { return replace_hidden(text, false); }

std::string printable_lines(std::string_view text) { return replace_hidden(text, true); }

}  // namespace app
