// SPDX-License-Identifier: MIT
#include "document/json/json_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <system_error>

#include "base/message.hpp"
#include "base/number.hpp"
#include "document/json/eight_bytes.hpp"

namespace sinew::document {
namespace {

constexpr bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
constexpr bool is_structural(char c) { return c == '{' || c == '}' || c == '[' || c == ']' || c == ':' || c == ','; }

// Plain characters of a string: not the quote, the backslash or a control character.
constexpr auto plain_in_string = [] {
  std::array<bool, 256> table{};
  for (std::size_t i = 0x20; i < 256; ++i) table[i] = i != '"' && i != '\\';
  return table;
}();

std::optional<std::uint32_t> hex4(std::string_view text, std::size_t at) {
  if (text.size() - at < 4) return std::nullopt;
  return number_in<std::uint32_t>(text.substr(at, 4), 16);
}

constexpr bool is_high_surrogate(std::uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
constexpr bool is_low_surrogate(std::uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

struct CodePoint {
  std::uint32_t value;
  std::size_t end;
  bool lone = false;
};

// Returns the code point of "\uXXXX" (at the backslash), including the second escape of a surrogate pair.
std::optional<CodePoint> unicode_escape(std::string_view text, std::size_t at) {
  const auto unit = hex4(text, at + 2);
  if (!unit) return std::nullopt;
  const std::size_t end = at + 6;
  if (is_high_surrogate(*unit) && text.substr(end, 2) == "\\u")
    if (const auto low = hex4(text, end + 2); low && is_low_surrogate(*low))
      return CodePoint{0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00), end + 6};
  const bool lone = is_high_surrogate(*unit) || is_low_surrogate(*unit);
  return CodePoint{lone ? 0xFFFD : *unit, end, lone};
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  const auto tail = [&put, code](unsigned shift) { put(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | (code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    put(0xE0 | (code >> 12));
    tail(6);
    tail(0);
  } else {
    put(0xF0 | (code >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

// Returns the character for a two-character escape; 0 if it is none ('u' included).
constexpr char simple_escape(char c) {
  switch (c) {
    case '"':
    case '\\':
    case '/':
      return c;
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return 0;
  }
}

TokenScan check_delimiter(std::string_view text, TokenScan scan) {
  if (scan.end < text.size() && !is_space(text[scan.end]) && !is_structural(text[scan.end])) scan.expected = "the end of the value";
  return scan;
}

// Returns the decimal exponent of the first digit other than 0, clamped. Exact only for numbers far from 1.
std::int64_t magnitude(std::string_view number) {
  const std::size_t mantissa_end = std::min(number.find_first_of("eE"), number.size());
  const std::string_view mantissa = number.substr(0, mantissa_end);
  const std::size_t first = mantissa.find_first_of("123456789");
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  if (first == std::string_view::npos) return 0;
  std::int64_t exponent = 0;
  if (mantissa_end < number.size()) {
    std::string_view digits = number.substr(mantissa_end + 1);
    const bool negative = digits.front() == '-';
    if (negative || digits.front() == '+') digits.remove_prefix(1);
    // Texts are shorter than 2^32 bytes, so an exponent above 2^40 exceeds any mantissa.
    constexpr std::int64_t beyond_all = std::int64_t{1} << 40;
    exponent = std::min(number_in<std::int64_t>(digits).value_or(beyond_all), beyond_all);
    if (negative) exponent = -exponent;
  }
  return exponent + static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
}

}  // namespace

TokenScan scan_string(std::string_view text, std::size_t begin) {
  TokenScan scan{begin + 1};
  for (;;) {
    scan.end = skip_plain(text, scan.end);
    while (scan.end < text.size() && plain_in_string[static_cast<unsigned char>(text[scan.end])]) ++scan.end;
    if (scan.end >= text.size()) {
      scan.expected = "the closing quote of the string";
      return scan;
    }
    if (text[scan.end] == '"') {
      ++scan.end;
      return scan;
    }
    if (text[scan.end] != '\\') {
      scan.expected = "no unescaped control character in a string";
      return scan;
    }
    scan.escaped = true;
    const char escape = scan.end + 1 < text.size() ? text[scan.end + 1] : '\0';
    if (simple_escape(escape) != 0) {
      scan.end += 2;
    } else if (const auto code = escape == 'u' ? unicode_escape(text, scan.end) : std::nullopt) {
      scan.unrepresentable |= code->lone;
      scan.end = code->end;
    } else {
      scan.end = std::min(scan.end + (escape == 'u' ? 2 : 1), text.size());
      scan.expected = escape == 'u' ? "four hexadecimal digits after \\u" : "one of \" \\ / b f n r t u after a backslash";
      return scan;
    }
  }
}

TokenScan scan_number(std::string_view text, std::size_t begin) {
  TokenScan scan{begin};
  const auto digits = [&](const char* wanted) {
    const std::size_t first = scan.end;
    scan.end = skip_digits(text, first);
    if (scan.end == first) scan.expected = wanted;
    return scan.end - first;
  };
  if (text[scan.end] == '-') ++scan.end;
  const std::size_t integer_begin = scan.end;
  const std::size_t integer_digits = digits("a digit after the minus sign");
  if (scan.expected) return scan;
  if (integer_digits > 1 && text[integer_begin] == '0') {
    scan.end = integer_begin + 1;
    scan.expected = "no digit after a leading zero";
    return scan;
  }
  if (scan.end < text.size() && text[scan.end] == '.') {
    ++scan.end;
    (void)digits("a digit after the decimal point");
    if (scan.expected) return scan;
  }
  if (scan.end < text.size() && (text[scan.end] == 'e' || text[scan.end] == 'E')) {
    ++scan.end;
    if (scan.end < text.size() && (text[scan.end] == '+' || text[scan.end] == '-')) ++scan.end;
    (void)digits("a digit in the exponent");
    if (scan.expected) return scan;
  }
  return check_delimiter(text, scan);
}

TokenScan scan_word(std::string_view text, std::size_t begin, const char* word) {
  TokenScan scan{begin};
  for (const char* c = word; *c != '\0'; ++c, ++scan.end)
    if (scan.end >= text.size() || text[scan.end] != *c) {
      scan.expected = word;
      return scan;
    }
  return check_delimiter(text, scan);
}

std::optional<double> to_double(std::string_view number) {
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error == std::errc::result_out_of_range) {  // also reported for numbers that are too small
    if (magnitude(number) > 0) return std::nullopt;
    return number.front() == '-' ? -0.0 : 0.0;
  }
  if (error != std::errc() || value > std::numeric_limits<double>::max() || value < std::numeric_limits<double>::lowest())
    return std::nullopt;
  return value;
}

std::string unescape(std::string_view inner) {
  std::string out;
  out.reserve(inner.size());
  std::size_t at = 0;
  while (at < inner.size()) {
    const std::size_t backslash = std::min(inner.find('\\', at), inner.size());
    out.append(inner.substr(at, backslash - at));
    at = backslash;
    if (at + 1 >= inner.size()) break;
    if (const char c = simple_escape(inner[at + 1])) {
      out += c;
      at += 2;
    } else if (const auto code = unicode_escape(inner, at)) {
      append_utf8(out, code->value);
      at = code->end;
    } else {
      break;  // not a valid string
    }
  }
  return out;
}

namespace {

/// Returns the position after the characters of ASCII that begin at `at`.
std::size_t ascii_end(std::string_view text, std::size_t at) {
  constexpr std::uint64_t highs = 0x8080808080808080;
  for (; text.size() - at >= 32; at += 32)
    if (((eight_bytes(text, at) | eight_bytes(text, at + 8) | eight_bytes(text, at + 16) | eight_bytes(text, at + 24)) & highs) != 0) break;
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

}  // namespace

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
  const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  std::size_t at = 0;
  while (at < text.size()) {
    const unsigned lead = byte(at);
    if (lead < 0x80) {
      at = ascii_end(text, at + 1);
      continue;
    }
    const std::size_t length = lead >= 0xC2 && lead < 0xE0 ? 2 : lead >= 0xE0 && lead < 0xF0 ? 3 : lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
    if (length == 0 || text.size() - at < length) return at;
    // The second byte excludes overlong forms, surrogates and values above U+10FFFF.
    const unsigned lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (byte(at + 1) < lowest || byte(at + 1) > highest) return at;
    for (std::size_t i = 2; i < length; ++i)
      if ((byte(at + i) & 0xC0) != 0x80) return at;
    at += length;
  }
  return std::nullopt;
}

std::string describe_byte(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return "the end of the text";
  const auto byte = static_cast<unsigned char>(text[offset]);
  if (byte > 0x20 && byte < 0x7F) return format_text("'{}'", text[offset]);
  return format_text("byte {:#04x}", byte);
}

}  // namespace sinew::document
