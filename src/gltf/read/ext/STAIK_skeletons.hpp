// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/read/rig/skins.hpp"

namespace sinew::gltf::staik {

/// Reads the explicit skeletons into Model::skeletons. Nodes have been read.
void read_skeletons(Reader& reader, Accessors& accessors);

/// The skeleton that a skin belongs to; `none` where the skin does not have the extension.
[[nodiscard]] Checked<Index> owner_of(Reader& reader, const SkinObject& skin);

}  // namespace sinew::gltf::staik
