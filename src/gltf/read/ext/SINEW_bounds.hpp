// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/read/reader.hpp"

namespace sinew::gltf {

/// Reads Model::boxes: SINEW_bounds, and in files of glTF 2.1 the bounding volumes of nodes.
void read_boxes(Reader& reader);

}  // namespace sinew::gltf
