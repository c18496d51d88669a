// SPDX-License-Identifier: MIT
#pragma once

#include "model/bones.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::validate {

/// Rules that no format states and that are true of any rig: how skins are bound, what joints and weights look like. One finding
/// per skin, mesh or bone, with the worst value; never an error. Entities with a defect are passed over.
void check_model(const Model& model, FindingSink& sink);

/// The parts of it, one per file.
void check_bones(const Model& model, FindingSink& sink);
void check_skins(const Model& model, FindingSink& sink);

}  // namespace sinew::validate
