// SPDX-License-Identifier: MIT
#pragma once

#include <cassert>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace sinew::document {

/// Writes JSON text value by value, with commas. Adds no white space of its own. The caller ensures the grammar: in an object every value
/// follows its key, and begun containers are ended. Escapes all control characters in strings: those of JSON, and those of Unicode that
/// G4MF also forbids (U+007F to U+009F).
class JsonWriter {
 public:
  void begin_object() { begin('{'); }
  void end_object() { end('}'); }
  void begin_array() { begin('['); }
  void end_array() { end(']'); }

  /// Returns *this, so that the value can follow on the same line.
  JsonWriter& key(std::string_view name);
  /// Writes a key that is already JSON text, with its quotes.
  JsonWriter& raw_key(std::string_view json);

  void string(std::string_view utf8);
  void integer(std::integral auto value) {
    char digits[24];
    raw({digits, std::to_chars(digits, digits + sizeof digits, value).ptr});
  }
  void boolean(bool value);
  /// Writes the shortest text that reads back as the same double. Precondition: finite.
  void number(double value);
  void raw(std::string_view json);

  /// Sets the white space before the next key, value or closing bracket. `white` must live until then.
  void space(std::string_view white) { space_ = white; }

  [[nodiscard]] std::string take() && { return std::move(text_); }

 private:
  void separate();
  void begin(char bracket);
  void end(char bracket);
  void quote(std::string_view utf8);

  std::string text_;
  std::string_view space_;
  bool needs_comma_ = false;
};

}  // namespace sinew::document
