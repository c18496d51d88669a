// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>

#include "sinew/deform.hpp"

namespace sinew::deform {

/// Returns a pose of which the amounts are set. Its local transforms are computed on the first call, if at all. Empty: there are only world
/// transforms (Scratch::world).
struct SceneDeformer::PoseNow : std::function<const Pose&()> {
  using function::function;
};

/// Works on one pose.
struct SceneDeformer::RunOne : std::function<Result<>(std::size_t i, const Output& rows, unsigned threads, Scratch& scratch)> {
  using function::function;
};

/// Creates the work function of one thread.
struct SceneDeformer::StartOne : std::function<RunOne()> {
  using function::function;
};

}  // namespace sinew::deform
