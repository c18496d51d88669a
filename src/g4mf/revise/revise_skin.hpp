// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/revise/revise.hpp"
#include "g4mf/revise/revising.hpp"

namespace sinew::g4mf {

/// Drops or writes the names of the groups of all skins; those for which that is not possible are warnings in the losses.
void revise_group_names(Revising& revising, GroupNames wanted);

}  // namespace sinew::g4mf
