// SPDX-License-Identifier: MIT
#include "gltf/extensions/references.hpp"

#include <array>
#include <cstdint>

#include "gltf/extensions/extension.hpp"

namespace sinew::gltf {

namespace {

constexpr auto lists = list_names<Reference>(array_name);

constexpr std::array owned = {static_cast<std::uint8_t>(Reference::accessor),    static_cast<std::uint8_t>(Reference::buffer),
                              static_cast<std::uint8_t>(Reference::buffer_view), static_cast<std::uint8_t>(Reference::image),
                              static_cast<std::uint8_t>(Reference::material),    static_cast<std::uint8_t>(Reference::mesh),
                              static_cast<std::uint8_t>(Reference::sampler),     static_cast<std::uint8_t>(Reference::skin),
                              static_cast<std::uint8_t>(Reference::texture)};

constexpr ReferenceScheme scheme{.root = root_table,
                                 .lists = lists,
                                 .owned = owned,
                                 .buffer = static_cast<std::uint8_t>(Reference::buffer),
                                 .view = static_cast<std::uint8_t>(Reference::buffer_view),
                                 .of_extension = static_cast<std::uint8_t>(Reference::of_extension),
                                 .extension = table_of_extension};

}  // namespace

const Table* table_of_extension(std::string_view extension, const Table& holder) {
  const Extension* const known = find_extension(extension);
  const ExtensionPlace* const place = known == nullptr ? nullptr : find_place(*known, holder);
  return place == nullptr ? nullptr : place->object;
}

const ReferenceScheme& reference_scheme() { return scheme; }

}  // namespace sinew::gltf
