// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "document/json.hpp"
#include "document/json_writer.hpp"

namespace sinew::document {

/// A JSON value that can be changed. What came from a file stays a slice of its text until a change reaches inside it, so key order,
/// number texts and white space of untouched parts survive byte for byte (the source Json must outlive it).
class JsonEdit {
 public:
  JsonEdit() = default;  ///< null
  explicit JsonEdit(JsonValue source);

  [[nodiscard]] static JsonEdit object();
  [[nodiscard]] static JsonEdit array();
  [[nodiscard]] static JsonEdit string(std::string_view utf8);
  [[nodiscard]] static JsonEdit integer(std::uint64_t value);
  [[nodiscard]] static JsonEdit number(double value);  ///< precondition: finite
  [[nodiscard]] static JsonEdit boolean(bool value);

  [[nodiscard]] JsonKind kind() const;
  [[nodiscard]] std::size_t size() const;

  /// Member lookup (the last of equal keys) or nullptr; element access. Opens the value.
  [[nodiscard]] JsonEdit* find(std::string_view key);
  [[nodiscard]] JsonEdit& at(std::size_t index);
  /// Sets a member in place, or appends it.
  JsonEdit& set(std::string_view key, JsonEdit value);
  JsonEdit& push_back(JsonEdit value);
  void erase(std::string_view key);
  void erase_at(std::size_t index);
  /// Gives a member another key at the same place; nothing where it does not exist.
  void rename(std::string_view key, std::string_view new_key);
  [[nodiscard]] std::vector<std::string> keys();

  /// What it was made from, or missing once it was changed or made here.
  [[nodiscard]] JsonValue source() const { return source_; }

  /// As one value of `out`.
  void write(JsonWriter& out) const;

 private:
  struct Opened;
  Opened& open();

  JsonValue source_;
  std::string scalar_ = "null";
  std::shared_ptr<Opened> opened_;
};

}  // namespace sinew::document
