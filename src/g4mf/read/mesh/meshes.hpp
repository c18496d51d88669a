// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "g4mf/schema/data/accessors.hpp"

namespace sinew::g4mf {

/// Reads the meshes into the model. Precondition: materials are read.
void read_meshes(Reader& reader, Accessors& accessors);

[[nodiscard]] Array first_rows(const Array& array, std::size_t count);
/// Returns the rows with this width: cut, or padded with zeros.
[[nodiscard]] Checked<Array> with_width(Reader& reader, JsonValue at, const Array& array, std::size_t width);
/// Returns the rows with these indices. Precondition: they are in range.
[[nodiscard]] Checked<Array> gather_rows(Reader& reader, JsonValue at, const Array& array, std::span<const std::uint32_t> rows);

[[nodiscard]] Checked<> read_influences(Reader& reader, Accessors& accessors, JsonValue value, Mesh& mesh);

/// Counts that the parts of a mesh share.
struct MeshParts {
  std::size_t vertices = 0;
  std::size_t width = 0;  ///< of the stored vertices
  struct SurfaceCounts {
    std::size_t corners = 0;    ///< vertex instances: those of the simplexes, else of the edges, else one per vertex of the mesh
    std::size_t instances = 0;  ///< topology vertex instances
  };
  std::vector<SurfaceCounts> surfaces;
};

/// Reads a surface and adds its counts to `parts`.
[[nodiscard]] Checked<> read_surface(Reader& reader, Accessors& accessors, JsonValue value, MeshParts& parts, Surface& surface);

/// The data of a target of a blend shape: one row of offsets per index.
struct BlendTarget {
  JsonValue value, indices_at, offsets_at;
  Array indices, offsets;
};
[[nodiscard]] Checked<BlendTarget> read_target(Reader& reader, Accessors& accessors, JsonValue value);

/// Reads the blend shapes of a mesh. Precondition: its vertices and surfaces are read.
[[nodiscard]] Checked<> read_blend(Reader& reader, Accessors& accessors, JsonValue value, const MeshParts& parts, Mesh& mesh);

/// Reads amounts, one per shape. Another number of them is a defect, except with `force`: then missing amounts stay unchanged and extra
/// ones are ignored. `wrong_length` has two arguments: the number of amounts and of shapes.
[[nodiscard]] Checked<> read_amounts(Reader& reader, JsonValue list, Code wrong_length, std::span<double> amounts);

}  // namespace sinew::g4mf
