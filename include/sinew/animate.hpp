// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/model.hpp"

namespace sinew::animate {

/// Writes the state of `clip` at `seconds` into `pose`. Nodes and amounts without tracks keep their values in `pose`, so start from
/// model.rest(). Times are clamped to the keys. At the time of a key the result is exactly the value of that key. Interpolation follows
/// appendix C of the glTF specification, in double precision. Rotors (Track::quaternions false) use slerp (geometry.hpp); cubic splines of
/// rotors are only normalised. If the node of a track has a `basis`, the translation, rotation and scale of the rest pose replace the
/// basis. Allocates at most once per list. Precondition: the clip has no defect (closure_defect).
void sample(const Model& model, const Clip& clip, double seconds, Pose& pose);

/// Returns for each node whether it and all nodes above it are shown at a time of a clip (Clip::visibility); nullptr: as stored.
[[nodiscard]] std::vector<bool> visible_nodes(const Model& model, const Clip* clip, double seconds);
/// Makes what a clip shows at a time the stored visibility of its nodes.
void show_at(Model& model, const Clip& clip, double seconds);
/// Returns the times at which a clip may show or hide nodes, ascending: 0 and all keys. Nothing changes between them.
[[nodiscard]] std::vector<double> visibility_times(const Clip& clip);

/// Returns the times of `frames` samples from 0 to the duration, both included. One frame: time 0.
[[nodiscard]] std::vector<double> frame_times(double duration, std::size_t frames);
/// Returns k / fps for k = 0 … ⌊duration · fps + 1e-6⌋.
[[nodiscard]] std::vector<double> frame_times_at(double duration, double fps);

}  // namespace sinew::animate
