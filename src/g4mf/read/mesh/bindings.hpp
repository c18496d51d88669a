// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "g4mf/read/mesh/topology.hpp"

namespace sinew::g4mf {

struct BindingPlace {
  const Surface& surface;
  bool simplexes = false;  ///< the surface has simplexes
  std::size_t corners = 0;
  const VertexLists& instances;  ///< vertices of the boundary items (topology vertex instances)
  std::size_t tiers = 0;
};

/// A binding (2026-07) as attributes of corners and of topology vertex instances, with shared values. An attribute is empty if the binding
/// has no values for it. The model cannot represent other parts (whole items, edges of cells, …), so they are ignored.
struct Bound {
  std::optional<Attribute> corners;
  std::optional<Attribute> instances;
};
/// `width`: of the values; 0 = any. `wrong_values`: the code for values of another type or width.
[[nodiscard]] Checked<Bound> read_binding(Reader& reader, Accessors& accessors, JsonValue value, const BindingPlace& place,
                                          Semantic semantic, std::size_t width, Code wrong_values);

}  // namespace sinew::g4mf
