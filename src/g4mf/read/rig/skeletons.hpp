// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/read/rig/nodes.hpp"

namespace sinew::g4mf {

/// Reads the skeletons into the model, and makes a skin of each skeleton node and each child of it that carries a skinned mesh. Nodes and
/// meshes have been read. Group names that a mesh lacks are those of its joints.
void read_skeletons(Reader& reader, const Nodes& nodes);

}  // namespace sinew::g4mf
