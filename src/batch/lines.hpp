// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "document/json/json.hpp"

#include "sinew/result.hpp"

namespace sinew::batch {

/// A line of the file. If it is invalid, `why` is the reason and `value` is missing.
struct ReadLine {
  std::uint64_t number = 0;
  document::JsonValue value;
  std::string why;
};

/// Calls `take` for every line of a file ("-": standard input) that is not blank. Failure::input if it cannot be read.
[[nodiscard]] Result<> read_lines(const std::filesystem::path& path, const std::function<void(const ReadLine&)>& take);

}  // namespace sinew::batch
