// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/animate.hpp"
#include "sinew/model.hpp"

namespace sinew::show {

/// Planes of rotation of N-space, in the order of a rotor's bivectors: xy, xz, yz, xw, …
struct Plane {
  std::size_t from = 0, to = 1;  ///< axes; a rotation turns `from` towards `to`
};
[[nodiscard]] std::vector<Plane> planes_of(std::size_t dimension);

/// The view of more than three dimensions.
struct ProjectionChoice {
  enum class Kind : std::uint8_t { perspective, orthographic, slice };
  Kind kind = Kind::perspective;
  std::vector<double> turns;    ///< of the model around its centre before flattening, in radians per plane; empty: none
  std::vector<double> offsets;  ///< of a slice: positions of the cuts along the hidden axes, from the fourth on
};

/// The choices on the page: a time of a clip, additional rotations of bones, and blend amounts.
struct ViewState {
  /// A node turned about its own axes: one angle in radians per plane, the last plane first (its turn is the innermost).
  struct Turn {
    Index node = none;
    std::vector<double> angles;
  };

  Index clip = none;
  double time = 0;  ///< seconds
  std::vector<Turn> turns;
  std::vector<AmountEdit> amounts;
  std::vector<animate::ExpressionAmount> expressions;
  std::optional<animate::Gaze> gaze;
  ProjectionChoice look;
  bool box = false;  ///< show the box that contains the whole clip
};

/// `{"clip": INDEX|null, "time": SECONDS, "turns": {NODE: [DEGREES…]}, "amounts": {NODE: {SHAPE: AMOUNT}}, "expressions": {INDEX: AMOUNT},
/// "gaze": [LEFT, DOWN] in degrees, "look": {"kind": "perspective"|"orthographic"|"slice", "turns": [DEGREES…], "offsets": [NUMBER…]},
/// "box": true|false}`, nodes and shapes by index. Every member is optional; unknown members are ignored. Failure::usage for values that do
/// not fit the model.
[[nodiscard]] Result<ViewState> read_state(std::string_view json, const Model& model);

/// Computes the pose of a state: `base`, then the clip, then `edit`, then the rotations, gaze, expressions and amounts of the state.
[[nodiscard]] Result<Pose> pose_at(const Model& model, const Pose& base, const PoseEdit& edit, const ViewState& state);

/// Writes a pose file (docs/poses.md) that turns the stored pose into `pose`: the differences, with exact numbers.
[[nodiscard]] std::string pose_text(const Model& model, const Pose& pose);
/// Writes an edit as a pose file, with nodes and shapes by index.
[[nodiscard]] std::string edit_text(const PoseEdit& edit);

}  // namespace sinew::show
