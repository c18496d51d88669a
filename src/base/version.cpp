// SPDX-License-Identifier: MIT
#include "sinew/version.hpp"

namespace sinew {

std::string_view version() { return SINEW_VERSION; }

}  // namespace sinew
