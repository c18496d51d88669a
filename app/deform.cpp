// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <set>

#include "command.hpp"

#include "sinew/animate.hpp"
#include "sinew/bake.hpp"
#include "sinew/blend_attribute.hpp"
#include "sinew/deform_scene.hpp"
#include "sinew/pose_edit.hpp"
#include "sinew/save.hpp"
#include "sinew/surface.hpp"

namespace app {

namespace {

using sinew::Index;
using sinew::Model;
using sinew::Result;
using sinew::Unexpected;

constexpr std::int64_t most_frames = 1'000'000;

enum class AttributeChoice : std::uint8_t { position, normal, tangent, texcoord };

struct DeformOptions {
  std::string input, output;
  std::string animation;
  std::optional<double> time;
  std::optional<std::size_t> frames;
  std::optional<double> fps;
  std::string pose;
  std::vector<std::string> blends;
  AttributeChoice attribute = AttributeChoice::position;
  std::uint32_t max_influences = 0;
  std::string kernel;
  std::string debug_joint;
  sinew::deform::Stage stage = sinew::deform::Stage::joint;
};

// The state of one frame: the clip, then the pose file, then --blend (the order of overrides in docs/semantics.md).
struct Poser {
  const Model& model;
  const sinew::Clip* clip = nullptr;
  sinew::Pose base;  // the file's own state, or the default bind pose
  sinew::PoseEdit file;
  sinew::PoseEdit blends;

  Result<> at(double time, sinew::Pose& pose) const {
    pose = base;
    if (clip != nullptr) sinew::animate::sample(model, *clip, time, pose);
    if (auto done = sinew::apply(file, model, pose); !done) return done;
    return sinew::apply(blends, model, pose);
  }
};

std::string clip_list(const Model& model) {
  if (model.clips.empty()) return "the file has no animations";
  std::string list = "animations are";
  for (std::size_t c = 0; c < model.clips.size(); ++c)
    list += fmt::format("{} {} \"{}\" ({:.6g} s)", c == 0 ? "" : ",", c, model.clips[c].name, model.clips[c].duration);
  return list;
}

Result<Index> choose_clip(const DeformOptions& options, const Model& model) {
  if (options.animation.empty()) {
    const char* without = options.time ? "--time" : options.frames ? "--frames" : options.fps ? "--fps" : nullptr;
    if (without != nullptr) return Unexpected(usage_error(fmt::format("{} needs --animation; {}", without, clip_list(model))));
    return sinew::none;
  }
  std::vector<sinew::NamedThing> names;
  for (std::size_t c = 0; c < model.clips.size(); ++c)
    if (!model.clips[c].name.empty()) names.push_back({model.clips[c].name, static_cast<Index>(c)});
  return sinew::find_by_name(options.animation, names, model.clips.size(), "animation");
}

std::vector<double> choose_times(const DeformOptions& options, const sinew::Clip* clip) {
  const double duration = clip == nullptr ? 0.0 : clip->duration;
  if (options.frames) return sinew::animate::frame_times(duration, *options.frames);
  if (options.fps) return sinew::animate::frame_times_at(duration, *options.fps);
  return {options.time.value_or(0.0)};
}

Result<Poser> make_poser(const DeformOptions& options, const Model& model, const sinew::Clip* clip, const Terminal& terminal) {
  Poser poser{model, clip, model.rest, {}, {}};
  if (options.pose == "default") {
    const auto posed = sinew::set_default_pose(model, poser.base);
    if (!posed) return Unexpected(posed.error());
    if (*posed == 0) terminal.talk("note: no skeleton of this file stores a default bind pose, its own pose is used");
  } else if (!options.pose.empty()) {
    auto edit = sinew::io::load_pose_file(options.pose, model);
    if (!edit) return Unexpected(edit.error());
    poser.file = std::move(*edit);
  }
  for (const std::string& blend : options.blends)
    if (auto done = sinew::parse_blend(blend, model, poser.blends); !done) return Unexpected(done.error());
  return poser;
}

// "%d", "%4d", "%04d": where such a pattern begins and ends, and its width; npos where there is none from `from` on.
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

std::size_t pattern_count(const std::string& text) {
  std::size_t count = 0;
  for (Pattern found = find_pattern(text); found.begin != std::string::npos; found = find_pattern(text, found.end)) ++count;
  return count;
}

// "out%04d.ply" and a frame number → a name, the number padded with zeros; nothing where there is no such pattern.
std::optional<std::string> frame_name(const std::string& text, std::size_t frame) {
  const Pattern pattern = find_pattern(text);
  if (pattern.begin == std::string::npos) return std::nullopt;
  return fmt::format("{}{:0{}}{}", text.substr(0, pattern.begin), frame, pattern.width, text.substr(pattern.end));
}

bool is_npy(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension == ".npy" || path == "-";
}

// Everything that does not change from frame to frame.
struct Work {
  const DeformOptions& options;
  const Common& common;
  const Poser& poser;
  const std::vector<double>& times;
  const std::vector<sinew::Instance>& instances;
};

// A number too large to be one is none of any skin's.
Index slot_number(const std::string& digits) {
  Index slot = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), slot);
  return code == std::errc{} ? slot : sinew::none - 1;
}

Result<> select_stage(const DeformOptions& options, const Model& model, sinew::deform::SceneDeformer& deformer) {
  if (options.debug_joint.empty()) return {};
  sinew::deform::StageOfJoint stage;
  stage.stage = options.stage;
  if (std::all_of(options.debug_joint.begin(), options.debug_joint.end(), [](char c) { return c >= '0' && c <= '9'; }))
    stage.slot = slot_number(options.debug_joint);
  else if (const auto node = sinew::find_node(options.debug_joint, model); node)
    stage.node = *node;
  else
    return Unexpected(node.error());
  return deformer.show_stage(stage);
}

// What a row of .npy belongs to: glTF stores everything by vertex, G4MF all but positions by the corners of surfaces.
enum class RowsOf : std::uint8_t { vertices, corners };
RowsOf rows_of(const Model& model, AttributeChoice attribute) {
  return model.format == "G4MF" && attribute != AttributeChoice::position ? RowsOf::corners : RowsOf::vertices;
}

const sinew::Attribute* texcoord_of(const std::vector<sinew::Attribute>& attributes) {
  return sinew::find_attribute(attributes, sinew::Semantic::texcoord);
}

// Columns of the texture coordinates: those of the widest surface; 0 where there are none.
std::size_t texcoord_width(const Work& work, RowsOf rows) {
  std::size_t width = 0;
  const auto look = [&](const sinew::Attribute* texcoord) {
    if (texcoord != nullptr) width = std::max(width, texcoord->values.width());
  };
  for (const auto& instance : work.instances) {
    const sinew::Mesh& mesh = work.poser.model.meshes[instance.mesh];
    if (rows == RowsOf::corners)
      for (const auto& surface : mesh.surfaces) look(texcoord_of(surface.attributes));
    else
      for (const auto& block : mesh.blocks) look(texcoord_of(block.attributes));
  }
  return width;
}

// Whether some row will have a value: stored, or the flat normal that G4MF's simplexes have without one.
bool has_channel(const Work& work, const sinew::deform::SceneDeformer& deformer, RowsOf rows) {
  const Model& model = work.poser.model;
  for (std::size_t i = 0; i < deformer.instances().size(); ++i) {
    const auto& prepared = deformer.prepared(i);
    if (work.options.attribute == AttributeChoice::tangent ? prepared.has_tangents() : prepared.has_normals()) return true;
    if (rows == RowsOf::vertices || work.options.attribute != AttributeChoice::normal) continue;
    if (prepared.has_corner_normals()) return true;
    for (const auto& surface : model.meshes[deformer.instances()[i].mesh].surfaces)
      if (model.dimension >= 3 && surface.primitive == sinew::Primitive::simplexes) return true;
  }
  return false;
}

// Why no row of the attribute would have a value.
std::optional<std::string> nothing_to_write(const Work& work, const sinew::deform::SceneDeformer& deformer, RowsOf rows,
                                            std::size_t width) {
  if (deformer.vertices() == 0) return std::nullopt;
  const auto none = [&](std::string_view what) { return fmt::format("{}: no mesh of the scene stores {}", work.options.input, what); };
  switch (work.options.attribute) {
    case AttributeChoice::position:
      break;
    case AttributeChoice::normal:
      if (!has_channel(work, deformer, rows)) return none("normals");
      break;
    case AttributeChoice::tangent:
      if (rows == RowsOf::corners) return fmt::format("{}: G4MF has no tangents", work.options.input);
      if (!has_channel(work, deformer, rows)) return none("tangents");
      break;
    case AttributeChoice::texcoord:
      if (width == 0) return none("texture coordinates");
  }
  return std::nullopt;
}

// Texture coordinates do not move with joints: set 0 with its blend offsets, what is not there NaN.
class TexcoordWriter {
 public:
  TexcoordWriter(std::size_t width, sinew::io::NpyWriter& writer) : width_(width), writer_(writer) {}

  Result<> write(const sinew::Attribute* texcoord, std::span<const double> amounts, std::size_t rows) {
    if (texcoord != nullptr && texcoord->values.width() == width_)
      return writer_.write(sinew::deform::blend_rows(*texcoord, amounts, rows));
    std::vector<float> filled(rows * width_, std::numeric_limits<float>::quiet_NaN());
    if (texcoord != nullptr) {
      const std::size_t stored = texcoord->values.width();
      const std::vector<float> values = sinew::deform::blend_rows(*texcoord, amounts, rows);
      for (std::size_t i = 0; i < values.size(); ++i) filled[i / stored * width_ + i % stored] = values[i];
    }
    return writer_.write(filled);
  }

 private:
  std::size_t width_;
  sinew::io::NpyWriter& writer_;
};

Result<> write_texcoords(const Work& work, RowsOf rows, std::size_t width, sinew::io::NpyWriter& writer) {
  const Model& model = work.poser.model;
  TexcoordWriter out(width, writer);
  sinew::Pose pose;
  for (const double time : work.times) {
    if (auto done = work.poser.at(time, pose); !done) return done;
    for (const auto& instance : work.instances) {
      const sinew::Mesh& mesh = model.meshes[instance.mesh];
      const std::vector<double>& amounts = pose.amounts[instance.node];
      if (rows == RowsOf::corners) {
        for (const auto& surface : mesh.surfaces)
          if (auto done = out.write(texcoord_of(surface.attributes), amounts, sinew::corner_count(mesh, surface, model.dimension)); !done)
            return done;
      } else {
        for (const auto& block : mesh.blocks)
          if (auto done = out.write(texcoord_of(block.attributes), amounts, block.vertices); !done) return done;
      }
    }
  }
  return {};
}

// One frame of positions, normals or tangents.
Result<> deform_rows(const Work& work, RowsOf rows, const sinew::Pose& pose, const sinew::strided_view<float>& view,
                     sinew::deform::SceneDeformer& deformer) {
  if (rows == RowsOf::corners) return deformer.run_corner_normals(pose, view, work.common.threads);
  sinew::deform::Output output;
  switch (work.options.attribute) {
    case AttributeChoice::normal:
      output.normals = view;
      break;
    case AttributeChoice::tangent:
      output.tangents = view;
      break;
    default:
      output.positions = view;
  }
  return deformer.run(pose, output, work.common.threads);
}

Result<> write_frames(const Work& work, RowsOf rows, std::size_t width, sinew::deform::SceneDeformer& deformer,
                      sinew::io::NpyWriter& writer) {
  const std::size_t count = rows == RowsOf::corners ? deformer.corners() : deformer.vertices();
  std::vector<float> values(count * width, std::numeric_limits<float>::quiet_NaN());
  const sinew::strided_view<float> view(values.data(), count, width);
  Progress progress(work.common.terminal, "deforming", work.times.size());
  sinew::Pose pose;
  for (std::size_t frame = 0; frame < work.times.size(); ++frame) {
    if (auto done = work.poser.at(work.times[frame], pose); !done) return done;
    if (auto done = deform_rows(work, rows, pose, view, deformer); !done) return done;
    if (auto done = writer.write(values); !done) return done;
    progress.step(frame + 1);
  }
  return {};
}

Result<> deform_npy(const Work& work) {
  const Model& model = work.poser.model;
  const AttributeChoice attribute = work.options.attribute;
  const RowsOf rows = rows_of(model, attribute);
  sinew::deform::PrepareOptions channels;
  channels.normals = attribute == AttributeChoice::normal || attribute == AttributeChoice::tangent;
  channels.tangents = attribute == AttributeChoice::tangent;
  channels.max_influences = work.options.max_influences;
  channels.kernel = work.options.kernel;
  auto deformer = sinew::deform::SceneDeformer::create(model, work.instances, channels);
  if (!deformer) return Unexpected(deformer.error());
  if (auto done = select_stage(work.options, model, *deformer); !done) return done;
  const std::size_t texcoords = attribute == AttributeChoice::texcoord ? texcoord_width(work, rows) : 0;
  if (const auto why = nothing_to_write(work, *deformer, rows, texcoords)) return Unexpected(usage_error(*why));

  const std::size_t width = attribute == AttributeChoice::texcoord  ? (texcoords == 0 ? 2 : texcoords)
                            : attribute == AttributeChoice::tangent ? 4
                                                                    : model.dimension;
  std::vector<std::size_t> shape{rows == RowsOf::corners ? deformer->corners() : deformer->vertices(), width};
  const bool many = work.options.frames || work.options.fps;
  if (many) shape.insert(shape.begin(), work.times.size());
  auto writer = sinew::io::NpyWriter::create(work.options.output, shape);
  if (!writer) return Unexpected(writer.error());
  auto done = attribute == AttributeChoice::texcoord ? write_texcoords(work, rows, width, *writer)
                                                     : write_frames(work, rows, width, *deformer, *writer);
  if (done) done = writer->finish();
  if (done)
    work.common.terminal.talk("{}: shape ({}), {}", work.options.output, fmt::join(shape, ", "),
                              work.instances.size() == 1 ? "1 instance" : fmt::format("{} instances", work.instances.size()));
  return done;
}

Result<> deform_static(const Work& work) {
  const Model& model = work.poser.model;
  sinew::ops::BakeOptions bake;
  bake.max_influences = work.options.max_influences;
  bake.kernel = work.options.kernel;
  bake.threads = work.common.threads;
  bake.scene = work.common.scene < 0 ? sinew::none : static_cast<Index>(work.common.scene);
  Progress progress(work.common.terminal, "deforming", work.times.size());
  sinew::Pose pose;
  std::set<std::string> told;  // what every frame loses is said once
  for (std::size_t frame = 0; frame < work.times.size(); ++frame) {
    if (auto done = work.poser.at(work.times[frame], pose); !done) return done;
    const auto baked = sinew::ops::bake(model, pose, bake);
    if (!baked) return Unexpected(baked.error());
    const std::string path = frame_name(work.options.output, frame).value_or(work.options.output);
    std::vector<std::string> notes;
    if (auto done = sinew::io::save(*baked, path, &notes); !done) return done;
    for (const std::string& note : notes)
      if (told.insert(note).second) work.common.terminal.warn(note);
    work.common.terminal.detail("{}: t = {:.6g} s", path, work.times[frame]);
    progress.step(frame + 1);
  }
  const auto name = [&](std::size_t frame) { return frame_name(work.options.output, frame).value_or(work.options.output); };
  if (work.times.size() == 1)
    work.common.terminal.talk("{}: 1 file written", name(0));
  else
    work.common.terminal.talk("{} … {}: {} files written", name(0), name(work.times.size() - 1), work.times.size());
  return {};
}

// What makes no sense whatever the file holds.
std::optional<std::string> contradiction(const DeformOptions& options) {
  if (!sinew::io::can_save(options.output) && !is_npy(options.output))
    return fmt::format("{}: unknown extension, known are {}", options.output, sinew::io::save_extensions());
  if (options.input == "-" && options.pose == "-") return "the model and the pose file cannot both be standard input";
  if (pattern_count(options.output) > 1) return fmt::format("{}: more than one pattern for the frame's number", options.output);
  if (options.fps && !(*options.fps > 0)) return "--fps: the rate must be above zero";
  if (!is_npy(options.output) && options.attribute != AttributeChoice::position)
    return "--attribute is for .npy; other formats hold what docs/formats.md lists";
  if (!is_npy(options.output) && !options.debug_joint.empty()) return "--debug-joint is for .npy";
  return std::nullopt;
}

// Broken things that the result does not need, and what reading found that may show in it: one line each.
void warn(const Loaded& loaded, const Common& common) {
  constexpr std::size_t most = 20;
  std::vector<std::string> lines;
  for (const auto& defect : loaded.model.defects) lines.push_back(defect.line());
  if (!common.verbose)  // all findings have been told already
    for (const sinew::Finding& finding : loaded.findings.list())
      if (finding.severity == sinew::Severity::warning && (finding.code.starts_with("GLTF_") || finding.code.starts_with("SINEW_")))
        lines.push_back(fmt::format("{}: {} [{}]", finding.pointer, finding.message, finding.code));
  for (std::size_t i = 0; i < std::min(lines.size(), most); ++i) common.terminal.warn(lines[i]);
  if (lines.size() > most) common.terminal.warn(fmt::format("{} more (sinew info tells them)", lines.size() - most));
}

Result<> deform(const DeformOptions& options, const Common& common) {
  auto loaded = load(options.input, common);
  if (!loaded) return Unexpected(loaded.error());
  const Model& model = loaded->model;
  const auto scene = scene_of(model, common);
  if (!scene) return Unexpected(scene.error());
  const auto clip_index = choose_clip(options, model);
  if (!clip_index) return Unexpected(clip_index.error());
  const std::vector<sinew::Instance> instances = sinew::instances(model, *scene);
  if (auto defect = sinew::closure_defect(model, *scene, *clip_index)) return Unexpected(*defect);
  warn(*loaded, common);
  const sinew::Clip* clip = *clip_index == sinew::none ? nullptr : &model.clips[*clip_index];
  if (options.fps && clip != nullptr && clip->duration * *options.fps >= most_frames)
    return Unexpected(usage_error(fmt::format("--fps {}: more than {} frames", *options.fps, most_frames)));
  const std::vector<double> times = choose_times(options, clip);
  if (times.size() > 1 && !is_npy(options.output) && !frame_name(options.output, 0))
    return Unexpected(usage_error(fmt::format("{} frames need a pattern such as %04d in the output's name (or .npy)", times.size())));
  const auto poser = make_poser(options, model, clip, common.terminal);
  if (!poser) return Unexpected(poser.error());
  const Work work{options, common, *poser, times, instances};
  return is_npy(options.output) ? deform_npy(work) : deform_static(work);
}

}  // namespace

Run add_deform(CLI::App& command, Common& common) {
  auto options = std::make_shared<DeformOptions>();
  const std::map<std::string, AttributeChoice> attributes{{"position", AttributeChoice::position},
                                                          {"normal", AttributeChoice::normal},
                                                          {"tangent", AttributeChoice::tangent},
                                                          {"texcoord", AttributeChoice::texcoord}};
  const std::map<std::string, sinew::deform::Stage> stages{{"inverse-bind", sinew::deform::Stage::inverse_bind},
                                                           {"joint", sinew::deform::Stage::joint}};
  command.add_option("IN", options->input, "The model; - reads standard input")->check(not_empty())->required();
  command
      .add_option("-o,--output", options->output,
                  "What to write; the extension tells how: " + sinew::io::save_extensions() + "; - writes .npy to standard output")
      ->check(not_empty())
      ->type_name("OUT")
      ->required();
  command.add_option("--animation", options->animation, "The clip, by name or index (name:X where a name is all digits)")
      ->check(not_empty())
      ->type_name("NAME|INDEX");
  auto* time = command.add_option("--time", options->time, "The moment in the clip (default 0); clamped to its keys")
                   ->type_name("SECONDS")
                   ->check(finite_number());
  auto* frames = command.add_option("--frames", options->frames, "So many moments from 0 to the clip's end, both included")
                     ->type_name("N")
                     ->check(between(1, most_frames));
  auto* fps =
      command.add_option("--fps", options->fps, "Moments at this rate from 0 to the clip's end")->type_name("F")->check(finite_number());
  time->excludes(frames)->excludes(fps);
  frames->excludes(fps);
  command.add_option("--pose", options->pose, "A pose file, or \"default\" for the default bind pose of explicit skeletons")
      ->check(not_empty())
      ->type_name("FILE|default");
  command.add_option("--blend", options->blends, "A blend shape's amount, [NODE:]SHAPE=AMOUNT; may be given again")
      ->type_name("SHAPE=AMOUNT")
      ->allow_extra_args(false);
  add_choice(command, "--attribute", options->attribute, attributes,
             "What .npy holds: position (default), normal, tangent, texcoord (G4MF: a row per corner)", "A");
  add_revision(command, common);
  command.add_option("--max-influences", options->max_influences, "Only the first N influences of each vertex, renormalised")
      ->type_name("N")
      ->check(between(1, std::numeric_limits<std::int32_t>::max()));
  command
      .add_option("--kernel", options->kernel,
                  "Use these instructions: plain, sse4, avx2, avx512, neon (default: the best of this processor)")
      ->type_name("NAME");
  auto* joint =
      command
          .add_option("--debug-joint", options->debug_joint, "Show one joint's matrix alone, by its node's name or its number in the skin")
          ->check(not_empty())
          ->type_name("J");
  add_choice(command, "--stage", options->stage, stages, "With --debug-joint: inverse-bind, or joint (default)", "S");
  command.get_option("--stage")->needs(joint);
  return [options, &common]() -> int {
    if (const auto wrong = contradiction(*options)) return common.terminal.fail_usage(*wrong);
    const auto done = deform(*options, common);
    return done ? Exit::done : common.terminal.fail(done.error());
  };
}

}  // namespace app
