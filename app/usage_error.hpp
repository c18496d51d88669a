// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>

#include "sinew/result.hpp"

namespace app {

/// An error of the command line: the program ends with Exit::usage.
[[nodiscard]] inline sinew::Error usage_error(std::string message) { return {sinew::Failure::usage, {}, {}, std::move(message)}; }

}  // namespace app
