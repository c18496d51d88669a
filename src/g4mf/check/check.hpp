// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "g4mf/read/read.hpp"

namespace sinew::g4mf {

/// Reads the document and checks every rule of G4MF. Files that require an unsupported extension are checked and read, too.
[[nodiscard]] Result<Model> check(std::shared_ptr<const document::Document> document, FindingSink& sink, const ReadOptions& options = {});

}  // namespace sinew::g4mf
