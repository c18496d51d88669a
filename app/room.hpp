// SPDX-License-Identifier: MIT
#pragma once

#include "command.hpp"

namespace app {

/// Failure::limit where the moved vertices of a scene's instances do not fit into --max-memory: a node is a few bytes of a file, the mesh
/// that it shows again millions of vertices.
[[nodiscard]] sinew::Result<> check_room(const sinew::Model& model, sinew::Index scene, const Common& common);

}  // namespace app
