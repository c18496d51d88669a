// SPDX-License-Identifier: MIT
#pragma once

#include <cassert>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace sinew::document {

/// Writes JSON text without white space, value after value; commas come by themselves. The caller keeps the grammar: in an object every
/// value follows its key, and what is begun is ended.
class JsonWriter {
 public:
  void begin_object() { begin('{'); }
  void end_object() { end('}'); }
  void begin_array() { begin('['); }
  void end_array() { end(']'); }

  /// Returns itself, so that the value can follow on the line.
  JsonWriter& key(std::string_view name);

  void string(std::string_view utf8);
  void integer(std::uint64_t value);
  void boolean(bool value);
  /// Shortest text that reads back as the same double. Precondition: finite (JSON has no other numbers).
  void number(double value);
  /// A value that is JSON text already.
  void raw(std::string_view json);

  [[nodiscard]] std::string take() && { return std::move(text_); }

 private:
  void separate() {
    if (needs_comma_) text_ += ',';
    needs_comma_ = true;
  }
  void begin(char bracket) {
    separate();
    text_ += bracket;
    needs_comma_ = false;
  }
  void end(char bracket) {
    text_ += bracket;
    needs_comma_ = true;
  }
  void quote(std::string_view utf8);

  std::string text_;
  bool needs_comma_ = false;
};

}  // namespace sinew::document
