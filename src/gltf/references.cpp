// SPDX-License-Identifier: MIT
#include "gltf/references.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "gltf/extensions.hpp"
#include "gltf/root_table.hpp"
#include "gltf/tables_extension.hpp"

namespace sinew::gltf {

namespace {

// Indices in objects of extensions that no check describes.
constexpr row::Property image_source_rows[] = {row::index("source", Reference::image)};
constexpr row::Property draco_rows[] = {row::index("bufferView", Reference::buffer_view)};
constexpr row::Property meshopt_rows[] = {row::index("buffer", Reference::buffer), row::offset("byteOffset")};
constexpr row::Property instancing_rows[] = {row::object("attributes", attributes_table)};
constexpr row::Property strict_skeleton_rows[] = {row::index("inverseBindMatrices", Reference::accessor)};
constexpr row::Table strict_skeleton_table{strict_skeleton_rows};
constexpr row::Property strict_rows[] = {row::elements("skeletons", strict_skeleton_table)};
constexpr row::Table strict_table{strict_rows};
constexpr row::Table image_source_table{image_source_rows};
constexpr row::Table draco_table{draco_rows};
constexpr row::Table meshopt_table{meshopt_rows};
constexpr row::Table instancing_table{instancing_rows};
constexpr row::Table no_indices;
struct Known {
  std::string_view extension;
  const row::Table* table;
};
constexpr Known known_extensions[] = {
    {"EXT_meshopt_compression", &meshopt_table},
    {"KHR_meshopt_compression", &meshopt_table},
    {"KHR_draco_mesh_compression", &draco_table},
    {"KHR_texture_basisu", &image_source_table},
    {"EXT_texture_avif", &image_source_table},
    {"MSFT_texture_dds", &image_source_table},
    {"EXT_mesh_gpu_instancing", &instancing_table},
    {"KHR_skeleton_bone", &no_indices},
    {"STAIK_skeletons", &strict_table},
};

constexpr auto lists = [] {
  std::array<std::string_view, static_cast<std::size_t>(Reference::count)> names;
  for (std::size_t kind = 0; kind < names.size(); ++kind) names[kind] = array_name(static_cast<Reference>(kind));
  return names;
}();

constexpr std::array owned = {static_cast<std::uint8_t>(Reference::accessor),    static_cast<std::uint8_t>(Reference::buffer),
                              static_cast<std::uint8_t>(Reference::buffer_view), static_cast<std::uint8_t>(Reference::image),
                              static_cast<std::uint8_t>(Reference::material),    static_cast<std::uint8_t>(Reference::mesh),
                              static_cast<std::uint8_t>(Reference::sampler),     static_cast<std::uint8_t>(Reference::skin),
                              static_cast<std::uint8_t>(Reference::texture)};

}  // namespace

const row::Table* table_of_extension(std::string_view extension, const row::Table& holder) {
  if (const CheckedExtension* checked = find_checked_extension(extension))
    if (const ExtensionPlace* place = find_place(*checked, holder)) return place->object;
  const auto* const known = std::ranges::find(known_extensions, extension, &Known::extension);
  return known == std::end(known_extensions) ? nullptr : known->table;
}

const row::Table& kind_of_object(document::JsonValue object, const row::Table& table) {
  if (&table != &camera_table) return table;
  return object["type"].equals("orthographic") ? orthographic_camera_table : perspective_camera_table;
}

document::ReferenceScheme reference_scheme() {
  return {.root = root_table,
          .lists = lists,
          .owned = owned,
          .buffer = static_cast<std::uint8_t>(Reference::buffer),
          .view = static_cast<std::uint8_t>(Reference::buffer_view),
          .kind = kind_of_object,
          // The pointers of KHR_animation_pointer name elements by index, and no table can follow them.
          .extension = [](std::string_view name, const row::Table& holder) {
            return name == "KHR_animation_pointer" ? nullptr : table_of_extension(name, holder);
          }};
}

}  // namespace sinew::gltf
