// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::document {

/// open() of a file that is in memory already. `path` is what messages call it; its folder is where relative URIs lead ("-": nowhere).
[[nodiscard]] Result<std::shared_ptr<const Document>> from_bytes(Bytes file, const std::filesystem::path& path, const OpenOptions& options,
                                                                 FindingSink& sink);

}  // namespace sinew::document
