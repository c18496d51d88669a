// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "base/guard.hpp"

#include "sinew/model.hpp"

namespace sinew {

Result<Elements> elements_of(const Mesh& mesh, const Surface& surface, std::size_t dimension) SINEW_TRY {
  std::vector<std::uint32_t> stored;
  if (surface.indexed) {
    stored = surface.elements.read<std::uint32_t>();
  } else {
    stored.resize(mesh.blocks[surface.block].vertices);
    std::iota(stored.begin(), stored.end(), 0u);
  }
  const std::size_t count = stored.size();

  Elements out;
  const auto lists = [&](std::size_t corners) {
    stored.resize(count - count % corners);
    out = {corners, std::move(stored)};
  };
  const auto lines = [&](std::size_t pieces) {
    out.corners = 2;
    for (std::size_t i = 0; i < pieces; ++i) out.indices.insert(out.indices.end(), {stored[i], stored[(i + 1) % count]});
  };
  const std::size_t triangles = count < 3 ? 0 : count - 2;
  switch (surface.primitive) {
    case Primitive::points:
      lists(1);
      break;
    case Primitive::lines:
      lists(2);
      break;
    case Primitive::simplexes:
      lists(std::max<std::size_t>(dimension, 3));
      break;
    case Primitive::line_strip:
      lines(count < 2 ? 0 : count - 1);
      break;
    case Primitive::line_loop:
      lines(count < 2 ? 0 : count);
      break;
    case Primitive::simplex_strip:  // these orders of corners make all triangles face the same way (glTF 2.0, primitive modes)
      out.corners = 3;
      for (std::size_t i = 0; i < triangles; ++i)
        out.indices.insert(out.indices.end(), {stored[i], stored[i + 1 + i % 2], stored[i + 2 - i % 2]});
      break;
    case Primitive::simplex_fan:
      out.corners = 3;
      for (std::size_t i = 0; i < triangles; ++i) out.indices.insert(out.indices.end(), {stored[i + 1], stored[i + 2], stored[0]});
      break;
  }
  return out;
}
SINEW_CATCH()

const Attribute* find_attribute(const std::vector<Attribute>& attributes, Semantic semantic, Index set) noexcept {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const Attribute& attribute) { return attribute.semantic == semantic && attribute.set == set; });
  return found == attributes.end() ? nullptr : &*found;
}

}  // namespace sinew
