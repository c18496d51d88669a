// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/read/skins.hpp"

namespace sinew::gltf::staik {

inline constexpr std::string_view extension = "STAIK_skeletons";

/// Reads the explicit skeletons into Model::skeletons. Nodes have been read.
void read_skeletons(Reading& reading, Accessors& accessors);

/// The skeleton that a skin belongs to; `none` where the skin does not have the extension.
[[nodiscard]] Checked<Index> owner_of(Reading& reading, const SkinObject& skin);

/// Reports what nodes, skeletons and skins say of each other and should not. Skins have been read. For Checks::all.
void check(Reading& reading, const NodeTree& tree);

}  // namespace sinew::gltf::staik
