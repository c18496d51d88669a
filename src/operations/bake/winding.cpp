// SPDX-License-Identifier: MIT
#include "operations/bake/winding.hpp"

#include <map>

#include "sinew/geometry.hpp"

namespace sinew::operations {

Winding winding_of(const PackedMesh& mesh, const deform::Palette& palette, std::size_t first, std::size_t count) {
  std::map<std::size_t, bool> mirrors;  // by slot
  double kept = 0, reversed = 0;
  for (std::size_t row = first; row < first + count; ++row)
    mesh.for_each_influence(mesh.vertex(row), [&](std::size_t slot, double weight) {
      const auto [known, is_new] = mirrors.try_emplace(slot);
      if (is_new) known->second = determinant(palette[slot]) < 0;
      (known->second ? reversed : kept) += weight;
    });
  return reversed > kept ? Winding::reversed : Winding::kept;
}

}  // namespace sinew::operations
