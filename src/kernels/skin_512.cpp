// SPDX-License-Identifier: MIT
#undef SINEW_BITS
#define SINEW_BITS 512
#include "kernels/skin_target.inc"

namespace sinew::kernels {

std::optional<SimdKernel> kernel_512() {
#if HWY_ARCH_X86 && (HWY_TARGETS & HWY_AVX3)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd"))
    return N_AVX3::kernel("avx512");
#endif
  return std::nullopt;
}

}  // namespace sinew::kernels
