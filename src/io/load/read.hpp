// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sinew/document.hpp"
#include "sinew/load.hpp"
#include "sinew/model.hpp"

namespace sinew::io {

/// What `load` does with a document that is open; `options.open` is not looked at. std::bad_alloc may leave it.
[[nodiscard]] Result<Model> read(std::shared_ptr<const document::Document> document, const LoadOptions& options, FindingSink& sink);

}  // namespace sinew::io
