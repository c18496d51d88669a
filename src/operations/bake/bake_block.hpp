// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::operations {

/// What deformation gave for all blocks of all instances: packed rows, empty where there is nothing to move.
struct Moved {
  std::shared_ptr<std::vector<float>> positions;         ///< width N
  std::shared_ptr<std::vector<float>> normals;           ///< width N
  std::shared_ptr<std::vector<float>> tangents;          ///< width 4 (3D only)
  std::shared_ptr<std::vector<float>> corner_normals;    ///< of the corners of all surfaces, width N
  std::shared_ptr<std::vector<float>> topology_normals;  ///< of the corners of all topologies, width N
};

/// Whether the simplexes of a block keep their orientation.
///
/// Why a mirrored block needs reversed simplexes *and* negated normals: let L (det L < 0) move a triangle with edges a, b. Its new
/// winding normal is (La)×(Lb) = cof(L)·(a×b), and the kernels move stored normals by cof(L) too, so both agree, as in the source. But
/// cof(L) = det(L)·L⁻ᵀ contains the negative sign of det L: both now point *into* the body, whose outward normal moves by L⁻ᵀ. (In the
/// source, glTF's rule that a negative determinant flips the winding makes up for that; a static file has no such determinant any more.)
/// Swapping two corners negates the winding normal, negating the stored one keeps them in agreement, and both point out again.
/// Bitangent = w·(normal × tangent): for mirroring L, L(n×t) = −(L⁻ᵀn × Lt) up to length, hence w changes its sign.
enum class Winding : std::uint8_t { kept, reversed };

/// A block of a mesh in N-space.
struct BlockOf {
  const Mesh& mesh;
  std::size_t block;
  std::size_t dimension;
};

/// `count` rows of a vector, which they keep alive.
[[nodiscard]] Array rows_of(const std::shared_ptr<std::vector<float>>& values, std::size_t first, std::size_t count, std::size_t width);

/// An attribute that does not move with joints, at these amounts. Colours stay in [0, 1] (glTF, Meshes, Morph Targets).
[[nodiscard]] Attribute carried(const Attribute& from, std::span<const double> amounts);

/// The block at the pose: its rows of `moved` start at `first`. Texture coordinates, colours and custom attributes are shared, or blended
/// where an amount moves them. Normals that vanished become the cell's. Tangents without normals are dropped, as glTF ignores them.
[[nodiscard]] VertexBlock bake_block(const BlockOf& from, const Moved& moved, std::size_t first, std::span<const double> amounts,
                                     Winding winding);

}  // namespace sinew::operations
