// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "document/json/json.hpp"
#include "document/json/json_writer.hpp"

namespace sinew::document {

/// A JSON value that can be changed. Unchanged parts stay slices of the source text, so their numbers, duplicate keys, escapes and white
/// space survive byte for byte. Changed parts keep the surrounding order and layout. The source Json must outlive this object. Copies are
/// cheap and independent: containers are shared until a copy changes. No function recurses, so any depth is safe.
class JsonEdit {
 public:
  JsonEdit() = default;                                    ///< null
  explicit JsonEdit(JsonValue source) : value_(source) {}  ///< null if missing

  [[nodiscard]] static JsonEdit object();
  [[nodiscard]] static JsonEdit array();
  [[nodiscard]] static JsonEdit string(std::string_view utf8);
  [[nodiscard]] static JsonEdit integer(std::integral auto value) {
    JsonWriter text;
    text.integer(value);
    return JsonEdit(std::move(text));
  }
  [[nodiscard]] static JsonEdit number(double value);  ///< precondition: finite
  [[nodiscard]] static JsonEdit boolean(bool value);

  [[nodiscard]] JsonKind kind() const;
  [[nodiscard]] bool is(JsonKind wanted) const { return kind() == wanted; }
  /// Returns the number of elements of an array or members of an object (duplicate keys count once each); 0 for others.
  [[nodiscard]] std::size_t size() const;

  /// Returns the member's value (the last of duplicate keys), or nullptr, also if this is no object. Pointers and references to children
  /// are valid until their container is changed or copied.
  [[nodiscard]] JsonEdit* find(std::string_view key);
  /// Precondition: an array with more than `index` elements.
  [[nodiscard]] JsonEdit& at(std::size_t index);
  /// Replaces the member's value in place, or appends a member. Precondition: an object.
  JsonEdit& set(std::string_view key, JsonEdit value);
  /// Precondition: an array.
  JsonEdit& push_back(JsonEdit value);
  /// Removes every member with this key. Precondition: an object.
  void erase(std::string_view key);
  /// Precondition: an array with more than `index` elements.
  void erase_at(std::size_t index);
  /// Removes the flagged elements. Precondition: an array with as many elements as flags.
  void erase_where(const std::vector<bool>& flags);
  /// Renames the members with `key` in place, and removes members that already have the new name. Does nothing if there is no such member.
  /// Precondition: an object.
  void rename(std::string_view key, std::string_view new_key);
  /// Returns the keys of an object in order.
  [[nodiscard]] std::vector<std::string> keys() const;

  /// Returns the source value; missing if it was created here, or if it or something in it may have changed.
  [[nodiscard]] JsonValue source() const;

  void write(JsonWriter& out) const;
  /// Returns the text; for the root value of a file, with the surrounding white space.
  [[nodiscard]] std::string text() const;

 private:
  struct Container;
  explicit JsonEdit(JsonWriter&& scalar) : value_(std::move(scalar).take()) {}
  explicit JsonEdit(std::shared_ptr<Container> container) : value_(std::move(container)) {}
  [[nodiscard]] const Container* opened() const;
  Container& open();

  /// A slice of the source, the text of a scalar created here, or a container with changeable children.
  std::variant<JsonValue, std::string, std::shared_ptr<Container>> value_;
};

}  // namespace sinew::document
