// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "g4mf/read/mesh/topology.hpp"

namespace sinew::g4mf {

/// What a binding is laid on.
struct BindingPlace {
  const Surface& surface;
  bool simplexes = false;  ///< whether the surface has some
  std::size_t corners = 0;
  const VertexLists& instances;  ///< topology vertex instances of the boundary items
  std::size_t tiers = 0;
};

/// A binding (2026-07) as attributes of corners and of topology vertex instances, which share its values; each nothing where the binding
/// does not reach it. Other parts that it may name (items as a whole, edges of cells, …) have no place in the model; they are carried.
struct Bound {
  std::optional<Attribute> corners;
  std::optional<Attribute> instances;
};
/// `width`: of the values; 0 = any. `wrong_values`: the code for values of another kind.
[[nodiscard]] Checked<Bound> read_binding(Reader& reader, Accessors& accessors, JsonValue value, const BindingPlace& place,
                                          Semantic semantic, std::size_t width, Code wrong_values);

}  // namespace sinew::g4mf
