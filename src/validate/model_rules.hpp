// SPDX-License-Identifier: MIT
#pragma once

#include "model/bones.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::validate {

/// Checks rules that no format has and that apply to any rig: binds of skins, joints and weights. Reports one finding per skin, mesh or
/// bone, with the worst value; never an error. Skips entities with a defect.
void check_model(const Model& model, FindingSink& sink);

/// The parts of it, one per file.
void check_bones(const Model& model, FindingSink& sink);
void check_skins(const Model& model, FindingSink& sink);
/// Model::boxes: vertices outside of stored boxes, at rest and at the keys of the clips, as far as the limit of work allows. Boxes of
/// joints are not checked.
void check_boxes(const Model& model, FindingSink& sink);

}  // namespace sinew::validate
