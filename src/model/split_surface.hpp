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

/// From corners to vertices: takes the values per corner off a surface and returns a block of its own for it, with one vertex for each
/// combination of vertex and values (offsets among them), and with offsets and influences of those. The surface's elements then count
/// in that block, one number a row; its `block` is for the caller to set. What the block has too, the corners override. `loose`: vertices
/// without a corner that come along, with the values of some corner. Every attribute of the surface has values.
[[nodiscard]] VertexBlock split_surface(const Mesh& mesh, std::size_t dimension, VertexOrder order, Surface& surface,
                                        std::span<const std::uint32_t> loose = {});

}  // namespace sinew
