// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "gltf/check/checker.hpp"

namespace sinew::gltf {

/// An object that only checks look at, its values asked for by their names. check_objects has reported what its table says:
/// this reports nothing.
class CheckedObject : public document::Object {
 public:
  CheckedObject(Checker& checker, JsonValue value, const document::Table& table)
      : Object(value, table.rows, document::khronos_codes, checker.silence()) {}

  using Object::at;
  /// The value; missing where it is absent or unusable. Precondition of all: the table has such a row.
  [[nodiscard]] JsonValue operator[](std::string_view name) const { return at(row_of(name)); }
  [[nodiscard]] bool boolean(std::string_view name) const { return Object::boolean(row_of(name)); }
  /// The default where the number is absent; NaN, which no comparison holds for, where it is there but unusable.
  [[nodiscard]] double number(std::string_view name) const;
  /// The index where there is such an element, else `none`.
  [[nodiscard]] Index index(std::string_view name, const Checker& checker) const;
  [[nodiscard]] bool knows(std::string_view name) const;

 private:
  [[nodiscard]] std::size_t row_of(std::string_view name) const;
};

/// Calls `each(name, value)` for the extension objects of an object that the file declares to use.
template <class Each>
void for_each_extension(const Checker& checker, JsonValue object, const Each& each) {
  for (const document::JsonMember member : object["extensions"].members()) {
    const std::string name = member.key.string();
    if (member.value.is(JsonKind::object) && checker.root().uses_extension(name)) each(std::string_view(name), member.value);
  }
}

}  // namespace sinew::gltf
