// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "targets.hpp"

namespace sinew::fuzz {

/// The bytes become an accessor of any type and its data; what the reader gives is held against a plain reading of the specification.
void accessor(const std::filesystem::path& file, Input bytes);

}  // namespace sinew::fuzz
