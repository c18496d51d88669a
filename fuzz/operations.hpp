// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "targets.hpp"

namespace sinew::fuzz {

// Targets for the operations whose results are statements about every pose, or tables. They check the statements at some poses.

void bounds(const std::filesystem::path& file, Input bytes);
void compare(const std::filesystem::path& file, Input bytes);
void optimize(const std::filesystem::path& file, Input bytes);
/// bake, bake_frames, bake_texture, extract, slice and project.
void tables(const std::filesystem::path& file, Input bytes);

}  // namespace sinew::fuzz
