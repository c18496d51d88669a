// SPDX-License-Identifier: MIT
// JSON for output. A value is its text, which costs a tenth of the compile time of a tree of values.
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// A value of JSON. {{"key", value}, …} is an object.
class Json {
 public:
  struct Member;

  Json(std::nullptr_t = nullptr) : text_("null") {}
  Json(bool value) : text_(value ? "true" : "false") {}
  Json(std::signed_integral auto value) : text_(std::to_string(static_cast<long long>(value))) {}
  Json(std::unsigned_integral auto value) : text_(std::to_string(static_cast<unsigned long long>(value))) {}
  Json(double value);  ///< null if it is not finite
  /// Bytes that are not UTF-8 are replaced.
  Json(std::string_view text);
  Json(const char* text) : Json(std::string_view(text)) {}
  Json(const std::string& text) : Json(std::string_view(text)) {}
  Json(std::initializer_list<Member> members);
  template <class T>
  Json(const std::vector<T>& list) : text_("[]") {
    for (const T& value : list) push_back(value);
  }

  [[nodiscard]] static Json array() { return Json(Whole{"[]"}); }
  [[nodiscard]] static Json object() { return Json(Whole{"{}"}); }

  void push_back(const Json& value);                  ///< to an array
  void add(std::string_view key, const Json& value);  ///< to an object that does not have the key
  void add(std::initializer_list<Member> members);

  /// Returns the text on one line, without a newline.
  [[nodiscard]] const std::string& text() const { return text_; }
  /// Returns the text indented by two, with a newline at its end.
  [[nodiscard]] std::string indented() const;

 private:
  struct Whole {
    std::string_view text;
  };
  explicit Json(Whole whole) : text_(whole.text) {}
  void begin_value();

  std::string text_;
};

struct Json::Member {
  std::string_view key;
  Json value;
};

}  // namespace app
