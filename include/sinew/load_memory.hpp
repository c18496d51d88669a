// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "sinew/load.hpp"

namespace sinew::io {

/// `load` of a file that is in memory: a JSON text or a container as it would lie on the disk. The bytes are copied (Failure::limit where
/// they are more than the limit of memory). `path` is what messages call it; relative URIs lead to its folder, with "-" nowhere.
[[nodiscard]] Result<Model> load_memory(std::span<const std::byte> bytes, const std::filesystem::path& path, const LoadOptions& options,
                                        FindingSink& sink);

}  // namespace sinew::io
