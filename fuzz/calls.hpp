// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "targets.hpp"

namespace sinew::fuzz {

/// Gives the functions of core's C interface plain data of any kind, with a model that is a file of any bytes.
void calls(const std::filesystem::path& file, Input bytes);

}  // namespace sinew::fuzz
