// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::khr_xmp {

namespace {

constexpr row::TableOf packets_table{{row::objects("packets", no_references_table)}};
constexpr row::TableOf packet_table{{row::of_list("packet", "KHR_xmp_json_ld/packets")}};
constexpr row::TableOf old_packet_table{{row::of_list("packet", "KHR_xmp/packets")}};

constexpr Extension described(std::string_view name, const Table& use) {
  return {.name = name,
          .use = carried,
          .places = {{.holder = &root_table, .object = &packets_table},
                     {.holder = &asset_table, .object = &use},
                     {.holder = &scene_table, .object = &use},
                     {.holder = &node_table, .object = &use},
                     {.holder = &mesh_table, .object = &use},
                     {.holder = &material_table, .object = &use},
                     {.holder = &image_table, .object = &use},
                     {.holder = &animation_table, .object = &use}}};
}

constexpr Extension list[] = {
    described("KHR_xmp_json_ld", packet_table),
    described("KHR_xmp", old_packet_table),
    {.name = "KHR_xmp*", .use = carried},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::khr_xmp
