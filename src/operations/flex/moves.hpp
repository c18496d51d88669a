// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/flex.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations::bend {

/// How the rest pose becomes the pose of a finding; nothing for the rest pose itself and for moments of clips.
struct Move {
  Index node = none;                ///< stress: turns about its own origin, by FlexPose::degrees
  std::vector<double> from, to;     ///< stress: two orthonormal axes in world space, N numbers each
  std::vector<AmountEdit> amounts;  ///< shape: those that are on, and those of the stored pose that are off
};

/// The poses of a report: with them the library deforms the model as the checks saw it.
struct Moves {
  Pose rest;             ///< joints as their skins bind them, all else as stored
  std::vector<Move> of;  ///< by finding
};

/// Precondition: a report of the same model and scene. Fails like flex.
[[nodiscard]] Result<Moves> moves_of(const Model& model, const FlexReport& report, Index scene, unsigned threads);

}  // namespace sinew::operations::bend
