// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "g4mf/read/read.hpp"

namespace sinew::g4mf {

/// Checks every rule of G4MF, and reads the document. Files that require an extension which is not supported are checked and read all the
/// same.
[[nodiscard]] Result<Model> check(std::shared_ptr<const document::Document> document, FindingSink& sink, const ReadOptions& options = {});

}  // namespace sinew::g4mf
