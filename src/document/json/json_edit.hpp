// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "document/json/json.hpp"
#include "document/json/json_writer.hpp"

namespace sinew::document {

/// A JSON value that can be changed. What came from a file stays a slice of its text until a change reaches inside it, so numbers that
/// double cannot hold, duplicate keys, escapes and white space of untouched parts survive byte for byte, and what is changed keeps the
/// order and the layout around it (the source Json must outlive it). A copy is cheap and independent: containers are shared until one of
/// the copies changes them. No function recurses: any depth is safe.
class JsonEdit {
 public:
  JsonEdit() = default;                                    ///< null
  explicit JsonEdit(JsonValue source) : value_(source) {}  ///< null where it is missing

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
  /// Elements of an array, members of an object (equal keys count once each); 0 for others.
  [[nodiscard]] std::size_t size() const;

  /// The member's value (the last of equal keys), or nullptr; also for what is no object. Pointers and references to children are valid
  /// until the next change of their container or copy of it.
  [[nodiscard]] JsonEdit* find(std::string_view key);
  /// Precondition: an array with more elements.
  [[nodiscard]] JsonEdit& at(std::size_t index);
  /// Replaces the member's value in place, or appends a member. Precondition: an object.
  JsonEdit& set(std::string_view key, JsonEdit value);
  /// Precondition: an array.
  JsonEdit& push_back(JsonEdit value);
  /// Takes away every member of that key. Precondition: an object.
  void erase(std::string_view key);
  /// Precondition: an array with more elements.
  void erase_at(std::size_t index);
  /// Takes away the flagged elements. Precondition: an array with as many elements as there are flags.
  void erase_where(const std::vector<bool>& flags);
  /// Gives the members of `key` another one, at the same place; those that had that already are taken away. Nothing where there is no
  /// such member. Precondition: an object.
  void rename(std::string_view key, std::string_view new_key);
  /// Of an object, in order.
  [[nodiscard]] std::vector<std::string> keys() const;

  /// What it was made from; missing where it was made here, or where it or something in it may have been changed.
  [[nodiscard]] JsonValue source() const;

  /// As one value of `out`.
  void write(JsonWriter& out) const;
  /// As a text of its own; of a file's root value with the white space around it.
  [[nodiscard]] std::string text() const;

 private:
  struct Container;
  explicit JsonEdit(JsonWriter&& scalar) : value_(std::move(scalar).take()) {}
  explicit JsonEdit(std::shared_ptr<Container> container) : value_(std::move(container)) {}
  [[nodiscard]] const Container* opened() const;
  Container& open();

  /// A slice of the source; the text of a scalar made here; a container whose children can be changed.
  std::variant<JsonValue, std::string, std::shared_ptr<Container>> value_;
};

}  // namespace sinew::document
