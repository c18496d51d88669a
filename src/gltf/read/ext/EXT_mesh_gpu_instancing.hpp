// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/read/accessors.hpp"

namespace sinew::gltf {

/// Reads Node::copies. Precondition: nodes are read and have their final meshes and skins.
void read_copies(Reader& reader, Accessors& accessors);

}  // namespace sinew::gltf
