// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

/// Damerau–Levenshtein distance (optimal string alignment) in bytes, letters compared without case.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The nearest of `candidates` to `wanted`, if near enough to be meant (at most a third of the length, at least 1).
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view wanted, const std::vector<std::string_view>& candidates);

/// The extension of a file's name with its point, ASCII letters in lower case: ".glb" of "Arm.GLB"; empty where there is none.
[[nodiscard]] std::string file_extension(const std::filesystem::path& file);

}  // namespace sinew
