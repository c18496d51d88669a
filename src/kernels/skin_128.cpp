// SPDX-License-Identifier: MIT
#undef SINEW_BITS
#define SINEW_BITS 128
#include "kernels/skin_target.inc"

namespace sinew::kernels {

std::optional<SimdKernel> kernel_128() {
#if HWY_TARGETS & HWY_SSE4
  __builtin_cpu_init();
  if (__builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul")) return N_SSE4::kernel("sse4");
#elif HWY_TARGETS & HWY_NEON
  return N_NEON::kernel("neon");  // compiled only if all processors have it
#elif HWY_TARGETS & HWY_WASM
  return N_WASM::kernel("wasm");  // compiled only if all engines have it
#endif
  return std::nullopt;
}

}  // namespace sinew::kernels
