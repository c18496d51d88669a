// SPDX-License-Identifier: MIT
#include "posing.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "console/need.hpp"
#include "console/number.hpp"

#include "sinew/play.hpp"

namespace app {

namespace {

using sinew::Index;
using sinew::Model;
using sinew::Result;
using sinew::Unexpected;

constexpr std::int64_t most_frames = 1'000'000;

std::string clip_list(const Model& model) {
  if (model.clips.empty()) return "the file has no animations";
  std::string list = "animations are";
  for (std::size_t c = 0; c < model.clips.size(); ++c)
    list += fmt::format("{} {} \"{}\" ({:.6g} s)", c == 0 ? "" : ",", c, model.clips[c].name, model.clips[c].duration);
  return list;
}

Result<Index> choose_clip(const PoseOptions& posing, const Model& model) {
  if (posing.animation.empty()) {
    const char* without = posing.time ? "--time" : posing.frames ? "--frames" : posing.fps ? "--fps" : nullptr;
    if (without != nullptr) return Unexpected(usage_error(fmt::format("{} needs --animation; {}", without, clip_list(model))));
    return sinew::none;
  }
  return find_clip(posing.animation, model);
}

// In a loop, the end of the clip equals the first frame and is left out. N frames then last as long as the clip.
std::vector<double> loop_times(double duration, std::size_t frames) {
  std::vector<double> times(frames);
  for (std::size_t i = 0; i < frames; ++i) times[i] = duration * (static_cast<double>(i) / static_cast<double>(frames));
  return times;
}

std::vector<double> choose_times(const PoseOptions& posing, const sinew::Clip* clip) {
  const double duration = clip == nullptr ? 0.0 : clip->duration;
  if (posing.frames && posing.looping) return loop_times(duration, *posing.frames);
  if (posing.frames) return need(sinew::animate::frame_times(duration, *posing.frames));
  if (posing.fps) return need(sinew::animate::frame_times_at(duration, *posing.fps));
  return {posing.time.value_or(0.0)};
}

// The start, end and width of a pattern "%d", "%4d" or "%04d"; npos if there is none from `from` on.
struct Pattern {
  std::size_t begin = std::string::npos, end = 0, width = 0;
};
Pattern find_pattern(const std::string& text, std::size_t from = 0) {
  for (std::size_t at = text.find('%', from); at != std::string::npos; at = text.find('%', at + 1)) {
    std::size_t end = at + 1, width = 0;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9' && width < 100)
      width = width * 10 + static_cast<std::size_t>(text[end++] - '0');
    if (end < text.size() && text[end] == 'd' && width < 100) return {at, end + 1, width};
  }
  return {};
}

// Parses a slot number. A number that is too large matches no slot.
Index slot_number(const std::string& digits) { return number_in<Index>(digits).value_or(sinew::none - 1); }

}  // namespace

void add_clip(Command command, PoseOptions& posing) {
  command.add_option("--animation", posing.animation, "Use this clip, by name or index (name:X if the name is a number)")
      .check(not_empty())
      .type_name("NAME|INDEX");
}

void add_avatar(Command command, AvatarOptions& avatar) {
  command
      .add_option("--expression", avatar.expressions,
                  "Turn on an expression of an avatar (VRM, KHR_character), EXPRESSION=AMOUNT with an amount from 0 to 1; repeatable")
      .type_name("EXPRESSION=AMOUNT")
      .one_each();
  using Constraints = AvatarOptions::Constraints;
  add_choice<Constraints>(command, "--constraints", avatar.constraints, {{"on", Constraints::on}, {"off", Constraints::off}},
                          "Let nodes follow others by VRMC_node_constraint: on or off (default: on)", "on|off");
}

Result<std::vector<sinew::animate::ExpressionAmount>> prepare_avatar(const AvatarOptions& avatar, Model& model) {
  if (avatar.constraints == AvatarOptions::Constraints::off) {
    using Effect = sinew::NotEvaluated::Effect;
    model.avatar.constraints.clear();
    for (sinew::NotEvaluated& place : model.not_evaluated)
      if (place.effect == Effect::sampled) place.effect = Effect::pose;
  }
  std::vector<sinew::animate::ExpressionAmount> expressions;
  for (const std::string& text : avatar.expressions) {
    const auto expression = sinew::animate::parse_expression(text, model);
    if (!expression) return Unexpected(expression.error());
    expressions.push_back(*expression);
  }
  return expressions;
}

Result<> set_avatar(const AvatarOptions& avatar, Model& model) {
  const auto expressions = prepare_avatar(avatar, model);
  if (!expressions) return Unexpected(expressions.error());
  need(sinew::animate::express(model, *expressions, model.rest_pose));
  return {};
}

void add_overrides(Command command, PoseOptions& posing, Common& common) {
  common.files.reads(posing.pose);
  command.add_option("--pose", posing.pose, "Apply a pose file, or \"default\" for the default bind pose of explicit skeletons")
      .check(not_empty())
      .type_name("FILE|default");
  command.add_option("--blend", posing.blends, "Set the amount of a blend shape, [NODE:]SHAPE=AMOUNT; repeatable")
      .type_name("SHAPE=AMOUNT")
      .one_each();
  add_avatar(command, posing.avatar);
}

Option add_time(Command command, PoseOptions& posing) {
  return command.add_option("--time", posing.time, "Use this time in the clip, in seconds, clamped to its keys (default: 0)")
      .type_name("SECONDS")
      .check(finite_number());
}

void add_posing(Command command, PoseOptions& posing, Common& common) {
  add_clip(command, posing);
  auto time = add_time(command, posing);
  auto frames = command.add_option("--frames", posing.frames, "Use N equally spaced times from 0 to the end of the clip, both included")
                    .type_name("N")
                    .check(between(1, most_frames));
  const auto fps = command.add_option("--fps", posing.fps, "Use F times per second, from 0 as long as the clip lasts")
                       .type_name("F")
                       .check(finite_number());
  time.excludes(frames).excludes(fps);
  frames.excludes(fps);
  add_overrides(command, posing, common);
}

std::optional<std::string> contradiction(const PoseOptions& posing, const std::string& input) {
  if (input == "-" && posing.pose == "-") return "IN and --pose cannot both be standard input";
  if (posing.fps && !(*posing.fps > 0)) return "--fps: expected a number above zero";
  return std::nullopt;
}

Result<> Poser::at(double time, sinew::Pose& pose) const {
  pose = base;
  if (clip != nullptr) need(sinew::animate::sample(model, *clip, time, pose));
  if (auto done = sinew::apply(file, model, pose); !done) return done;
  need(sinew::animate::express(model, expressions, pose));
  if (auto done = sinew::apply(blends, model, pose); !done) return done;
  need(sinew::constrain(model, pose));
  return {};
}

Result<Poser> make_poser(const PoseOptions& posing, Model& model, Index scene, const Terminal& terminal) {
  const auto clip = choose_clip(posing, model);
  if (!clip) return Unexpected(clip.error());
  if (auto defect = sinew::closure_defect(model, scene, *clip)) return Unexpected(*defect);
  Poser poser{model, *clip == sinew::none ? nullptr : &model.clips[*clip], model.rest_pose, {}, {}, {}, {}};
  if (posing.pose.empty() && posing.blends.empty() && posing.avatar.expressions.empty()) poser.played = *clip;
  if (posing.fps && poser.clip != nullptr && poser.clip->duration * *posing.fps >= most_frames)
    return Unexpected(usage_error(fmt::format("--fps {} gives more than {} frames; use a lower rate", *posing.fps, most_frames)));
  poser.times = choose_times(posing, poser.clip);
  if (posing.pose == "default") {
    const auto posed = sinew::set_default_pose(model, poser.base);
    if (!posed) return Unexpected(posed.error());
    if (*posed == 0) terminal.talk("note: no skeleton of this file stores a default bind pose; the pose stored in the file is used");
  } else if (!posing.pose.empty()) {
    auto edit = sinew::io::load_pose_file(posing.pose, model);
    if (!edit) return Unexpected(edit.error());
    poser.file = std::move(*edit);
  }
  auto expressions = prepare_avatar(posing.avatar, model);
  if (!expressions) return Unexpected(expressions.error());
  poser.expressions = *std::move(expressions);
  for (const std::string& blend : posing.blends)
    if (auto done = sinew::parse_blend(blend, model, poser.blends); !done) return Unexpected(done.error());
  return poser;
}

void add_stage(Command command, StageChoice& choice) {
  const auto joint =
      command.add_option("--debug-joint", choice.joint, "Apply only the matrix of one joint, by node name or by its number in the skin")
          .check(not_empty())
          .type_name("J");
  using sinew::deform::Stage;
  add_choice<Stage>(command, "--stage", choice.stage, {{"inverse-bind", Stage::inverse_bind}, {"joint", Stage::joint}},
                    "Set the matrix for --debug-joint: inverse-bind or joint (default: joint)", "S")
      .needs(joint);
}

Result<std::optional<sinew::deform::StageOfJoint>> find_stage(const StageChoice& choice, const Model& model) {
  if (choice.joint.empty()) return std::nullopt;
  sinew::deform::StageOfJoint stage;
  stage.stage = choice.stage;
  if (std::all_of(choice.joint.begin(), choice.joint.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    stage.slot = slot_number(choice.joint);
    return stage;
  }
  const auto node = sinew::find_node(choice.joint, model);
  if (!node) return Unexpected(node.error());
  stage.node = *node;
  return stage;
}

std::size_t pattern_count(const std::string& text) {
  std::size_t count = 0;
  for (Pattern found = find_pattern(text); found.begin != std::string::npos; found = find_pattern(text, found.end)) ++count;
  return count;
}

// Inserts a frame number into "out%04d.ply", padded with zeros; nothing if there is no such pattern.
std::optional<std::string> frame_name(const std::string& text, std::size_t frame) {
  const Pattern pattern = find_pattern(text);
  if (pattern.begin == std::string::npos) return std::nullopt;
  return fmt::format("{}{:0{}}{}", text.substr(0, pattern.begin), frame, pattern.width, text.substr(pattern.end));
}

std::optional<std::size_t> frame_in(const std::string& name, const std::string& text) {
  const Pattern pattern = find_pattern(text);
  if (pattern.begin == std::string::npos || name.size() <= pattern.begin) return std::nullopt;
  const std::string_view rest = std::string_view(name).substr(pattern.begin);
  const auto frame = number_in<std::size_t>(rest.substr(0, rest.find_first_not_of("0123456789")));
  return frame && frame_name(text, *frame) == name ? frame : std::nullopt;
}

// Prints one line for each broken object that the result does not need, and for each finding that may affect it.
void warn(const Loaded& loaded, const Common& common) {
  constexpr std::size_t most = 20;
  std::vector<std::string> lines;
  for (const auto& defect : loaded.model.defects) lines.push_back(defect.line());
  if (const auto uneven = need(sinew::deform::uneven_weights(loaded.model))) lines.push_back(line_of(*uneven));
  if (!common.verbose)  // all findings are already printed
    for (const sinew::Finding& finding : loaded.findings.list())
      if (finding.severity == sinew::Severity::warning && (finding.code.starts_with("GLTF_") || finding.code.starts_with("SINEW_")))
        lines.push_back(fmt::format("{}: {} [{}]", finding.pointer, finding.message, finding.code));
  for (std::size_t i = 0; i < std::min(lines.size(), most); ++i) common.terminal.warn(lines[i]);
  if (lines.size() > most) common.terminal.warn(fmt::format("{} more; `sinew info` lists them", lines.size() - most));
}

Result<> check_revision(const Model& model, const Common& common) {
  if (!common.revision || std::ranges::find(sinew::g4mf::revision_names, model.revision) != std::end(sinew::g4mf::revision_names))
    return {};
  return Unexpected(usage_error(fmt::format("--revision applies to G4MF only; this model is {}", model.format)));
}

Result<LoadedScene> load_scene(const std::string& path, const Common& common) {
  auto loaded = load(path, common);
  if (!loaded) return Unexpected(std::move(loaded.error()));
  if (auto fine = check_revision(loaded->model, common); !fine) return Unexpected(std::move(fine.error()));
  const auto scene = scene_of(loaded->model, common);
  if (!scene) return Unexpected(scene.error());
  if (auto fits = check_scene_memory(loaded->model, *scene, common); !fits) return Unexpected(std::move(fits.error()));
  return LoadedScene{*std::move(loaded), *scene};
}

Result<PosedModel> load_posed(const std::string& input, const PoseOptions& posing, const Common& common) {
  auto loaded = load_scene(input, common);
  if (!loaded) return Unexpected(std::move(loaded.error()));
  const sinew::Index scene = loaded->scene;
  auto kept = std::make_unique<Loaded>(*std::move(loaded));
  auto poser = make_poser(posing, kept->model, scene, common.terminal);
  if (!poser) return Unexpected(std::move(poser.error()));
  warn(*kept, common);
  if (poser->clip != nullptr) need(sinew::animate::show_at(kept->model, *poser->clip, poser->times.front()));
  return PosedModel{std::move(kept), scene, *std::move(poser)};
}

namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

std::uint64_t steps_of(std::uint64_t count, std::uint64_t steps_each) {
  return count > largest / steps_each ? largest : count * steps_each;
}

/// Failure::limit if so many things, with so many steps in all, exceed the limit of work for the model's file.
Result<> check_work(const sinew::Model& model, std::uint64_t count, std::uint64_t steps, std::string_view what) {
  if (!model.source || steps <= model.source->most_work()) return {};
  return sinew::Unexpected(sinew::Error{
      sinew::Failure::limit,
      "SINEW_WORK_LIMIT",
      {model.source->file(), {}, {}},
      fmt::format("{} {} take {} steps; the limit is {} (raise it with --limit work=N)", count, what, steps, model.source->most_work())});
}

}  // namespace

Result<> check_surfaces(const sinew::Model& model, sinew::Index scene, std::uint64_t steps_each) {
  std::uint64_t surfaces = 0;  // cannot overflow: nodes and surfaces take memory
  for (const sinew::Instance& instance : need(sinew::instances(model, scene)))
    if (instance.mesh < model.meshes.size()) surfaces += model.meshes[instance.mesh].surfaces.size();
  return check_work(model, surfaces, steps_of(surfaces, steps_each), "surfaces of all instances");
}

Result<> check_scene_memory(const sinew::Model& model, sinew::Index scene, const Common& common) {
  constexpr std::uint64_t bytes_per_coordinate = 12;  // a float, and the same again for results: normals, corners, text
  constexpr std::uint64_t steps_of_vertex = 50;       // deformed, and written as text
  constexpr std::uint64_t steps_of_corner = 20;       // drawn, the slowest of its uses
  struct Size {
    std::uint64_t vertices = 0, corners = 0;
  };
  std::vector<std::optional<Size>> sizes(model.meshes.size());
  std::uint64_t vertices = 0, corners = 0;  // cannot overflow: nodes, vertices and surfaces take bytes of a file
  for (const sinew::Instance& instance : need(sinew::instances(model, scene))) {
    const sinew::Mesh& mesh = model.meshes[instance.mesh];
    std::optional<Size>& size = sizes[instance.mesh];
    if (!size) {
      size.emplace();
      for (const sinew::VertexBlock& block : mesh.blocks) size->vertices += block.vertices;
      for (const sinew::Surface& surface : mesh.surfaces)
        if (surface.defect == sinew::none) size->corners += sinew::corner_count(mesh, surface, model.dimension);
    }
    vertices += size->vertices;
    corners += size->corners;
  }
  if (vertices <= common.limits.memory / (bytes_per_coordinate * std::max<std::size_t>(model.dimension, 1))) {
    const std::uint64_t first = steps_of(vertices, steps_of_vertex), second = steps_of(corners, steps_of_corner);
    return check_work(model, vertices + corners, first > largest - second ? largest : first + second,
                      "vertices and corners of all instances");
  }
  sinew::Error error;
  error.failure = sinew::Failure::limit;
  error.code = "SINEW_MEMORY_LIMIT";
  error.message = fmt::format(
      "the mesh instances of the scene have {} vertices in total, too many for the memory limit of {} bytes; raise it with --max-memory",
      vertices, common.limits.memory);
  return sinew::Unexpected(std::move(error));
}

}  // namespace app
