// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::khr_accessor {

namespace {

constexpr Extension list[] = {
    {.name = "KHR_accessor_float16", .effect = moves},
    {.name = "KHR_accessor_float64", .effect = moves},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::khr_accessor
