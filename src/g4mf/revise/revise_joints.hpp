// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/revise/revising.hpp"

namespace sinew::g4mf {

/// What texts after 2025-08 demand of skeletons: joints in ascending order of their nodes, parents before children, a single root bone as
/// the first child. The groups of skins follow; a mesh under skeletons that disagree becomes several. Nodes get other numbers only where
/// a bone stands before its parent.
[[nodiscard]] Checked<> sort_joints(Revising& revising);

}  // namespace sinew::g4mf
