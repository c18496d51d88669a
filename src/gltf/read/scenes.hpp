// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/read/rig/nodes.hpp"

namespace sinew::gltf {

/// Reads the scenes and chooses the default one: `scene`, else the first. Nodes have been read.
void read_scenes(Reader& reader, const Nodes& nodes);

}  // namespace sinew::gltf
