// SPDX-License-Identifier: MIT
// fmt::join would instantiate the printing of numbers in every source that uses it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace app {

/// Returns all parts with `between` between them.
[[nodiscard]] std::string joined(std::span<const std::string> parts, std::string_view between);
[[nodiscard]] std::string joined(std::span<const std::string_view> parts, std::string_view between);
[[nodiscard]] std::string joined(std::span<const std::size_t> numbers, std::string_view between);

}  // namespace app
