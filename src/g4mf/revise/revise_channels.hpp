// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/revise/revise_binding.hpp"

namespace sinew::g4mf {

/// The surfaces of all meshes, by mesh; empty where there are none.
using Layouts = std::vector<std::vector<SurfaceLayout>>;

/// The values of material channels from 2026-01 to 2026-07: accessors that all surfaces of a material share become bindings as long as the
/// largest of them needs.
[[nodiscard]] Checked<> channels_to_2026_07(Revising& revising, const Layouts& layouts);
/// And back.
[[nodiscard]] Checked<> channels_to_2026_01(Revising& revising);

}  // namespace sinew::g4mf
