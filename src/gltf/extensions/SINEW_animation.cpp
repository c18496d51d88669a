// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::sinew_animation {

namespace {

constexpr Extension list[] = {
    {.name = "SINEW_animation", .effect = moves, .one_per_file = true},  // of G4MF
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::sinew_animation
