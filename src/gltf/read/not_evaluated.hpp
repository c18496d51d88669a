// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/read/accessors.hpp"

namespace sinew::gltf {

/// Lists what may move vertices and is not read: Model::not_evaluated. Precondition: the nodes are linked.
void list_not_evaluated(Reader& reader, Accessors& accessors);

}  // namespace sinew::gltf
