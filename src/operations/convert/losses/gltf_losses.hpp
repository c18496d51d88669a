// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Says what of a glTF document the model does not hold and G4MF's writer therefore leaves behind: cameras, extras, extensions. Materials
/// have losses of their own (with_gltf_materials).
void report_left_behind(const document::Document& gltf, FindingSink& losses);

}  // namespace sinew::operations
