// SPDX-License-Identifier: MIT
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <utility>

namespace sinew::batch {

/// Device and number of a regular file: the same for all its names.
using FileId = std::pair<dev_t, ino_t>;

[[nodiscard]] inline std::optional<FileId> id_of(const std::filesystem::path& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileId(status.st_dev, status.st_ino);
}

}  // namespace sinew::batch
