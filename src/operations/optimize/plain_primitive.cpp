// SPDX-License-Identifier: MIT
#include "operations/optimize/plain_primitive.hpp"

#include <cstddef>

#include "gltf/extensions/extension.hpp"

namespace sinew::operations {

bool is_plain_primitive(document::JsonValue primitive, const Surface& surface, const VertexBlock& block) {
  const bool points = surface.primitive == Primitive::points && !surface.indexed;
  if ((surface.primitive != Primitive::simplexes && !points) || block.vertices == 0 || !gltf::may_reorder(primitive)) return false;
  std::size_t offsets = 0, stored_offsets = 0;
  for (const Attribute& attribute : block.attributes) {
    if (!attribute.index.empty()) return false;
    offsets += attribute.offsets.size();
  }
  for (const document::JsonValue target : primitive["targets"].elements()) stored_offsets += target.size();
  return offsets == stored_offsets && primitive["attributes"].size() == block.attributes.size() + 2 * block.influences.sets.size();
}

}  // namespace sinew::operations
