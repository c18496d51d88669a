// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "kernels/skin_simd.hpp"

namespace sinew::kernels {

// The kernels with registers of 128, 256 and 512 bits; nothing if this processor cannot run them.
[[nodiscard]] std::optional<SimdKernel> kernel_128();
[[nodiscard]] std::optional<SimdKernel> kernel_256();
[[nodiscard]] std::optional<SimdKernel> kernel_512();

// What vectors are not precise enough for: the plain kernels, compiled once.
void plain_tangent(const float* map, const float* tangent, float* out);
void plain_normal(std::size_t dimension, const float* map, const float* normal, const float* base, float* out);
void plain_cofactors(std::size_t dimension, const float* map, float* out);  ///< direction_cofactor

}  // namespace sinew::kernels
