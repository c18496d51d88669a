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

/// Writes JSON text, value after value, without white space unless it is given some; commas come by themselves. The caller keeps the
/// grammar: in an object every value follows its key, and what is begun is ended. In strings all control characters are escaped: JSON's
/// own, and those of Unicode that G4MF forbids too (U+007F to U+009F).
class JsonWriter {
 public:
  void begin_object() { begin('{'); }
  void end_object() { end('}'); }
  void begin_array() { begin('['); }
  void end_array() { end(']'); }

  /// Returns itself, so that the value can follow on the line.
  JsonWriter& key(std::string_view name);
  /// A key that is JSON text already, with its quotes.
  JsonWriter& raw_key(std::string_view json);

  void string(std::string_view utf8);
  void integer(std::integral auto value) {
    char digits[24];
    raw({digits, std::to_chars(digits, digits + sizeof digits, value).ptr});
  }
  void boolean(bool value);
  /// Shortest text that reads back as the same double. Precondition: finite (JSON has no other numbers).
  void number(double value);
  /// A value that is JSON text already.
  void raw(std::string_view json);

  /// White space before what is written next: a key, a value, or a closing bracket. It must live until then.
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
