// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/read/reading.hpp"

namespace sinew::g4mf {

/// Reads dimension, generator and the lists of extensions. Refuses files without a usable dimension, those above Limits::dimension
/// (Failure::unsupported) and, unless every rule is checked, those that require an extension (Failure::unsupported).
[[nodiscard]] Checked<> read_asset(Reading& reading);

}  // namespace sinew::g4mf
