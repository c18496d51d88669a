// SPDX-License-Identifier: MIT
#include "sinew/slice.hpp"

#include <memory>

#include "console/need.hpp"
#include "hyperplanes.hpp"
#include "static_files.hpp"

#include "sinew/bake.hpp"
#include "sinew/load.hpp"
#include "sinew/render.hpp"
#include "sinew/result.hpp"
#include "sinew/save.hpp"

namespace app {

namespace {

struct SliceOptions {
  std::string input, output;
  PoseOptions posing;
  std::vector<std::string> cuts;
};

std::optional<std::string> contradiction(const SliceOptions& options) {
  if (!sinew::io::can_save(options.output))
    return fmt::format("{}: unknown extension, expected one of {}", options.output, sinew::io::save_extensions());
  if (pattern_count(options.output) > 1) return fmt::format("{}: expected only one pattern such as %04d in the name", options.output);
  return contradiction(options.posing, options.input);
}

// Returns whether the format has vertex colours but no three-dimensional textures.
bool has_colors(const std::string& output) {
  const std::string extension = need(sinew::file_extension(output));
  return extension == ".glb" || extension == ".gltf" || extension == ".ply";
}

sinew::Result<> slice(const SliceOptions& options, const Common& common) {
  auto loaded = load(options.input, common);
  if (!loaded) return sinew::Unexpected(loaded.error());
  if (auto done = sinew::io::load_material_values(loaded->model); !done) return done;
  sinew::Model& model = loaded->model;
  if (auto fine = check_revision(model, common); !fine) return fine;
  const auto scene = scene_of(model, common);
  if (!scene) return sinew::Unexpected(scene.error());
  if (auto fits = check_scene_memory(model, *scene, common); !fits) return fits;
  const auto planes = parse_hyperplanes(options.cuts, model.dimension);
  if (!planes) return sinew::Unexpected(planes.error());
  const auto poser = make_poser(options.posing, model, *scene, common.terminal);
  if (!poser) return sinew::Unexpected(poser.error());
  warn(*loaded, common);
  if (const auto missing = pattern_missing(*poser, options.output)) return sinew::Unexpected(usage_error(*missing));
  sinew::operations::BakeOptions bake;
  bake.scene = *scene;
  bake.threads = common.threads;
  std::optional<sinew::show::Volumes> volumes;
  if (has_colors(options.output)) volumes = need(sinew::show::Volumes::create(model, sinew::show::RenderOptions().most_texels));
  if (volumes)
    for (const sinew::Error& note : volumes->notes()) {
      if (note.code == "SINEW_NO_MEMORY" || note.failure == sinew::Failure::deadline) return sinew::Unexpected(note);
      common.terminal.warn(note);
    }
  const auto make = [&](const sinew::Pose& pose, sinew::FindingSink& said) {
    auto made = sinew::operations::slice(model, pose, *planes, bake, said);
    if (made && volumes) need(sinew::show::bake_volumes(*volumes, *made, said));
    return made;
  };
  return write_static(*poser, options.output, "slicing", make, common);
}

}  // namespace

Run add_slice(Command command, Common& common) {
  auto options = std::make_shared<SliceOptions>();
  common.files.reads(options->input);
  common.files.writes(options->output);
  command.add_option("IN", options->input, "The model; - reads standard input").check(not_empty()).required();
  command
      .add_option(
          "-o,--output", options->output,
          "Write to this file; each cut removes one dimension; the extension sets the format: " + std::string(sinew::io::save_extensions()))
      .check(not_empty())
      .type_name("OUT")
      .required();
  command.add_option("--at", options->cuts, std::string("Cut here: ") + hyperplane_help + "; repeatable for other axes")
      .type_name("AXIS=OFFSET")
      .one_each()
      .required();
  add_posing(command, options->posing, common);
  add_revision(command, common);
  return [options, &common]() -> int {
    if (const auto wrong = contradiction(*options)) return common.terminal.fail_usage(*wrong);
    const auto done = slice(*options, common);
    return done ? Exit::done : common.terminal.fail(done.error());
  };
}

}  // namespace app
