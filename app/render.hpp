// SPDX-License-Identifier: MIT
#pragma once

#include "command.hpp"

namespace app {

[[nodiscard]] Run add_render(CLI::App& command, Common& common);

}  // namespace app
