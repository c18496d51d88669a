// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/validate.hpp"

namespace sinew::validate {

/// The dialects that a file says it follows and that its reader does not check: by the extensions that it uses.
[[nodiscard]] std::vector<SkeletonDialect> declared_dialects(const Model& model);

/// Holds the skeletons of a model against a dialect's rules. Nothing is said of a file that is of the dialect already and whose reader
/// checks it (STAIK_skeletons, G4MF). `document`: what the model was read from.
void check_skeletons(const Model& model, const document::Document& document, SkeletonDialect dialect, FindingSink& sink);

}  // namespace sinew::validate
