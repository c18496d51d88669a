// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/schema/data/reader.hpp"

namespace sinew::g4mf {

/// Reads dimension, generator and the lists of extensions. Refuses a missing or invalid dimension, and one above Limits::dimension
/// (Failure::limit).
[[nodiscard]] Checked<> read_asset(Reader& reader);
/// Returns the required extensions that no part of the reader knows.
[[nodiscard]] std::vector<JsonValue> unsupported_extensions(const Reader& reader);
/// Refuses files that require such an extension (Failure::unsupported).
[[nodiscard]] Checked<> require_support(Reader& reader);

}  // namespace sinew::g4mf
