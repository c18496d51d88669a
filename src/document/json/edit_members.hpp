// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "document/json/json_edit.hpp"

namespace sinew::document {

/// Returns the member with this name, which becomes an object or a list if it is something else.
JsonEdit& object_in(JsonEdit& object, std::string_view key);
JsonEdit& list_in(JsonEdit& object, std::string_view key);
/// Returns the number of elements; 0 if it is no list.
[[nodiscard]] std::size_t length(const JsonEdit* list);

/// These set a member, or remove it if the value is empty or the default.
void set_or_erase(JsonEdit& object, std::string_view key, std::optional<JsonEdit> value);
void set_name(JsonEdit& object, std::string_view name);
/// `index`: all bits set (sinew::none) means none.
void set_index(JsonEdit& object, std::string_view key, std::uint32_t index);
void set_indices(JsonEdit& object, std::string_view key, std::span<const std::uint32_t> indices);
/// Does the same, with -1 for none (G4MF).
void set_slots(JsonEdit& object, std::string_view key, std::span<const std::uint32_t> indices);
/// Sets "byteOffset", which is 0 if it is absent.
void set_byte_offset(JsonEdit& object, std::uint64_t offset);
void set_numbers(JsonEdit& object, std::string_view key, std::span<const double> values);
void set_names(JsonEdit& object, std::string_view key, std::span<const std::string> names);

/// Removes a member of the object `key`, and that object if it is empty then.
void erase_in(JsonEdit& object, std::string_view key, std::string_view member);

/// Adds a name to a list of names if the list lacks it; creates a missing list.
void add_name(JsonEdit& object, std::string_view key, std::string_view name);
/// Removes a name from a list of names, and the list if it is empty then.
void erase_name(JsonEdit& object, std::string_view key, std::string_view name);

/// Makes a list of numbers. Precondition: they are finite.
[[nodiscard]] JsonEdit numbers(std::span<const double> values);

}  // namespace sinew::document
