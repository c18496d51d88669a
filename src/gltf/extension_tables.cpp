// SPDX-License-Identifier: MIT
#include "gltf/extension_tables.hpp"

#include <algorithm>

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
constexpr row::Table image_source_table{image_source_rows};
constexpr row::Table draco_table{draco_rows};
constexpr row::Table meshopt_table{meshopt_rows};
constexpr row::Table instancing_table{instancing_rows};
constexpr row::Table no_indices;
constexpr row::Property skeleton_rows[] = {row::index("inverseBindMatrices", Reference::accessor)};
constexpr row::Table skeleton_table{skeleton_rows};
constexpr row::Property skeletons_rows[] = {row::elements("skeletons", skeleton_table)};
constexpr row::Table skeletons_table{skeletons_rows};
struct Known {
  std::string_view extension;
  const row::Table* table;
};
constexpr Known known_extensions[] = {
    {"EXT_meshopt_compression", &meshopt_table},    {"KHR_meshopt_compression", &meshopt_table},
    {"KHR_draco_mesh_compression", &draco_table},   {"KHR_texture_basisu", &image_source_table},
    {"EXT_texture_avif", &image_source_table},      {"MSFT_texture_dds", &image_source_table},
    {"EXT_mesh_gpu_instancing", &instancing_table}, {"KHR_skeleton_bone", &no_indices},
    {"STAIK_skeletons", &skeletons_table},
};

}  // namespace

const row::Table* extension_table(std::string_view extension, const row::Table& holder) {
  if (const CheckedExtension* checked = find_checked_extension(extension))
    if (const ExtensionPlace* place = find_place(*checked, holder)) return place->object;
  const auto* const known = std::ranges::find(known_extensions, extension, &Known::extension);
  return known == std::end(known_extensions) ? nullptr : known->table;
}

}  // namespace sinew::gltf
