// SPDX-License-Identifier: MIT
#include "sinew/result.hpp"

namespace sinew {

std::string_view version() noexcept { return SINEW_VERSION; }

}  // namespace sinew
