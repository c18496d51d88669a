// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sinew/document.hpp"
#include "sinew/load.hpp"
#include "sinew/model.hpp"

namespace sinew::io {

/// Implements `load` for an open document; ignores `options.open`. May throw std::bad_alloc.
[[nodiscard]] Result<Model> read(const std::shared_ptr<const document::Document>& document, const LoadOptions& options, FindingSink& sink);

}  // namespace sinew::io
