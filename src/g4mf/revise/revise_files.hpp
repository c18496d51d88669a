// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/revise/revising.hpp"

namespace sinew::g4mf {

/// The models and the images of textures become files of the document, which are named by their places.
void files_to_2026_07(Revising& revising);
/// And back; the thumbnail goes.
[[nodiscard]] Checked<> files_to_2026_01(Revising& revising);

}  // namespace sinew::g4mf
