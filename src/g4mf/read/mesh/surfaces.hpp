// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "g4mf/read/accessors.hpp"

namespace sinew::g4mf {

/// What the parts of a mesh need to know of each other.
struct MeshParts {
  std::size_t vertices = 0;
  std::size_t width = 0;  ///< of the vertices as stored
  struct SurfaceCounts {
    std::size_t corners = 0;    ///< vertex instances: numbers of the simplexes, else of the edges, else all vertices of the mesh
    std::size_t instances = 0;  ///< topology vertex instances
  };
  std::vector<SurfaceCounts> surfaces;
};

/// Reads a surface, and adds its counts to `parts`.
[[nodiscard]] Checked<> read_surface(Reader& reader, Accessors& accessors, JsonValue value, MeshParts& parts, Surface& surface);

}  // namespace sinew::g4mf
