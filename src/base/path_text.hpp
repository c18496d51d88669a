// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sinew {

/// Text of a path for messages, and back. It is UTF-8 on every system, where std::filesystem's own text is that of the locale on some.
/// Where paths are bytes, the bytes stay as they are.
[[nodiscard]] inline std::string path_text(const std::filesystem::path& path) {
  const std::u8string text = path.u8string();
  return {reinterpret_cast<const char*>(text.data()), text.size()};
}

/// The same with '/' between folders.
[[nodiscard]] inline std::string uri_path_text(const std::filesystem::path& path) {
  const std::u8string text = path.generic_u8string();
  return {reinterpret_cast<const char*>(text.data()), text.size()};
}

[[nodiscard]] inline std::filesystem::path path_of(std::string_view text) {
  return std::u8string_view(reinterpret_cast<const char8_t*>(text.data()), text.size());
}

}  // namespace sinew
