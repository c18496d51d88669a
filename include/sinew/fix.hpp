// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace sinew {

/// The command that fixes what a code of the findings catalogue reports: "sinew repair IN -o OUT". Empty if no command does.
[[nodiscard]] std::string_view fix_of(std::string_view code);

}  // namespace sinew
