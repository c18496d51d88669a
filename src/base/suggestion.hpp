// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

/// Returns the end of a message about a name that does not exist: ` (did you mean "Hat"?)` if a known name is similar or contains it, else
/// the first known names: `; there are "Hat", "Shoe"`. Empty if `known` has no names.
[[nodiscard]] std::string suggestion(std::string_view wanted, const std::vector<std::string_view>& known);

/// Returns whether the name of a file has this extension, ".glb", in any case.
[[nodiscard]] bool has_extension(const std::filesystem::path& file, std::string_view extension) noexcept;

}  // namespace sinew
