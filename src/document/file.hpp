// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "sinew/document.hpp"
#include "sinew/limits.hpp"
#include "sinew/result.hpp"

namespace sinew::document {

/// The bytes of a regular file or a pipe ("-": standard input), read or mapped as `access` says. Copies are bounded by `most_copied`
/// bytes (Failure::limit). A mapping must not outlive the file's length: where others may shorten it, ask for FileAccess::copy.
/// Folders and devices are refused.
[[nodiscard]] Result<Bytes> read_file(const std::filesystem::path& path, FileAccess access, std::uint64_t most_copied);

}  // namespace sinew::document
