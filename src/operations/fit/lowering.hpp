// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "operations/fit/surfaces.hpp"

namespace sinew::operations::weights {

/// By point of clothes: whether the bone that moves it most is one of a body's trunk, arms or legs, which clothes surround. On heads, hands
/// and feet roots of hair lie in the skin, and soles below it.
[[nodiscard]] std::vector<std::uint8_t> around_limbs(const Model& body, std::span<const Index> twin, const RiggedSurface& clothes,
                                                     const WeldedMesh& points);

/// Lowers the skin of the figure that clothes were made for where they lie inside it, until they lie `clearance` above it (relative to the
/// diagonal of the figure): skin below clothes is often not shown, and who really wore them was thinner. Only below the
/// points that are marked in `around` (around_limbs). `shape`: the outer surface of `figure`; `points`: the vertices of the clothes.
void lower_below_clothes(const OuterSurface& shape, const WeldedMesh& points, std::span<const std::uint8_t> around, double clearance,
                         unsigned threads, RiggedSurface& figure);

}  // namespace sinew::operations::weights
