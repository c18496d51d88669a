// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/array.hpp"

namespace sinew::deform {

// The smooth normals of deformed vertices, in two passes that threads share: the normal of each simplex, then the sum around each vertex.
// The sums are those of smooth_normals (geometry.hpp), in the order of the simplexes; unit normals differ by a step of float32 at most.

/// Computes the normals of simplexes, packed rows of N numbers: as simplex_normal. `corners`: N vertices per simplex. `out`: as many
/// numbers.
void simplex_normals(const strided_view<float>& positions, std::span<const std::uint32_t> corners, double* out);

/// Computes unit normals of the vertices [begin, end): NaN where the sum is 0. Vertex v has the simplexes around[first[v] … first[v + 1]),
/// ascending. `simplexes`: their normals.
void vertex_normals(std::span<const std::uint32_t> first, std::span<const std::uint32_t> around, const double* simplexes, std::size_t begin,
                    std::size_t end, const strided_view<float>& out);

}  // namespace sinew::deform
