// SPDX-License-Identifier: MIT
#include "gltf/check/checked_object.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace sinew::gltf {

double CheckedObject::number(std::string_view name) const {
  if ((*this)[name] || !value()[name]) return Object::number(row_of(name));
  return std::numeric_limits<double>::quiet_NaN();
}

Index CheckedObject::index(std::string_view name, const Checker& checker) const {
  const auto index = Object::index(row_of(name));
  return index && *index < checker.root().count(static_cast<Reference>(table()[row_of(name)].reference)) ? static_cast<Index>(*index)
                                                                                                         : none;
}

bool CheckedObject::knows(std::string_view name) const {
  return std::ranges::any_of(table(), [&](const document::Property& row) { return row.name == name; });
}

std::size_t CheckedObject::row_of(std::string_view name) const {
  const auto row = std::ranges::find(table(), name, &document::Property::name);
  assert(row != table().end());
  return static_cast<std::size_t>(row - table().begin());
}

}  // namespace sinew::gltf
