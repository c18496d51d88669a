// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace app {

/// Parses a number of bytes: "512M", "1.5 GiB", "4096". Units are powers of 1024: k, M, G, T, P and E in either case, with or without "B"
/// or "iB". A fraction of a byte is cut off. Returns nothing for another text, for less than one byte, and for more than 2⁶⁴ − 1.
[[nodiscard]] std::optional<std::uint64_t> parse_size(std::string_view text);

}  // namespace app
