// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sinew/convert.hpp"

namespace sinew::operations {

/// Writes what ConvertOptions::slices and `project` leave of a model at rest, which is static. `losses`: joints, clips and blend shapes,
/// one finding each with their count, and what the file cannot hold.
[[nodiscard]] Result<Written> convert_static(const std::shared_ptr<const document::Document>& document, const std::filesystem::path& to,
                                             const ConvertOptions& options, FindingSink& sink, FindingSink& losses);

}  // namespace sinew::operations
