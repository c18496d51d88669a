// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/read/rig/bind_matrices.hpp"
#include "gltf/read/rig/nodes.hpp"

namespace sinew::gltf {

/// Reads the skins into the model. Precondition: nodes and skeletons are read.
void read_skins(Reader& reader, Accessors& accessors, const NodeTree& tree);

/// Reports skinned nodes in a scene that does not contain the root of their joints. Precondition: scenes are read.
void check_skin_scenes(Reader& reader, const NodeTree& tree);

namespace staik {

/// Reads the explicit skeletons into Model::skeletons. Precondition: nodes are read.
void read_skeletons(Reader& reader, Accessors& accessors);

/// Returns the skeleton that a skin belongs to; `none` if the skin does not have the extension.
[[nodiscard]] Checked<Index> owner_of(Reader& reader, const SkinObject& skin);

}  // namespace staik

}  // namespace sinew::gltf
