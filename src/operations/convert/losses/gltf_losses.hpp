// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Reports data of a glTF document that models do not contain, so conversion to G4MF loses it: cameras, extras, extensions.
/// with_gltf_materials reports losses of materials.
void report_left_behind(const document::Document& gltf, const Model& model, FindingSink& losses);

}  // namespace sinew::operations
