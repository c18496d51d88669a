// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/revise/revising.hpp"

namespace sinew::g4mf {

/// Texts after 2025-08 demand that all simplexes of a polytope face the same way: those that do not are turned around, and where values of
/// their corners stand in the way of that or they lie askew, the surface is one of single simplexes from now on.
[[nodiscard]] Checked<> orient_polytopes(Revising& revising);

}  // namespace sinew::g4mf
