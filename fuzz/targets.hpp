// SPDX-License-Identifier: MIT
// The fuzz targets: functions that accept any bytes and abort if the library violates a guarantee.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace sinew::fuzz {

using Input = std::span<const std::uint8_t>;

struct Target {
  std::string_view name;
  std::string_view extension;  ///< of the file that the bytes become; empty: none
  void (*run)(const std::filesystem::path& file, Input bytes);
  bool model = true;  ///< the bytes are a model file: mutations keep its container valid
};

[[nodiscard]] std::span<const Target> targets();
[[nodiscard]] const Target* find_target(std::string_view name);

/// Runs a target on bytes.
void run(const Target& target, Input bytes);

}  // namespace sinew::fuzz
