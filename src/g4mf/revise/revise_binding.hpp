// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "g4mf/read/mesh/meshes.hpp"
#include "g4mf/read/mesh/topology.hpp"
#include "g4mf/revise/reviser.hpp"

namespace sinew::g4mf {

/// A surface as it is read, and how many things it has that values can belong to.
struct SurfaceLayout {
  Surface surface;
  std::size_t corners = 0;
  VertexLists items;  ///< of the boundary: the topology vertex instances of each

  [[nodiscard]] bool has_simplexes() const { return surface.primitive == Primitive::simplexes; }
  [[nodiscard]] bool has_edges() const { return surface.primitive == Primitive::lines; }
};
/// Of all surfaces of a mesh.
[[nodiscard]] Checked<std::vector<SurfaceLayout>> read_layout(Reviser& reviser, JsonValue mesh);

/// The dimension of the items that bound the mesh.
[[nodiscard]] std::optional<std::size_t> boundary_dimension(std::size_t dimension);

/// Makes a binding of 2026-07 out of plain accessors, whose rows follow each other in its values.
class BindingBuilder {
 public:
  /// `unit`: the values are made unit vectors where they are not.
  BindingBuilder(Reviser& reviser, bool unit) : reviser_(reviser), unit_(unit) {}

  /// The first of the accessor's rows in the values. Nothing where it cannot stand beside those that are there, which is a loss.
  [[nodiscard]] Checked<std::optional<std::size_t>> add_values(JsonValue at, std::string_view what);
  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] bool empty() const { return parts_.empty(); }

  // Rows from `first` on, for so many things.
  [[nodiscard]] Checked<> lay_on_simplexes(std::size_t first, std::size_t simplexes, std::size_t width);
  [[nodiscard]] Checked<> lay_per_simplex(std::size_t first, std::size_t simplexes);
  [[nodiscard]] Checked<> lay_on_geometry(std::size_t first, std::size_t count, std::size_t dimension, std::size_t part);
  [[nodiscard]] Checked<> lay_on_items(std::size_t first, const VertexLists& items);

  [[nodiscard]] Checked<JsonEdit> finish();

 private:
  [[nodiscard]] Checked<Index> numbers_from(std::size_t first, std::size_t count, std::size_t width);
  [[nodiscard]] Checked<> add_geometry(const Checked<Index>& accessor, std::size_t dimension, std::size_t part);

  Reviser& reviser_;
  bool unit_;
  struct Part {
    Array values;
    Index accessor;  ///< that holds them; `none`: none does yet
  };
  std::vector<Part> parts_;
  std::size_t rows_ = 0;
  std::size_t width_ = 0;
  JsonEdit binding_ = JsonEdit::object();
};

/// Rows of several arrays of one width, one behind the other: as stored where their types are the same, else as wide floats.
[[nodiscard]] Array joined(const std::vector<Array>& arrays);
/// The rows with these numbers, each of which is one.
[[nodiscard]] Checked<Array> gathered(Reviser& reviser, JsonValue at, const Array& values, const std::vector<std::uint32_t>& rows);

/// Surfaces from 2026-01 to 2026-07; and where the values of blend targets went.
struct SurfaceBindings {
  struct Values {
    std::optional<std::size_t> corners;    ///< the row of the first one
    std::optional<std::size_t> instances;  ///< of the first topology vertex instance
    std::size_t width = 0;
  };
  Values normals, texture_map;
};
[[nodiscard]] Checked<SurfaceBindings> surface_to_2026_07(Reviser& reviser, JsonValue surface, const SurfaceLayout& layout, JsonEdit& edit);
/// And back.
[[nodiscard]] Checked<> surface_to_2026_01(Reviser& reviser, JsonValue surface, const SurfaceLayout& layout, JsonEdit& edit);

}  // namespace sinew::g4mf
