// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/reading.hpp"

namespace sinew::gltf {

/// Reads version, generator and the lists of extensions. Refuses (Failure::unsupported) other major versions and, with Checks::safety,
/// required extensions that are not supported.
[[nodiscard]] Checked<> read_asset(Reading& reading);

}  // namespace sinew::gltf
