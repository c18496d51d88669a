// SPDX-License-Identifier: MIT
#include "kernels/skin_simd.hpp"

#include "sinew/deform.hpp"

namespace sinew::deform {

std::vector<std::string_view> kernels() {
  std::vector<std::string_view> names;
  for (const sinew::kernels::SimdKernel& kernel : sinew::kernels::simd_kernels()) names.push_back(kernel.name);
  names.emplace_back("plain");
  return names;
}

}  // namespace sinew::deform
