// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"

#include "sinew/animate.hpp"
#include "sinew/deform.hpp"
#include "sinew/model.hpp"

namespace app {

/// The options that select the states of a model.
struct PoseOptions {
  std::string animation;
  std::optional<double> time;
  std::optional<std::size_t> frames;
  std::optional<double> fps;
  std::string pose;
  std::vector<std::string> blends;
  bool looping = false;  ///< `frames` are played again and again: the clip's end, which is the next beginning, is none of them

  /// Returns whether there is a sequence of frames.
  [[nodiscard]] bool many() const { return frames || fps; }
};

/// Finds an animation by name or index, as find_by_name.
[[nodiscard]] sinew::Result<sinew::Index> find_clip(std::string_view wanted, const sinew::Model& model);

/// --animation alone, --time alone, --pose and --blend alone, and all: --animation, --time, --frames, --fps, --pose and --blend.
void add_clip(Command command, PoseOptions& posing);
Option add_time(Command command, PoseOptions& posing);
void add_overrides(Command command, PoseOptions& posing);
void add_posing(Command command, PoseOptions& posing);

/// Checks options that are wrong for every model.
[[nodiscard]] std::optional<std::string> contradiction(const PoseOptions& posing, const std::string& input);

/// The state of one frame: the clip, then the pose file, then --blend (the order of overrides in docs/semantics.md). Refers to the model.
struct Poser {
  const sinew::Model& model;
  const sinew::Clip* clip = nullptr;
  sinew::Pose base;  ///< the file's own state, or the default bind pose
  sinew::PoseEdit file;
  sinew::PoseEdit blends;
  std::vector<double> times;          ///< of the frames, at least one
  sinew::Index played = sinew::none;  ///< the clip, if nothing overrides it

  [[nodiscard]] sinew::Result<> at(double time, sinew::Pose& pose) const;
};
/// Fails with Failure::usage for options that do not fit the model, and for a broken scene.
[[nodiscard]] sinew::Result<Poser> make_poser(const PoseOptions& posing, const sinew::Model& model, sinew::Index scene,
                                              const Terminal& terminal);

/// Failure::usage if --revision was given for a model without revisions.
[[nodiscard]] sinew::Result<> check_revision(const sinew::Model& model, const Common& common);

/// A model with its requested poses.
struct PosedModel {
  std::unique_ptr<const Loaded> loaded;  ///< the poser refers to its model
  sinew::Index scene = sinew::none;
  Poser poser;

  [[nodiscard]] const sinew::Model& model() const { return loaded->model; }
};
/// Loads the model, finds the scene of --scene, makes the poser; then warns of what is broken elsewhere.
[[nodiscard]] sinew::Result<PosedModel> load_posed(const std::string& input, const PoseOptions& posing, const Common& common);

/// --debug-joint and --stage: one joint's matrix alone (deform::StageOfJoint).
struct StageChoice {
  std::string joint;  ///< by its node's name or its number in the skin; empty: all as usual
  sinew::deform::Stage stage = sinew::deform::Stage::joint;
};
void add_stage(Command command, StageChoice& choice);
[[nodiscard]] sinew::Result<std::optional<sinew::deform::StageOfJoint>> find_stage(const StageChoice& choice, const sinew::Model& model);

/// How many patterns such as "%04d" a name has, and the name with the number of a frame in the place of the first; nothing where there is
/// no such pattern.
[[nodiscard]] std::size_t pattern_count(const std::string& text);
[[nodiscard]] std::optional<std::string> frame_name(const std::string& text, std::size_t frame);

/// Failure::limit where the moved vertices of a scene's instances do not fit into --max-memory: a node is a few bytes of a file, the mesh
/// that it shows again millions of vertices.
[[nodiscard]] sinew::Result<> check_scene_memory(const sinew::Model& model, sinew::Index scene, const Common& common);

/// Prints one line for each broken object that the result does not need, and for each finding that may affect it.
void warn(const Loaded& loaded, const Common& common);

}  // namespace app
