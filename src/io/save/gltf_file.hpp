// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "sinew/result.hpp"

namespace sinew::io {

/// The .bin beside a .gltf: its name says its content, so an older one is never replaced by anything else.
[[nodiscard]] std::filesystem::path bin_path(const std::filesystem::path& gltf, std::span<const std::byte> content);
/// How the .gltf names it.
[[nodiscard]] std::string bin_uri(const std::filesystem::path& bin);
/// Writes the .gltf, and before it the .bin unless `bin` is empty, so that no moment has the one without the other.
[[nodiscard]] Result<> write_gltf(const std::filesystem::path& gltf, std::string_view json, const std::filesystem::path& bin,
                                  std::span<const std::byte> content);

}  // namespace sinew::io
