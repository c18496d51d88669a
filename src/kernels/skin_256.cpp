// SPDX-License-Identifier: MIT
#undef SINEW_BITS
#define SINEW_BITS 256
#include "kernels/skin_target.inc"

namespace sinew::kernels {

std::optional<SimdKernel> kernel_256() {
#if HWY_ARCH_X86 && (HWY_TARGETS & HWY_AVX2)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"))
    return N_AVX2::kernel("avx2");
#endif
  return std::nullopt;
}

}  // namespace sinew::kernels
