// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Returns the clothes, a thing to hold (a sword, a staff), as a hand of the body holds them when it carries them: their origin in the
/// palm, their longest way from the origin out of the side of the thumb, the next longest along the fingers. Their root nodes get their
/// places relative to the hand without its scale. Failure::usage: `hand` is no hand of a humanoid; Failure::unsupported: other than three
/// dimensions, or nothing that is drawn.
[[nodiscard]] Result<Model> held_by(const Model& body, Index hand, const Model& clothes, unsigned threads);

/// Returns the clothes `factor` times as large.
[[nodiscard]] Model scaled(const Model& clothes, double factor);

}  // namespace sinew::operations
