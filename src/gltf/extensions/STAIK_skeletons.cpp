// SPDX-License-Identifier: MIT
#include "gltf/extensions/STAIK_skeletons.hpp"

namespace sinew::gltf::staik_skeletons {

namespace {

constexpr row::TableOf list_table{{row::elements("skeletons", skeleton_table)}};

constexpr Extension list[] = {
    {.name = staik_extension,
     .use = applied,
     .places = {{.holder = &root_table, .object = &list_table},
                {.holder = &skin_table, .object = &owner_table},
                {.holder = &node_table, .object = &mark_table}},
     .silent = true},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::staik_skeletons
