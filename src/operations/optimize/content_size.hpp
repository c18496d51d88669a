// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>

#include "document/files/file.hpp"

namespace sinew::operations {

/// The size of the JSON text and the buffers, whatever the container.
[[nodiscard]] std::uint64_t content_size(const document::Document& document);

/// The size of a file and of the files with its buffers.
[[nodiscard]] std::uint64_t stored_size(const std::filesystem::path& path, const document::OpenOptions& open);

}  // namespace sinew::operations
