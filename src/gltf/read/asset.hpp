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

/// Reads version, generator and the lists of extensions. Refuses other major versions (Failure::unsupported).
[[nodiscard]] Checked<> read_asset(Reading& reading);

/// Refuses files that require a newer minor version or an extension that is not supported (Failure::unsupported).
[[nodiscard]] Checked<> require_support(Reading& reading);

/// Reports extensions that are used and not applied.
void report_ignored_extensions(Reading& reading);

}  // namespace sinew::gltf
