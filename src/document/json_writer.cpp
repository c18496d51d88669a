// SPDX-License-Identifier: MIT
#include "document/json_writer.hpp"

#include <charconv>
#include <cmath>

namespace sinew::document {
namespace {

template <class T>
void append_number(std::string& text, T value) {
  char digits[32];
  const auto [end, failed] = std::to_chars(digits, digits + sizeof digits, value);
  text.append(digits, end);
}

}  // namespace

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  quote(name);
  text_ += ':';
  needs_comma_ = false;
  return *this;
}

void JsonWriter::string(std::string_view utf8) {
  separate();
  quote(utf8);
}

void JsonWriter::integer(std::uint64_t value) {
  separate();
  append_number(text_, value);
}

void JsonWriter::boolean(bool value) { raw(value ? "true" : "false"); }

void JsonWriter::number(double value) {
  assert(std::isfinite(value));
  separate();
  append_number(text_, value);
}

void JsonWriter::raw(std::string_view json) {
  separate();
  text_ += json;
}

void JsonWriter::quote(std::string_view utf8) {
  constexpr char hex[] = "0123456789abcdef";
  text_ += '"';
  for (const char c : utf8) {
    switch (c) {
      case '"':
        text_ += "\\\"";
        break;
      case '\\':
        text_ += "\\\\";
        break;
      case '\n':
        text_ += "\\n";
        break;
      case '\t':
        text_ += "\\t";
        break;
      case '\r':
        text_ += "\\r";
        break;
      default:
        if (const auto byte = static_cast<unsigned char>(c); byte < 0x20) {
          text_ += "\\u00";
          text_ += hex[byte >> 4];
          text_ += hex[byte & 15];
        } else {
          text_ += c;
        }
    }
  }
  text_ += '"';
}

}  // namespace sinew::document
