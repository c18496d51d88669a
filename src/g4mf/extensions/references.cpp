// SPDX-License-Identifier: MIT
#include "g4mf/extensions/references.hpp"

#include <array>
#include <cstdint>

#include "g4mf/extensions/SINEW_animation.hpp"

namespace sinew::g4mf {

namespace {

constexpr auto lists = list_names(array_name);

constexpr std::array owned = {static_cast<std::uint8_t>(Reference::accessor),    static_cast<std::uint8_t>(Reference::buffer),
                              static_cast<std::uint8_t>(Reference::buffer_view), static_cast<std::uint8_t>(Reference::material),
                              static_cast<std::uint8_t>(Reference::mesh),        static_cast<std::uint8_t>(Reference::texture)};

constexpr ReferenceScheme scheme{.root = root_table,
                                 .lists = lists,
                                 .owned = owned,
                                 .buffer = static_cast<std::uint8_t>(Reference::buffer),
                                 .view = static_cast<std::uint8_t>(Reference::buffer_view),
                                 .extension = [](std::string_view name, const Table& holder) -> const Table* {
                                   return name == animation::extension && &holder == &root_table ? &animation::root_table : nullptr;
                                 }};

}  // namespace

const ReferenceScheme& reference_scheme() { return scheme; }

}  // namespace sinew::g4mf
