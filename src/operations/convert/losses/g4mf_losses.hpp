// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Tells what of a G4MF document no model holds, so that it is lost in another format: lists such as textures and shapes, what hangs on
/// nodes beside meshes, what materials say beside factors, extensions, extras and comments.
void report_not_in_model(const document::Document& document, FindingSink& losses);

}  // namespace sinew::operations
