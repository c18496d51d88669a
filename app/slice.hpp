// SPDX-License-Identifier: MIT
#pragma once

#include "command.hpp"

namespace app {

[[nodiscard]] Run add_slice(CLI::App& command, Common& common);

}  // namespace app
