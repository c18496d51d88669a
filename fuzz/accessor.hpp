// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "targets.hpp"

namespace sinew::fuzz {

/// Makes an accessor of any type and its data from the bytes. Compares the reader's result with a plain implementation of the
/// specification.
void accessor(const std::filesystem::path& file, Input bytes);

}  // namespace sinew::fuzz
