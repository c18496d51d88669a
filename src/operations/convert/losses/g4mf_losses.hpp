// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Reports data of a G4MF document that models do not contain, so conversion loses it: lists such as textures and shapes, components of
/// nodes other than meshes, data of materials other than factors, extensions, extras and comments.
void report_not_in_model(const document::Document& document, FindingSink& losses);

}  // namespace sinew::operations
