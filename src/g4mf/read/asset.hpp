// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/read/reading.hpp"

namespace sinew::g4mf {

/// Reads dimension, generator and the lists of extensions. Refuses files without a usable dimension and those above Limits::dimension
/// (Failure::limit).
[[nodiscard]] Checked<> read_asset(Reading& reading);
/// The names of required extensions that no part of the reader knows.
[[nodiscard]] std::vector<JsonValue> unsupported_extensions(const Reading& reading);
/// Refuses files that require such an extension (Failure::unsupported).
[[nodiscard]] Checked<> require_support(Reading& reading);

}  // namespace sinew::g4mf
