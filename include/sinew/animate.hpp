// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::animate {

/// Writes the state of `clip` at `seconds` into `pose`. Nodes and amounts without tracks keep their values in `pose`, so start from
/// model.rest(). Times are clamped to the keys. At the time of a key the result is exactly the value of that key. Interpolation follows
/// appendix C of the glTF specification, in double precision. Rotors (Track::quaternions false) use slerp (geometry.hpp); cubic splines of
/// rotors are only normalised. If the node of a track has a `basis`, the translation, rotation and scale of the rest pose replace the
/// basis. Nodes that follow others then do so (constrain). Allocates at most once per list. Precondition: the clip has no defect
/// (closure_defect).
[[nodiscard]] Result<> sample(const Model& model, const Clip& clip, double seconds, Pose& pose);

/// An expression of Model::avatar, and how far it is on.
struct ExpressionAmount {
  Index expression = none;
  double amount = 0;  ///< 0 to 1
};

/// Finds an expression by the name that the file uses ("Joy"), that of VRM 1.0 ("happy") or an index, as find_by_name.
[[nodiscard]] Result<Index> find_expression(std::string_view wanted, const Model& model);
/// Parses "EXPRESSION=AMOUNT" (--expression of the program). Failure::usage if the model has no such expression or the amount is not from
/// 0 to 1.
[[nodiscard]] Result<ExpressionAmount> parse_expression(std::string_view text, const Model& model);

/// Turns on expressions together in a pose; of equal ones the last counts. VRM: the amounts of every blend shape that any expression
/// binds are 0, then each expression adds its binds, turned down by the overrides of the others; a binary one is on above 0.5 if nothing
/// turns it down. KHR_character: each shows its clip at amount · duration. Without expressions nothing changes. Materials do not change.
/// The rule: VRM 1.0, expressions.md, "Overrides"; KHR_character_expression, draft C.
[[nodiscard]] Result<> express(const Model& model, std::span<const ExpressionAmount> amounts, Pose& pose);

/// Where an avatar looks, in degrees from straight ahead: to its own left, and down.
struct Gaze {
  double left = 0, down = 0;
};
/// Turns the eyes of an avatar whose eyes are bones (Avatar::look_at), on top of the pose. The rule: VRM 1.0, lookAt.md; for VRM 0.x alike,
/// without its curves. Without such eyes nothing changes.
[[nodiscard]] Result<> look(const Model& model, const Gaze& gaze, Pose& pose);
/// Returns what an avatar whose eyes are expressions turns on to look there: pass it to `express` with the other expressions.
[[nodiscard]] Result<std::vector<ExpressionAmount>> look_expressions(const Model& model, const Gaze& gaze);

/// Returns for each node whether it and all nodes above it are shown at a time of a clip (Clip::visibility); nullptr: as stored.
[[nodiscard]] Result<std::vector<bool>> visible_nodes(const Model& model, const Clip* clip, double seconds);
/// Makes what a clip shows at a time the stored visibility of its nodes.
[[nodiscard]] Result<> show_at(Model& model, const Clip& clip, double seconds);
/// Returns the times at which a clip may show or hide nodes, ascending: 0 and all keys. Nothing changes between them.
[[nodiscard]] Result<std::vector<double>> visibility_times(const Clip& clip);

/// Returns the times of `frames` samples from 0 to the duration, both included. One frame: time 0.
[[nodiscard]] Result<std::vector<double>> frame_times(double duration, std::size_t frames);
/// Returns k / fps for k = 0 … ⌊duration · fps + 1e-6⌋.
[[nodiscard]] Result<std::vector<double>> frame_times_at(double duration, double fps);

}  // namespace sinew::animate
