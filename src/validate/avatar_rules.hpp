// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::validate {

/// Checks what is measured on an avatar (VRM 0.x, VRM 1.0): the T-pose of its bones, its place on the ground, and whether expressions move
/// a vertex. Does nothing for other files. `document`: the source of the model.
void check_avatar(const Model& model, const document::Document& document, FindingSink& sink);

/// Checks what is measured on KHR_character: whether expressions begin at the stored state, and the arms of a TPose.
void check_character(const Model& model, const document::Document& document, FindingSink& sink);

}  // namespace sinew::validate
