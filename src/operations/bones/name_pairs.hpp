// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/result.hpp"

namespace sinew::operations {

using NamePairs = std::vector<std::pair<std::string, std::string>>;

/// Reads a file with two names in each line: words, or texts in "quotes". A name cannot begin with "#", which begins a comment. Failures:
/// usage for another line (`expected` says what belongs there: "OLD NEW"), input for a file that cannot be read or has no names.
Result<NamePairs> read_name_pairs(const std::filesystem::path& path, std::string_view expected);

}  // namespace sinew::operations
