// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Returns the document with this scene as its default one; none: the document itself. A G4MF file is one scene. Failure::usage: there is
/// no such scene.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> with_scene(const std::shared_ptr<const document::Document>& document,
                                                                           Index scene);

}  // namespace sinew::operations
