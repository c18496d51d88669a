// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

namespace sinew::deform {

/// The kernels that this processor can run, the best first, as PrepareOptions::kernel names them; the last is always "plain".
[[nodiscard]] std::vector<std::string_view> kernels();

}  // namespace sinew::deform
