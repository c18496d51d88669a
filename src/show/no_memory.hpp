// SPDX-License-Identifier: MIT
#pragma once

#include "base/catalogue.hpp"

#include "sinew/result.hpp"

namespace sinew::show {

[[nodiscard]] inline Unexpected no_memory() { return Unexpected(error("SINEW_NO_MEMORY"_code, Failure::limit, {})); }

}  // namespace sinew::show
