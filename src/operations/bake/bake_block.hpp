// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::operations {

/// The deformed rows of all blocks of all instances, packed; empty if there is nothing to deform.
struct Moved {
  std::shared_ptr<std::vector<float>> positions;         ///< width N
  std::shared_ptr<std::vector<float>> normals;           ///< width N
  std::shared_ptr<std::vector<float>> tangents;          ///< width 4 (3D only)
  std::shared_ptr<std::vector<float>> corner_normals;    ///< of the corners of all surfaces, width N
  std::shared_ptr<std::vector<float>> topology_normals;  ///< of the corners of all topologies, width N
};

/// Whether the simplexes of a block keep their orientation.
///
/// Why a mirrored block needs reversed simplexes *and* negated normals: let L (det L < 0) transform a triangle with edges a, b. Its new
/// winding normal is (La)×(Lb) = cof(L)·(a×b). The kernels transform stored normals by cof(L) too, so both agree, as in the source. But
/// cof(L) = det(L)·L⁻ᵀ contains the negative sign of det L, so both now point *into* the body, whose outward normal transforms by L⁻ᵀ. (In
/// the source, glTF's rule that a negative determinant flips the winding compensates for this; a static file has no such determinant.)
/// Swapping two corners negates the winding normal; negating the stored normal keeps both in agreement, and both point outwards again.
/// Bitangent = w·(normal × tangent): for mirroring L, L(n×t) = −(L⁻ᵀn × Lt) up to length, so w changes its sign.
enum class Winding : std::uint8_t { kept, reversed };

/// A block of a mesh in N-space.
struct BlockOf {
  const Mesh& mesh;
  std::size_t block;
  std::size_t dimension;
  std::span<const Surface* const> surfaces;  ///< of this block
};

/// Returns `count` rows of a vector and shares its ownership.
[[nodiscard]] Array rows_of(const std::shared_ptr<std::vector<float>>& values, std::size_t first, std::size_t count, std::size_t width);

/// Returns an attribute that joints do not transform, at these amounts. Colours stay in [0, 1] (glTF, Meshes, Morph Targets).
[[nodiscard]] Attribute carried(const Attribute& from, std::span<const double> amounts);

/// Returns the block at the pose; its rows in `moved` start at `first`. Texture coordinates, colours and custom attributes are shared, or
/// blended if an amount changes them. Normals of length 0 are replaced by those of the cell. Tangents without normals are dropped, as glTF
/// ignores them.
[[nodiscard]] VertexBlock bake_block(const BlockOf& from, const Moved& moved, std::size_t first, std::span<const double> amounts,
                                     Winding winding);

}  // namespace sinew::operations
