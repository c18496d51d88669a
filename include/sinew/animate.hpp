// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/model.hpp"

namespace sinew::animate {

/// Writes the state of `clip` at `seconds` into `pose`. Nodes and amounts without tracks keep their values in `pose`, so start from
/// model.rest(). Times are clamped to the keys. At the time of a key the result is exactly the value of that key. Interpolation follows
/// appendix C of the glTF specification, in double precision. Rotors (Track::quaternions false) use slerp (geometry.hpp); cubic splines of
/// rotors are only normalised. If the node of a track has a `basis`, the translation, rotation and scale of the rest pose replace the
/// basis. Allocates at most once per list. Precondition: the clip has no defect (closure_defect).
void sample(const Model& model, const Clip& clip, double seconds, Pose& pose);

/// Returns the times of `frames` samples from 0 to the duration, both included. One frame: time 0.
[[nodiscard]] std::vector<double> frame_times(double duration, std::size_t frames);
/// Returns k / fps for k = 0 … ⌊duration · fps + 1e-6⌋.
[[nodiscard]] std::vector<double> frame_times_at(double duration, double fps);

}  // namespace sinew::animate
