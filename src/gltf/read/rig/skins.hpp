// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "gltf/read/rig/bind_matrices.hpp"
#include "gltf/read/rig/nodes.hpp"

namespace sinew::gltf {

/// Reads the skins into the model. Nodes and skeletons have been read.
void read_skins(Reader& reader, Accessors& accessors, const NodeTree& tree);

/// Reports skinned nodes that are in a scene without the root of their joints. Scenes have been read.
void check_skin_scenes(Reader& reader, const NodeTree& tree);

namespace staik {

/// Reads the explicit skeletons into Model::skeletons. Nodes have been read.
void read_skeletons(Reader& reader, Accessors& accessors);

/// The skeleton that a skin belongs to; `none` where the skin does not have the extension.
[[nodiscard]] Checked<Index> owner_of(Reader& reader, const SkinObject& skin);

}  // namespace staik

}  // namespace sinew::gltf
