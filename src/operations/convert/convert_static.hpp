// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sinew/convert.hpp"

namespace sinew::operations {

/// Writes a model at rest after ConvertOptions::slices and `project`, as a static file. `losses`: one finding each with the number of
/// joints, clips and blend shapes, and data that the file cannot store.
[[nodiscard]] Result<Written> convert_static(const std::shared_ptr<const document::Document>& document, const std::filesystem::path& to,
                                             const ConvertOptions& options, FindingSink& sink, FindingSink& losses);

}  // namespace sinew::operations
