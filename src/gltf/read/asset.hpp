// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/read/reader.hpp"

namespace sinew::gltf {

struct Version {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  friend auto operator<=>(const Version&, const Version&) = default;
};
/// Parses "MAJOR.MINOR". Returns nothing for any other text.
[[nodiscard]] std::optional<Version> parse_version(const std::string& text);

/// Reads version, generator and the lists of extensions. Refuses other major versions (Failure::unsupported).
[[nodiscard]] Checked<> read_asset(Reader& reader);

/// Refuses files that require a newer minor version or an extension that is not supported (Failure::unsupported).
[[nodiscard]] Checked<> require_support(Reader& reader);

/// Reports extensions that are used but not applied.
void report_ignored_extensions(Reader& reader);

}  // namespace sinew::gltf
