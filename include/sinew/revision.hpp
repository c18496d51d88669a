// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace sinew::g4mf {

/// The three fixed points of the G4MF draft that files are written in; a later one is greater.
enum class Revision : std::uint8_t { r2025_08, r2026_01, r2026_07 };

/// As files and the program call them, by Revision.
inline constexpr std::string_view revision_names[] = {"2025-08", "2026-01", "2026-07"};

}  // namespace sinew::g4mf
