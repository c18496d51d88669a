// SPDX-License-Identifier: MIT
#include "gltf/extensions/KHR_animation_pointer.hpp"

namespace sinew::gltf::khr_animation_pointer {

namespace {

constexpr std::string_view channel_paths_and_pointer[] = {"translation", "rotation", "scale", "weights", "pointer"};
constexpr TableOf target_or_pointer_table(row::with_words(channel_target_table.list, "path", channel_paths_and_pointer));

constexpr Extension list[] = {
    {.name = "KHR_animation_pointer",
     .effect = moves,  // animates properties that other channels cannot
     .places = {{.holder = &channel_target_table, .object = &animation_pointer_table, .partial = true}},
     .widens = &channel_target_table,
     .wider = &target_or_pointer_table,
     .checked = true,
     .fate = ExtensionFate::ended},  // belongs to clips
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::khr_animation_pointer
