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

}  // namespace sinew::gltf
