// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"

#include "sinew/animate.hpp"
#include "sinew/deform.hpp"
#include "sinew/model.hpp"

namespace app {

/// The options --expression and --constraints.
struct AvatarOptions {
  enum class Constraints : std::uint8_t { on, off };
  std::vector<std::string> expressions;
  Constraints constraints = Constraints::on;
};
void add_avatar(Command command, AvatarOptions& avatar);
/// Removes the constraints of the model if the options say so, and returns the expressions. Failure::usage if the model lacks one.
[[nodiscard]] sinew::Result<std::vector<sinew::animate::ExpressionAmount>> prepare_avatar(const AvatarOptions& avatar, sinew::Model& model);
/// Does the same, and turns the expressions on in the stored pose.
[[nodiscard]] sinew::Result<> set_avatar(const AvatarOptions& avatar, sinew::Model& model);

/// The options that select the states of a model.
struct PoseOptions {
  std::string animation;
  std::optional<double> time;
  std::optional<std::size_t> frames;
  std::optional<double> fps;
  std::string pose;
  std::vector<std::string> blends;
  AvatarOptions avatar;
  bool looping = false;  ///< `frames` repeat: the end of the clip equals its start and is left out

  /// Returns whether there is a sequence of frames.
  [[nodiscard]] bool many() const { return frames || fps; }
};

/// Add options: --animation; --time; --pose, --blend, --expression and --constraints; and all of these with --frames and --fps.
void add_clip(Command command, PoseOptions& posing);
Option add_time(Command command, PoseOptions& posing);
void add_overrides(Command command, PoseOptions& posing, Common& common);
void add_posing(Command command, PoseOptions& posing, Common& common);

/// Checks options that are wrong for every model.
[[nodiscard]] std::optional<std::string> contradiction(const PoseOptions& posing, const std::string& input);

/// Computes the pose of a frame: the clip, then the pose file, then --expression, then --blend, and last the constraints of nodes (the
/// order of overrides in docs/semantics.md). Refers to the model.
struct Poser {
  const sinew::Model& model;
  const sinew::Clip* clip = nullptr;
  sinew::Pose base;  ///< the stored pose, or the default bind pose
  sinew::PoseEdit file;
  std::vector<sinew::animate::ExpressionAmount> expressions;
  sinew::PoseEdit blends;
  std::vector<double> times;          ///< of the frames, at least one
  sinew::Index played = sinew::none;  ///< the clip, if nothing overrides it

  [[nodiscard]] sinew::Result<> at(double time, sinew::Pose& pose) const;
};
/// Failure::usage if the options do not fit the model or the scene is broken. Removes the model's constraints if the options say so.
[[nodiscard]] sinew::Result<Poser> make_poser(const PoseOptions& posing, sinew::Model& model, sinew::Index scene, const Terminal& terminal);

/// Failure::usage if --revision was given for a model without revisions.
[[nodiscard]] sinew::Result<> check_revision(const sinew::Model& model, const Common& common);

/// A model with its requested poses.
struct PosedModel {
  std::unique_ptr<Loaded> loaded;  ///< the poser refers to its model. Nodes are shown or hidden as at the first time
  sinew::Index scene = sinew::none;
  Poser poser;

  [[nodiscard]] const sinew::Model& model() const { return loaded->model; }
};
/// Loads the model, finds the scene of --scene and makes the poser. Then warns about other broken parts.
[[nodiscard]] sinew::Result<PosedModel> load_posed(const std::string& input, const PoseOptions& posing, const Common& common);

/// The options --debug-joint and --stage: one joint's matrix alone (deform::StageOfJoint).
struct StageChoice {
  std::string joint;  ///< the name of its node or its number in the skin; empty: not used
  sinew::deform::Stage stage = sinew::deform::Stage::joint;
};
void add_stage(Command command, StageChoice& choice);
[[nodiscard]] sinew::Result<std::optional<sinew::deform::StageOfJoint>> find_stage(const StageChoice& choice, const sinew::Model& model);

/// `pattern_count` returns the number of patterns such as "%04d" in a name. `frame_name` replaces the first one by a frame number; nothing
/// if there is none.
[[nodiscard]] std::size_t pattern_count(const std::string& text);
[[nodiscard]] std::optional<std::string> frame_name(const std::string& text, std::size_t frame);
/// Returns the number of the frame that has this name, or nothing.
[[nodiscard]] std::optional<std::size_t> frame_in(const std::string& name, const std::string& text);
/// A name with a pattern stands for names that the program makes.
[[nodiscard]] inline sinew::OutputName output_name(const std::string& text) {
  return pattern_count(text) == 0 ? sinew::OutputName::given : sinew::OutputName::made;
}

inline constexpr std::uint64_t steps_per_drawn_surface = 80'000;  ///< of a driver that draws on the processor

/// Failure::limit if the surfaces of all instances of a scene, with so many steps each, exceed the limit of work for the model's file.
[[nodiscard]] sinew::Result<> check_surfaces(const sinew::Model& model, sinew::Index scene, std::uint64_t steps_each);

/// Failure::limit if the deformed vertices of a scene's instances exceed --max-memory or the limit of work. A node of a few bytes can
/// repeat a mesh with millions of vertices.
[[nodiscard]] sinew::Result<> check_scene_memory(const sinew::Model& model, sinew::Index scene, const Common& common);

/// A model and the scene of --scene.
struct LoadedScene : Loaded {
  sinew::Index scene = sinew::none;
};
/// Loads a model to deform the instances of a scene: also checks --revision and check_scene_memory.
[[nodiscard]] sinew::Result<LoadedScene> load_scene(const std::string& path, const Common& common);

/// Prints one line for each broken object that the result does not need, and for each finding that may affect it.
void warn(const Loaded& loaded, const Common& common);

}  // namespace app
