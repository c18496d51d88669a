// SPDX-License-Identifier: MIT
#include "kernels/skin_simd.hpp"

#include "kernels/skin_targets.hpp"

namespace sinew::kernels {

namespace {

struct Kernels {
  std::array<SimdKernel, 3> list;
  std::size_t count = 0;

  Kernels() {
#ifdef SINEW_NO_VECTORS  // scripts/make_single
#elif defined(_WIN32) && defined(__GNUC__) && !defined(__clang__)
    // Windows aligns the stack to 16 bytes; vectors that GCC puts there need more if they are wider (GCC bug 54412).
    if (const auto kernel = kernel_128()) list[count++] = *kernel;
#else
    for (const auto& kernel : {kernel_512(), kernel_256(), kernel_128()})
      if (kernel) list[count++] = *kernel;
#endif
  }
};

}  // namespace

std::span<const SimdKernel> simd_kernels() {
  static const Kernels kernels;
  return {kernels.list.data(), kernels.count};
}

void plain_tangent(const float* map, const float* tangent, float* out) { plain::move_tangent(FixedDimension<3>{}, map, tangent, out); }

void plain_normal(std::size_t dimension, const float* map, const float* normal, const float* base, float* out) {
  std::array<float, max_dimension * max_dimension> cofactors;
  plain_cofactors(dimension, map, cofactors.data());
  plain::move_normal(dimension, cofactors.data(), normal, base, out);
}

void plain_cofactors(std::size_t dimension, const float* map, float* out) { plain::direction_cofactor(dimension, map, out); }

}  // namespace sinew::kernels
