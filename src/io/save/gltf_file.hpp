// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "sinew/result.hpp"

namespace sinew::io {

/// Returns the path of the .bin beside a .gltf. The name contains a hash of the content, so it never replaces a file with other content.
[[nodiscard]] std::filesystem::path bin_path(const std::filesystem::path& gltf, std::span<const std::byte> content);
/// Returns the URI of the .bin in the .gltf.
[[nodiscard]] std::string bin_uri(const std::filesystem::path& bin);
/// The file to write.
struct Target {
  const std::filesystem::path& path;
  OutputName name = OutputName::given;
};

/// Writes the .bin (unless `bin` is empty), then the .gltf, so that the .gltf never exists without its .bin.
[[nodiscard]] Result<> write_gltf(const Target& gltf, std::string_view json, const std::filesystem::path& bin,
                                  std::span<const std::byte> content);

}  // namespace sinew::io
