// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/revise/revise_binding.hpp"

namespace sinew::g4mf {

/// Blend shapes from 2026-01 to 2026-07: what counts through the instances of all surfaces is said surface by surface, in rows of their
/// bindings.
[[nodiscard]] Checked<> blend_to_2026_07(Revising& revising, JsonValue blend, const std::vector<SurfaceLayout>& layouts,
                                         const std::vector<SurfaceBindings>& bindings, JsonEdit& edit);
/// And back: a row moves every corner that has it.
[[nodiscard]] Checked<> blend_to_2026_01(Revising& revising, JsonValue blend, const std::vector<SurfaceLayout>& layouts, JsonEdit& edit);

}  // namespace sinew::g4mf
