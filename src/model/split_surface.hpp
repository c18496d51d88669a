// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "sinew/model.hpp"

namespace sinew {

/// The order of the new vertices of a surface.
enum class VertexOrder : std::uint8_t {
  first_use,  ///< in the order of corners
  stored      ///< as in the old block
};

/// Converts values per corner to values per vertex. Removes them from the surface and returns a new block with one vertex for each
/// combination of vertex and values (including offsets), and with the offsets and influences of these vertices. The surface's elements then
/// refer to that block, one number per row; the caller sets its `block`. Values of corners override those of the block. `loose`: vertices
/// without a corner that are copied too, with the values of some corner. Precondition: every attribute of the surface has values.
[[nodiscard]] VertexBlock split_surface(const Mesh& mesh, std::size_t dimension, VertexOrder order, Surface& surface,
                                        std::span<const std::uint32_t> loose = {});

}  // namespace sinew
