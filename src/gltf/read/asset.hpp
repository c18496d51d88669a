// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/read/reading.hpp"

namespace sinew::gltf {

struct Version {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  friend auto operator<=>(const Version&, const Version&) = default;
};
/// "MAJOR.MINOR"; nothing for any other text.
[[nodiscard]] std::optional<Version> parse_version(const std::string& text);

/// Reads version, generator and the lists of extensions. Refuses (Failure::unsupported) other major versions and, with Checks::safety,
/// required extensions that are not supported.
[[nodiscard]] Checked<> read_asset(Reading& reading);

}  // namespace sinew::gltf
