// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "targets.hpp"

namespace sinew::fuzz {

// Targets for flex, retarget, lift, the steps `triangles` and `textures` of optimize, Player, hit and FileSource.

void flex(const std::filesystem::path& file, Input bytes);
void retarget(const std::filesystem::path& file, Input bytes);
void lift(const std::filesystem::path& file, Input bytes);
void smaller(const std::filesystem::path& file, Input bytes);
void play(const std::filesystem::path& file, Input bytes);
void pick(const std::filesystem::path& file, Input bytes);
void source(const std::filesystem::path& file, Input bytes);

}  // namespace sinew::fuzz
