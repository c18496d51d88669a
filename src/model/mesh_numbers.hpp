// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/model.hpp"

namespace sinew {

/// Returns how many numbers the arrays of a mesh have: what a copy of all of it takes. Meshes that share arrays count them each.
[[nodiscard]] inline std::uint64_t numbers_of(const Mesh& mesh) {
  std::uint64_t numbers = 0;  // cannot overflow: each mesh takes memory, and no array has more than 2^48 numbers
  const auto add = [&numbers](const Array& array) { numbers += std::uint64_t{array.size()} * array.width(); };
  const auto add_all = [&add](const std::vector<Attribute>& attributes) {
    for (const Attribute& attribute : attributes) {
      add(attribute.values);
      for (const Offsets& offsets : attribute.offsets) {
        add(offsets.indices);
        add(offsets.values);
      }
    }
  };
  for (const VertexBlock& block : mesh.blocks) {
    add_all(block.attributes);
    for (const Influences::Set& set : block.influences.sets) {
      add(set.joints);
      add(set.weights);
    }
    add(block.influences.slots);
    add(block.influences.weights);
  }
  for (const Surface& surface : mesh.surfaces) {
    add(surface.elements);
    add(surface.edges);
    add_all(surface.attributes);
    if (surface.topology) add_all(surface.topology->attributes);
  }
  return numbers;
}

}  // namespace sinew
