// SPDX-License-Identifier: MIT
#include "gltf/extensions/KHR_meshopt_compression.hpp"

namespace sinew::gltf::khr_meshopt_compression {

namespace {

constexpr row::TableOf fallback_table{{row::boolean("fallback")}};
// Of another program, before the extensions: only the buffer that it names is known.
constexpr row::TableOf old_table{{row::index("buffer", Reference::buffer)}};

constexpr Extension list[] = {
    {.name = ext_meshopt_extension,
     .use = applied,
     .places = {{.holder = &buffer_view_table, .object = &ext_meshopt_table, .unknown = &khronos_codes},
                {.holder = &buffer_table, .object = &fallback_table}}},
    {.name = meshopt_extension,
     .use = applied,
     .places = {{.holder = &buffer_view_table, .object = &meshopt_table, .unknown = &khronos_codes},
                {.holder = &buffer_table, .object = &fallback_table}}},
    {.name = "MESHOPT_compression", .effect = moves, .places = {{.holder = &buffer_view_table, .object = &old_table}}},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::khr_meshopt_compression
