// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/validate.hpp"

namespace sinew::validate {

/// Returns the dialects that a file declares with extensions and that its reader does not check.
[[nodiscard]] std::vector<SkeletonDialect> declared_dialects(const Model& model);

/// Checks the skeletons of a model against the rules of a dialect. Does nothing for a file that declares the dialect and whose reader
/// checks it (STAIK_skeletons, G4MF). `document`: the source of the model.
void check_skeletons(const Model& model, const document::Document& document, SkeletonDialect dialect, FindingSink& sink);

}  // namespace sinew::validate
