// SPDX-License-Identifier: MIT
#include "gltf/schema/references.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "gltf/schema/extensions.hpp"
#include "gltf/schema/root_table.hpp"
#include "gltf/schema/tables_applied.hpp"

namespace sinew::gltf {

namespace {

// Extension objects that the Khronos validator does not check.
constexpr Property image_source_rows[] = {row::index("source", Reference::image)};
constexpr Property instancing_rows[] = {row::object("attributes", attributes_table)};
constexpr Property skeletons_rows[] = {row::elements("skeletons", skeleton_table)};
constexpr Table image_source{image_source_rows}, instancing{instancing_rows}, skeletons{skeletons_rows};
struct Known {
  std::string_view extension;
  const Table* table;
};
constexpr Known known_extensions[] = {
    {"EXT_meshopt_compression", &ext_meshopt_table},
    {"KHR_meshopt_compression", &meshopt_table},
    {"KHR_draco_mesh_compression", &draco_table},
    {"KHR_texture_basisu", &image_source},
    {"EXT_texture_avif", &image_source},
    {"MSFT_texture_dds", &image_source},
    {"EXT_mesh_gpu_instancing", &instancing},
    {"KHR_skeleton_bone", &bone_table},
    {"STAIK_skeletons", &skeletons},
};

constexpr auto lists = list_names(array_name);

constexpr std::array owned = {static_cast<std::uint8_t>(Reference::accessor),    static_cast<std::uint8_t>(Reference::buffer),
                              static_cast<std::uint8_t>(Reference::buffer_view), static_cast<std::uint8_t>(Reference::image),
                              static_cast<std::uint8_t>(Reference::material),    static_cast<std::uint8_t>(Reference::mesh),
                              static_cast<std::uint8_t>(Reference::sampler),     static_cast<std::uint8_t>(Reference::skin),
                              static_cast<std::uint8_t>(Reference::texture)};

}  // namespace

const Table* table_of_extension(std::string_view extension, const Table& holder) {
  if (const CheckedExtension* checked = find_checked_extension(extension))
    if (const ExtensionPlace* place = find_place(*checked, holder)) return place->object;
  const auto* const known = std::ranges::find(known_extensions, extension, &Known::extension);
  return known == std::end(known_extensions) ? nullptr : known->table;
}

const Table& kind_of_object(JsonValue object, const Table& table) {
  if (&table != &camera_table) return table;
  const JsonValue type = object["type"];
  return type.equals("orthographic") ? orthographic_camera_table : type.equals("perspective") ? perspective_camera_table : table;
}

ReferenceScheme reference_scheme() {
  return {.root = root_table,
          .lists = lists,
          .owned = owned,
          .buffer = static_cast<std::uint8_t>(Reference::buffer),
          .view = static_cast<std::uint8_t>(Reference::buffer_view),
          .kind = kind_of_object,
          // The pointers of KHR_animation_pointer contain indices, but tables cannot describe them.
          .extension = [](std::string_view name, const Table& holder) {
            return name == "KHR_animation_pointer" ? nullptr : table_of_extension(name, holder);
          }};
}

}  // namespace sinew::gltf
