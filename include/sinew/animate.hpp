// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/model.hpp"

namespace sinew::animate {

/// Writes the state of `clip` at `seconds` into `pose` (nodes and amounts that the clip does not move keep what `pose` holds; start from
/// model.rest()). Keys clamp; exactly at a key that value; interpolation in double precision as the glTF specification's appendix C says.
/// Rotors (Track::quaternions false) are interpolated as rotations (slerp in geometry.hpp); cubic splines of them are only normalised.
/// A channel whose node has a `basis` replaces it by translation, rotation and scale of the rest. Allocates at most once per list.
/// Precondition: the clip has no defect (closure_defect).
void sample(const Model& model, const Clip& clip, double seconds, Pose& pose);

/// Times of `frames` samples from 0 to the duration, both included; one frame: 0.
[[nodiscard]] std::vector<double> frame_times(double duration, std::size_t frames);
/// k / fps for k = 0 … ⌊duration · fps + 1e-6⌋.
[[nodiscard]] std::vector<double> frame_times_at(double duration, double fps);

}  // namespace sinew::animate
