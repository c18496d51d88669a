// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace sinew {

/// The semantic version of the library that is running, "MAJOR.MINOR.PATCH".
[[nodiscard]] std::string_view version();

}  // namespace sinew
