// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::khr_animation {

namespace {

constexpr row::TableOf clip_table{{row::indices("animations", Reference::animation)}};
constexpr row::TableOf clips_table{{row::objects("clips", clip_table)}};
constexpr row::TableOf controller_table{{row::index("animation", Reference::animation)}};
constexpr row::TableOf controllers_table{{row::objects("controllers", controller_table)}};

constexpr Extension list[] = {
    {.name = "KHR_animation_clip", .places = {{.holder = &root_table, .object = &clips_table}}},
    {.name = "KHR_animation_controller", .places = {{.holder = &root_table, .object = &controllers_table}}},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::khr_animation
