// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "base/exceptions.hpp"

namespace sinew {

// What the message of SINEW_LEFT_OUT says to build with. sinew.cpp (scripts/make_single) has no switches.
#ifdef SINEW_ONE_SOURCE
inline constexpr std::string_view draco_switch = "CMake and SINEW_DRACO";
inline constexpr std::string_view g4mf_switch = "CMake and SINEW_G4MF";
#else
#ifdef SINEW_NO_EXCEPTIONS
inline constexpr std::string_view draco_switch = "SINEW_EXCEPTIONS=ON and SINEW_DRACO";
#else
inline constexpr std::string_view draco_switch = "SINEW_DRACO";
#endif
inline constexpr std::string_view g4mf_switch = "SINEW_G4MF";
#endif

}  // namespace sinew
