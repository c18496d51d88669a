// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "g4mf/schema/data/accessors.hpp"

namespace sinew::g4mf {

/// Reads the meshes into the model. Materials have been read.
void read_meshes(Reader& reader, Accessors& accessors);

/// The first `count` rows.
[[nodiscard]] Array first_rows(const Array& array, std::size_t count);
/// Rows cut or filled with zeros to `width`.
[[nodiscard]] Checked<Array> with_width(Reader& reader, JsonValue at, const Array& array, std::size_t width);
/// The rows with these numbers.
[[nodiscard]] Checked<Array> gather_rows(Reader& reader, JsonValue at, const Array& array, std::span<const std::uint32_t> rows);

/// Reads a mesh's `skin` into the influences of its vertices and its group names.
[[nodiscard]] Checked<> read_influences(Reader& reader, Accessors& accessors, JsonValue value, Mesh& mesh);

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

/// Reads the blend shapes of a mesh whose vertices and surfaces have been read.
[[nodiscard]] Checked<> read_blend(Reader& reader, Accessors& accessors, JsonValue value, const MeshParts& parts, Mesh& mesh);

/// Amounts, one per shape. Another number of them is a defect (arguments of the code: how many, how many shapes), unless the reading is
/// forced; missing ones stay as they are, and a surplus is left out.
[[nodiscard]] Checked<> read_amounts(Reader& reader, JsonValue list, Code wrong_length, std::span<double> amounts);

}  // namespace sinew::g4mf
