// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace sinew {

/// The names of axes (G4MF): after w the alphabet runs backwards.
inline constexpr std::string_view axis_letters = "xyzwvutsrqponmlk";

}  // namespace sinew
