// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::document {

/// Opens a file in memory. Messages use `path`; relative URIs start at its folder ("-": they are refused).
[[nodiscard]] Result<std::shared_ptr<const Document>> from_bytes(Bytes file, const std::filesystem::path& path, const OpenOptions& options,
                                                                 FindingSink& sink);

}  // namespace sinew::document
