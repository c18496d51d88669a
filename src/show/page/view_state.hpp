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

  /// A node turned about its own origin in a plane of the world: two orthonormal axes, from one towards the other.
  struct Swing {
    Index node = none;
    std::vector<double> from, to;
    double degrees = 0;
  };

  Index clip = none;
  double time = 0;     ///< seconds
  bool bound = false;  ///< start from the rest pose of findings (Viewer::bind) instead of the stored pose and the clip
  std::optional<Swing> swing;
  std::vector<Turn> turns;
  std::vector<AmountEdit> amounts;
  std::vector<animate::ExpressionAmount> expressions;
  std::optional<animate::Gaze> gaze;
  ProjectionChoice look;
  bool box = false;  ///< show the box that contains the whole clip
};

/// `{"clip": INDEX|null, "time": SECONDS, "bound": true|false, "swing": {"node": INDEX, "from": [N], "to": [N], "degrees": NUMBER},
/// "turns": {NODE: [DEGREES…]}, "amounts": {NODE: {SHAPE: AMOUNT}}, "expressions": {INDEX: AMOUNT}, "gaze": [LEFT, DOWN] in degrees,
/// "look": {"kind": "perspective"|"orthographic"|"slice", "turns": [DEGREES…], "offsets": [NUMBER…]}, "box": true|false}`, nodes and shapes
/// by index. Every member is optional; unknown members are ignored. Failure::usage for values that do not fit the model.
[[nodiscard]] Result<ViewState> read_state(std::string_view json, const Model& model);

/// The poses that states start from.
struct StartPoses {
  Pose base;
  PoseEdit edit;              ///< after the clip
  std::optional<Pose> bound;  ///< the rest pose of findings
};

/// Computes the pose of a state: the base, the clip and the edit, or the rest pose of findings with the swing; then the rotations, gaze,
/// expressions and amounts of the state. Failure::usage if there is no such rest pose.
[[nodiscard]] Result<Pose> pose_at(const Model& model, const StartPoses& start, const ViewState& state);

/// Writes a pose file (docs/poses.md) that turns the stored pose into `pose`: the differences, with exact numbers.
[[nodiscard]] std::string pose_text(const Model& model, const Pose& pose);
/// Writes an edit as a pose file, with nodes and shapes by index.
[[nodiscard]] std::string edit_text(const PoseEdit& edit);

}  // namespace sinew::show
