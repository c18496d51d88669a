// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "document/json/json.hpp"

#include "sinew/model.hpp"

namespace sinew::operations {

/// What a file uses an accessor for.
struct ArrayUse {
  /// An animated property: the accessor has its values at the keys.
  struct Channel {
    std::uint64_t node = 0;
    TrackPath path = TrackPath::translation;
    bool spline = false;
  };
  /// What the values mean to a vertex.
  enum class Vertex : std::uint8_t {
    nothing,
    position,
    normal,
    tangent,
    texcoord,
    color,
    joints,
    weights,
    offset,
    direction_offset,
    other
  };
  bool vertices = false;    ///< attributes or offsets of vertices
  bool directions = false;  ///< normals or tangents, not their offsets
  Vertex vertex = Vertex::nothing;
  std::vector<std::uint64_t> meshes;  ///< whose vertices have the values
  bool triangles = false;             ///< indices of triangles
  bool indices = false;               ///< indices of other elements
  bool data = false;                  ///< all else: key times, bind matrices, extensions
  std::vector<Channel> channels;

  /// Returns whether all channels have this path and no tangents, and there is no other use.
  [[nodiscard]] bool only(TrackPath path) const;
};

/// Returns the uses of each accessor; data of extensions that Sinew does not know is not found.
[[nodiscard]] std::vector<ArrayUse> array_uses(document::JsonValue root);

}  // namespace sinew::operations
