// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::khr_accessor {

namespace {

constexpr Extension list[] = {
    {.name = "KHR_accessor_float16", .use = applied, .widens = &accessor_table, .wider = &wide_accessor_table},
    {.name = "KHR_accessor_float64", .use = applied, .widens = &accessor_table, .wider = &wide_accessor_table},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::khr_accessor
