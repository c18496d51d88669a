// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "gltf/check/checker.hpp"

namespace sinew::gltf {

/// The codes for the properties of an extension that the Khronos validator does not check.
struct CarriedCodes {
  std::optional<Code> missing = {};    ///< argument: the name. Nothing: no property is required
  std::optional<Code> empty = {};      ///< a list with fewer than one item. Nothing: lists may be empty
  Code type;                           ///< arguments: found, expected
  Code choice;                         ///< arguments: found, the allowed words
  Code range;                          ///< arguments: found, expected
  Code (*index)(const Property& row);  ///< arguments: found, expected
};

/// Checks an object by its table: types, required properties, words, ranges, lengths of lists, indices. Not its extensions, and not whether
/// a list repeats an item.
void check_carried(Checker& checker, JsonValue value, const Table& table, const CarriedCodes& codes);

/// Returns the number of elements that indices of a row can refer to.
[[nodiscard]] std::size_t count_of(const Checker& checker, const Property& row);

}  // namespace sinew::gltf
