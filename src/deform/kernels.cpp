// SPDX-License-Identifier: MIT
#include "sinew/kernels.hpp"

#include "kernels/skin_simd.hpp"

namespace sinew::deform {

std::vector<std::string_view> kernels() {
  std::vector<std::string_view> names;
  for (const sinew::kernels::SimdKernel& kernel : sinew::kernels::simd_kernels()) names.push_back(kernel.name);
  names.emplace_back("plain");
  return names;
}

}  // namespace sinew::deform
