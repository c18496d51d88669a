// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "targets.hpp"

namespace sinew::fuzz {

// Targets for single parts. They know what is right from another library, or from what was encoded.

void json(const std::filesystem::path& file, Input bytes);
void meshopt(const std::filesystem::path& file, Input bytes);
void draco(const std::filesystem::path& file, Input bytes);
/// The files of a conformance suite: case.json, or a .npy file if the bytes start like one.
void suite(const std::filesystem::path& file, Input bytes);

}  // namespace sinew::fuzz
