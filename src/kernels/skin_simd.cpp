// SPDX-License-Identifier: MIT
#include "kernels/skin_simd.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <limits>

#include "kernels/morph.hpp"
#include "math/rotation.hpp"

// Compiled once per kind of processor. Kinds between SSE4 and AVX2, and AVX-512 above its first kind, would gain nothing.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/skin_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128  // the minimal instruction sets are left to the plain kernel

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// clang-format off: the first file defines what the others use
#include "kernels/terms.inc"
#include "kernels/rows.inc"
#include "kernels/skin_3d.inc"
#include "kernels/cofactors.inc"
#include "kernels/skin_nd.inc"
#include "kernels/stage.inc"
#include "kernels/blend.inc"
#if HWY_HAVE_FLOAT64
#include "kernels/joints.inc"
#else
constexpr std::nullptr_t local_maps = nullptr, multiply_maps = nullptr, round_maps = nullptr;
#endif
// clang-format on

}  // namespace

SimdKernel kernel(std::string_view name) {
  return {name, skin_in, cofactors_in, turn_in, morph_dense, morph_rows, all_finite, local_maps, multiply_maps, round_maps};
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew::kernels
HWY_AFTER_NAMESPACE();

#endif

#if HWY_ONCE
namespace sinew::kernels {
namespace {

// Asks the compiler, not libhwy, which measures a clock at start-up and so costs every program that links it two milliseconds.
#if HWY_TARGETS & HWY_AVX3
bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd");
}
#endif
#if HWY_TARGETS & HWY_AVX2
bool has_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}
#endif

struct Kernels {
  std::array<SimdKernel, 4> list;
  std::size_t count = 0;

  Kernels() {
#if HWY_ARCH_X86
    __builtin_cpu_init();
#endif
#if HWY_TARGETS & HWY_AVX3
    if (has_avx512() && has_avx2()) list[count++] = N_AVX3::kernel("avx512");
#endif
#if HWY_TARGETS & HWY_AVX2
    if (has_avx2()) list[count++] = N_AVX2::kernel("avx2");
#endif
#if HWY_TARGETS & HWY_SSE4
    if (__builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul")) list[count++] = N_SSE4::kernel("sse4");
#endif
#if HWY_TARGETS & HWY_NEON
    list[count++] = N_NEON::kernel("neon");  // compiled only if all processors have it
#endif
#if HWY_TARGETS & HWY_WASM
    list[count++] = N_WASM::kernel("wasm");  // compiled only if all engines have it
#endif
  }
};

}  // namespace

std::span<const SimdKernel> simd_kernels() {
  static const Kernels kernels;
  return {kernels.list.data(), kernels.count};
}

}  // namespace sinew::kernels
#endif
