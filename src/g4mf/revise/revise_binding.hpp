// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "g4mf/read/mesh/meshes.hpp"
#include "g4mf/read/mesh/topology.hpp"
#include "g4mf/revise/reviser.hpp"

namespace sinew::g4mf {

/// Where surface_to_2026_07 put values that blend targets move.
struct BoundValues {
  std::optional<std::size_t> corners;    ///< row of the first corner
  std::optional<std::size_t> instances;  ///< row of the first topology vertex instance
  std::size_t width = 0;
};

/// A surface as read, and the numbers of its parts that can have values.
struct SurfaceLayout {
  Surface surface;
  std::size_t corners = 0;
  VertexLists items;                 ///< topology vertex instances of the boundary items
  BoundValues normals, texture_map;  ///< empty before surface_to_2026_07

  [[nodiscard]] bool has_simplexes() const { return surface.primitive == Primitive::simplexes; }
  [[nodiscard]] bool has_edges() const { return surface.primitive == Primitive::lines; }
};
[[nodiscard]] Checked<std::vector<SurfaceLayout>> read_layout(Reviser& reviser, JsonValue mesh);

[[nodiscard]] std::optional<std::size_t> boundary_dimension(std::size_t dimension);

/// Makes a binding of 2026-07 from plain accessors, whose rows are concatenated.
class BindingBuilder {
 public:
  /// `unit`: normalise the values.
  BindingBuilder(Reviser& reviser, bool unit) : reviser_(reviser), unit_(unit) {}

  /// Appends the accessor's rows and returns the index of the first one. Nothing, and a reported loss, if their width differs.
  [[nodiscard]] Checked<std::optional<std::size_t>> add_values(JsonValue at, std::string_view what);
  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] bool empty() const { return parts_.empty(); }

  // These use consecutive rows from `first` on.
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
    Index accessor;  ///< the accessor with these values; `none`: not yet written
  };
  std::vector<Part> parts_;
  std::size_t rows_ = 0;
  std::size_t width_ = 0;
  JsonEdit binding_ = JsonEdit::object();
};

/// Concatenates arrays of one width: in their type if it is the same, else as wide floats.
[[nodiscard]] Array joined(const std::vector<Array>& arrays);

/// From 2026-01 to 2026-07, and back.
[[nodiscard]] Checked<> surface_to_2026_07(Reviser& reviser, JsonValue surface, SurfaceLayout& layout, JsonEdit& edit);
[[nodiscard]] Checked<> surface_to_2026_01(Reviser& reviser, JsonValue surface, const SurfaceLayout& layout, JsonEdit& edit);

}  // namespace sinew::g4mf
