// SPDX-License-Identifier: MIT
#include "sinew/deform.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <thread>

#include "console/joined.hpp"
#include "console/need.hpp"
#include "static_files.hpp"

#include "sinew/bake.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"
#include "sinew/save.hpp"

namespace app {

namespace {

using sinew::Index;
using sinew::Model;
using sinew::Result;
using sinew::Unexpected;

enum class AttributeChoice : std::uint8_t { position, normal, tangent, texcoord };

struct DeformOptions {
  std::string input, output;
  PoseOptions posing;
  AttributeChoice attribute = AttributeChoice::position;
  std::uint32_t max_influences = 0, first_influences = 0;
  std::string kernel;
  StageChoice stage;
  bool as_morphs = false;
};

bool is_npy(const std::string& path) { return need(sinew::file_extension(path)) == ".npy" || path == "-"; }

bool is_gltf(const std::string& path) {
  const std::string extension = need(sinew::file_extension(path));
  return extension == ".glb" || extension == ".gltf";
}

// The data shared by all frames.
struct Work {
  const DeformOptions& options;
  const Common& common;
  const Poser& poser;
  const std::vector<sinew::Instance>& instances;
};

// The meaning of a row of .npy: glTF stores everything per vertex, G4MF everything except positions per corner.
enum class RowsOf : std::uint8_t { vertices, corners };
RowsOf rows_of(const Model& model, AttributeChoice attribute) {
  return model.stores_values_by_corner() && attribute != AttributeChoice::position ? RowsOf::corners : RowsOf::vertices;
}

const sinew::Attribute* texcoord_of(const std::vector<sinew::Attribute>& attributes) {
  return sinew::find_attribute(attributes, sinew::Semantic::texcoord);
}

// Returns the columns of the texture coordinates: those of the widest surface; 0 if there are none.
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

// Returns whether a row will have a value: a stored one, or the flat normal of G4MF simplexes.
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

// Explains why no row of the attribute has a value.
std::optional<std::string> nothing_to_write(const Work& work, const sinew::deform::SceneDeformer& deformer, RowsOf rows,
                                            std::size_t width) {
  if (deformer.vertices() == 0) return std::nullopt;
  const auto none = [&](std::string_view what) { return fmt::format("{}: no mesh of the scene has {}", work.options.input, what); };
  switch (work.options.attribute) {
    case AttributeChoice::position:
      break;
    case AttributeChoice::normal:
      if (!has_channel(work, deformer, rows)) return none("normals");
      break;
    case AttributeChoice::tangent:
      if (rows == RowsOf::corners) return fmt::format("{}: G4MF cannot store tangents", work.options.input);
      if (!has_channel(work, deformer, rows)) return none("tangents");
      break;
    case AttributeChoice::texcoord:
      if (width == 0) return none("texture coordinates");
  }
  return std::nullopt;
}

// Blends texture coordinates of set 0, which joints do not move; missing values are NaN.
class TexcoordWriter {
 public:
  TexcoordWriter(std::size_t width, sinew::io::NpyWriter& writer) : width_(width), writer_(writer) {}

  Result<> write(const sinew::Attribute* texcoord, std::span<const double> amounts, std::size_t rows) {
    if (texcoord != nullptr && texcoord->values.width() == width_)
      return writer_.write(need(sinew::deform::blend_rows(*texcoord, amounts, rows)));
    std::vector<float> filled(rows * width_, std::numeric_limits<float>::quiet_NaN());
    if (texcoord != nullptr) {
      const std::size_t stored = texcoord->values.width();
      const std::vector<float> values = need(sinew::deform::blend_rows(*texcoord, amounts, rows));
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
  for (const double time : work.poser.times) {
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

// Computes frames of positions, normals or tangents. Several times are allowed only if a clip plays alone.
Result<> deform_rows(const Work& work, RowsOf rows, std::span<const double> times, const sinew::strided_view<float>& view, unsigned threads,
                     sinew::deform::SceneDeformer& deformer) {
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
  if (rows == RowsOf::vertices && work.poser.played != sinew::none) return deformer.run_clip(work.poser.played, times, output, threads);
  sinew::Pose pose;
  if (auto done = work.poser.at(times.front(), pose); !done) return done;
  return rows == RowsOf::corners ? deformer.run_corner_normals(pose, view, threads) : deformer.run(pose, output, threads);
}

// Computes all frames and writes them. A clip is computed in pieces of about a megabyte. `.npy`: one thread writes frames while the other
// threads compute the next ones.
template <class Writer>
Result<> write_frames(const Work& work, RowsOf rows, std::size_t width, sinew::deform::SceneDeformer& deformer, Writer& writer) {
  constexpr bool can_write_behind = requires(std::vector<float>& values) { writer.write_behind(values); };
  constexpr std::size_t most_numbers = 250'000;
  const std::size_t count = rows == RowsOf::corners ? deformer.corners() : deformer.vertices(), frames = work.poser.times.size();
  const bool several = rows == RowsOf::vertices && work.poser.played != sinew::none;
  const std::size_t at_once = several ? std::clamp<std::size_t>(most_numbers / std::max<std::size_t>(count * width, 1), 1, frames) : 1;
  const bool behind = can_write_behind && work.common.threads != 1 && frames > at_once;
  const unsigned all = work.common.threads == 0 ? std::thread::hardware_concurrency() : work.common.threads;
  const unsigned threads = behind ? std::max(all, 2U) - 1 : work.common.threads;
  std::vector<float> values;
  Progress progress(work.common.terminal, "deforming", frames);
  for (std::size_t frame = 0; frame < frames; frame += at_once) {
    const auto times = std::span(work.poser.times).subspan(frame, std::min(at_once, frames - frame));
    const std::size_t size = times.size() * count;
    if (values.size() != size * width) values.assign(size * width, std::numeric_limits<float>::quiet_NaN());
    if (auto done = deform_rows(work, rows, times, {values.data(), size, width}, threads, deformer); !done) return done;
    Result<> done;
    if constexpr (can_write_behind)
      done = behind ? writer.write_behind(values) : writer.write(values);
    else
      done = writer.write(values);
    if (!done) return done;
    progress.step(frame + times.size());
  }
  return {};
}

/// Sets the limit of influences in the options of an operation. Only one of the two may be given.
template <class Options>
void limit_influences(const DeformOptions& given, Options& options) {
  options.max_influences = std::max(given.max_influences, given.first_influences);
  options.keep_first = given.first_influences != 0;
}

Result<sinew::deform::SceneDeformer> make_deformer(const Work& work) {
  const AttributeChoice attribute = work.options.attribute;
  sinew::deform::PrepareOptions channels;
  channels.normals = attribute == AttributeChoice::normal || attribute == AttributeChoice::tangent;
  channels.tangents = attribute == AttributeChoice::tangent;
  limit_influences(work.options, channels);
  channels.kernel = work.options.kernel;
  return sinew::deform::SceneDeformer::create(work.poser.model, work.instances, channels);
}

std::string counted_instances(const Work& work) { return count_of(work.instances.size(), "instance", "instances"); }

Result<> deform_npy(const Work& work) {
  const Model& model = work.poser.model;
  const AttributeChoice attribute = work.options.attribute;
  const RowsOf rows = rows_of(model, attribute);
  auto deformer = make_deformer(work);
  if (!deformer) return Unexpected(deformer.error());
  const auto stage = find_stage(work.options.stage, model);
  if (!stage) return Unexpected(stage.error());
  if (*stage)
    if (auto done = deformer->show_stage(**stage); !done) return done;
  const std::size_t texcoords = attribute == AttributeChoice::texcoord ? texcoord_width(work, rows) : 0;
  if (const auto why = nothing_to_write(work, *deformer, rows, texcoords)) return Unexpected(usage_error(*why));

  const std::size_t width = attribute == AttributeChoice::texcoord  ? (texcoords == 0 ? 2 : texcoords)
                            : attribute == AttributeChoice::tangent ? 4
                                                                    : model.dimension;
  std::vector<std::size_t> shape{rows == RowsOf::corners ? deformer->corners() : deformer->vertices(), width};
  if (work.options.posing.many()) shape.insert(shape.begin(), work.poser.times.size());
  auto writer = sinew::io::NpyWriter::create(work.options.output, shape);
  if (!writer) return Unexpected(writer.error());
  auto done = attribute == AttributeChoice::texcoord ? write_texcoords(work, rows, width, *writer)
                                                     : write_frames(work, rows, width, *deformer, *writer);
  if (done) done = writer->finish();
  if (done) work.common.terminal.talk("{}: shape ({}), {}", work.options.output, joined(shape, ", "), counted_instances(work));
  return done;
}

Result<> deform_cache(const Work& work) {
  const std::string& output = work.options.output;
  if (work.poser.model.dimension != 3)
    return Unexpected(usage_error(fmt::format("{}: {} stores 3 dimensions, but the model has {}; use .npy", output,
                                              need(sinew::file_extension(output)), work.poser.model.dimension)));
  auto deformer = make_deformer(work);
  if (!deformer) return Unexpected(deformer.error());
  auto writer = sinew::io::VertexCacheWriter::create(output, deformer->vertices(), work.poser.times);
  if (!writer) return Unexpected(writer.error());
  auto done = write_frames(work, RowsOf::vertices, 3, *deformer, *writer);
  if (done) done = writer->finish();
  if (done)
    work.common.terminal.talk("{}: {} of {}, {}", output, count_of(work.poser.times.size(), "frame", "frames"),
                              count_of(deformer->vertices(), "vertex", "vertices"), counted_instances(work));
  return done;
}

sinew::operations::BakeOptions bake_options(const Work& work) {
  sinew::operations::BakeOptions bake;
  limit_influences(work.options, bake);
  bake.kernel = work.options.kernel;
  bake.threads = work.common.threads;
  bake.scene = work.common.scene < 0 ? sinew::none : static_cast<Index>(work.common.scene);
  return bake;
}

Result<> deform_static(const Work& work) {
  return write_static(
      work.poser, work.options.output, "deforming",
      [&, bake = bake_options(work)](const sinew::Pose& pose, sinew::FindingSink&) {
        return sinew::operations::bake(work.poser.model, pose, bake);
      },
      work.common);
}

// Writes one blend shape per frame and a clip that shows them in turn.
Result<> deform_morphs(const Work& work) {
  const Terminal& terminal = work.common.terminal;
  const std::vector<double>& times = work.poser.times;
  sinew::operations::FrameList frames;
  frames.name = work.poser.clip->name;
  frames.pose = [&](double time, sinew::Pose& pose) { return work.poser.at(time, pose); };
  frames.most_bytes = work.common.limits.memory;
  for (const double time : times)  // a clip without duration repeats one time
    if (frames.seconds.empty() || static_cast<float>(time) > static_cast<float>(frames.seconds.back())) frames.seconds.push_back(time);
  if (frames.seconds.size() != times.size())
    terminal.warn(fmt::format("{} of {} frames are left out: their times are equal in single precision",
                              times.size() - frames.seconds.size(), times.size()));
  Progress progress(terminal, "deforming", frames.seconds.size());
  frames.progress = [&](std::size_t done) { progress.step(done); };
  const auto made = sinew::operations::bake_frames(work.poser.model, frames, bake_options(work));
  if (!made) return Unexpected(made.error());
  std::vector<std::string> notes;
  if (auto done = sinew::io::save(*made, work.options.output, &notes); !done) return done;
  for (const std::string& note : notes) terminal.warn(note);
  constexpr std::size_t most_targets = 256;  // WebGL 2 guarantees so many layers; Filament and Bevy have the same limit
  if (frames.seconds.size() > most_targets)
    terminal.warn(fmt::format("{} morph targets; some engines support only {}", frames.seconds.size(), most_targets));
  terminal.talk("{}: {}, {}", work.options.output, count_of(frames.seconds.size(), "morph target", "morph targets"),
                counted_instances(work));
  return {};
}

// Checks options that are wrong for every file.
std::optional<std::string> contradiction(const DeformOptions& options) {
  const bool cache = sinew::io::is_vertex_cache(options.output);
  if (!sinew::io::can_save(options.output) && !is_npy(options.output) && !cache)
    return fmt::format("{}: unknown extension, expected one of {} .pc2 .mdd", options.output, sinew::io::save_extensions());
  if (options.as_morphs && !is_gltf(options.output)) return "--as-morphs needs a .glb or .gltf output";
  if (options.as_morphs && !options.posing.many()) return "--as-morphs needs --frames or --fps";
  if (pattern_count(options.output) > 1) return fmt::format("{}: expected only one pattern such as %04d in the name", options.output);
  if (!is_npy(options.output) && options.attribute != AttributeChoice::position)
    return "--attribute needs a .npy output; docs/formats.md lists what other formats contain";
  if (!is_npy(options.output) && !options.stage.joint.empty()) return "--debug-joint needs a .npy output";
  return contradiction(options.posing, options.input);
}

Result<> deform(const DeformOptions& options, const Common& common) {
  const auto posed = load_posed(options.input, options.posing, common);
  if (!posed) return Unexpected(posed.error());
  const Model& model = posed->model();
  const bool cache = sinew::io::is_vertex_cache(options.output);
  const bool one_file = cache || options.as_morphs || is_npy(options.output);
  if (const auto missing = pattern_missing(posed->poser, options.output); missing && !one_file)
    return Unexpected(usage_error(*missing + ", or .npy, .pc2, .mdd or --as-morphs"));
  const std::vector<sinew::Instance> instances = need(sinew::instances(model, posed->scene));
  const Work work{options, common, posed->poser, instances};
  if (options.as_morphs) return deform_morphs(work);
  return cache ? deform_cache(work) : is_npy(options.output) ? deform_npy(work) : deform_static(work);
}

}  // namespace

Run add_deform(Command command, Common& common) {
  auto options = std::make_shared<DeformOptions>();
  common.files.reads(options->input);
  common.files.writes(options->output);
  command.add_option("IN", options->input, "The model; - reads standard input").check(not_empty()).required();
  command
      .add_option("-o,--output", options->output,
                  "Write to this file; its extension sets the format: " + std::string(sinew::io::save_extensions()) +
                      " .pc2 .mdd; - writes .npy to standard output")
      .check(not_empty())
      .type_name("OUT")
      .required();
  add_posing(command, options->posing, common);
  command.add_flag("--as-morphs", options->as_morphs,
                   "Write all frames to one .glb or .gltf: one morph target per frame, and an animation that shows them in turn");
  add_choice<AttributeChoice>(
      command, "--attribute", options->attribute,
      {{"position", AttributeChoice::position},
       {"normal", AttributeChoice::normal},
       {"tangent", AttributeChoice::tangent},
       {"texcoord", AttributeChoice::texcoord}},
      "Write this attribute to .npy: position (default), normal, tangent or texcoord; all but position have one row per corner in G4MF",
      "A");
  add_revision(command, common);
  const auto strongest = command
                             .add_option("--max-influences", options->max_influences,
                                         "Use only the N strongest influences of each vertex, renormalised (default: all)")
                             .type_name("N")
                             .check(between(1, std::numeric_limits<std::int32_t>::max()));
  command
      .add_option("--first-influences", options->first_influences,
                  "Use only the first N influences of each vertex as stored, renormalised, as some engines do (default: all)")
      .type_name("N")
      .check(between(1, std::numeric_limits<std::int32_t>::max()))
      .excludes(strongest);
  command
      .add_option("--kernel", options->kernel,
                  "Use these processor instructions: plain, sse4, avx2, avx512 or neon (default: the fastest available)")
      .type_name("NAME");
  add_stage(command, options->stage);
  return [options, &common]() -> int {
    if (const auto wrong = contradiction(*options)) return common.terminal.fail_usage(*wrong);
    const auto done = deform(*options, common);
    return done ? Exit::done : common.terminal.fail(done.error());
  };
}

}  // namespace app
