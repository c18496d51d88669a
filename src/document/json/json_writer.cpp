// SPDX-License-Identifier: MIT
#include "document/json/json_writer.hpp"

#include <charconv>
#include <cmath>

namespace sinew::document {

void JsonWriter::separate() {
  if (needs_comma_) text_ += ',';
  needs_comma_ = true;
  text_ += std::exchange(space_, {});
}

void JsonWriter::begin(char bracket) {
  separate();
  text_ += bracket;
  needs_comma_ = false;
}

void JsonWriter::end(char bracket) {
  text_ += std::exchange(space_, {});
  text_ += bracket;
  needs_comma_ = true;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  quote(name);
  text_ += ':';
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::raw_key(std::string_view json) {
  separate();
  text_ += json;
  text_ += ':';
  needs_comma_ = false;
  return *this;
}

void JsonWriter::string(std::string_view utf8) {
  separate();
  quote(utf8);
}

void JsonWriter::boolean(bool value) { raw(value ? "true" : "false"); }

void JsonWriter::number(double value) {
  assert(std::isfinite(value));
  char digits[32];
  raw({digits, std::to_chars(digits, digits + sizeof digits, value).ptr});
}

void JsonWriter::raw(std::string_view json) {
  separate();
  text_ += json;
}

void JsonWriter::quote(std::string_view utf8) {
  constexpr std::string_view hex = "0123456789abcdef";
  text_ += '"';
  for (std::size_t at = 0; at < utf8.size(); ++at) {
    auto byte = static_cast<unsigned char>(utf8[at]);
    // U+0080 to U+009F are C2 80 to C2 9F in UTF-8.
    const bool c1 = byte == 0xC2 && at + 1 < utf8.size() && static_cast<unsigned char>(utf8[at + 1]) < 0xA0;
    if (c1) byte = static_cast<unsigned char>(utf8[++at]);
    constexpr std::string_view named = "\"\\\n\t\r";
    if (const std::size_t place = named.find(static_cast<char>(byte)); !c1 && place != std::string_view::npos) {
      text_ += '\\';
      text_ += "\"\\ntr"[place];
    } else if (c1 || byte < 0x20 || byte == 0x7F) {
      text_ += "\\u00";
      text_ += hex[byte >> 4];
      text_ += hex[byte & 15];
    } else {
      text_ += static_cast<char>(byte);
    }
  }
  text_ += '"';
}

}  // namespace sinew::document
