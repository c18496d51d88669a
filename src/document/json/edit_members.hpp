// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "document/json/json_edit.hpp"

namespace sinew::document {

/// The member of that name, made as an object or a list where it is something else.
JsonEdit& object_in(JsonEdit& object, std::string_view key);
JsonEdit& list_in(JsonEdit& object, std::string_view key);
/// The number of elements; 0 for what is no list.
[[nodiscard]] std::size_t length(const JsonEdit* list);

/// Set a member, or take it away where it would be empty or say nothing.
void set_name(JsonEdit& object, std::string_view name);
/// An index is nothing where all its bits are set (sinew::none).
void set_index(JsonEdit& object, std::string_view key, std::uint32_t index);
void set_indices(JsonEdit& object, std::string_view key, std::span<const std::uint32_t> indices);
/// The same with -1 in the place of nothing (G4MF).
void set_slots(JsonEdit& object, std::string_view key, std::span<const std::uint32_t> indices);
void set_numbers(JsonEdit& object, std::string_view key, std::span<const double> values);
void set_names(JsonEdit& object, std::string_view key, std::span<const std::string> names);

/// Adds a name to a list of names if the list lacks it; creates a missing list.
void add_name(JsonEdit& object, std::string_view key, std::string_view name);
/// Removes a name from a list of names, and the list if it is empty then.
void erase_name(JsonEdit& object, std::string_view key, std::string_view name);

/// A list of numbers. Precondition: finite ones.
[[nodiscard]] JsonEdit numbers(std::span<const double> values);

}  // namespace sinew::document
