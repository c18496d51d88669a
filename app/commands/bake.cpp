// SPDX-License-Identifier: MIT

#include "sinew/bake.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>

#include "command.hpp"
#include "console/json.hpp"
#include "console/need.hpp"
#include "many.hpp"
#include "posing.hpp"
#include "reports/not_covered.hpp"

#include "sinew/play.hpp"

namespace app {

namespace {

using sinew::operations::BakedTexture;
using sinew::operations::TexelFormat;

struct BakeCommand {
  std::vector<std::string> paths, animations;
  std::string output;
  sinew::operations::BakeTextureOptions how;
  bool without_normals = false, json = false;
  AvatarOptions avatar;
  Many many;
};

Outcome baked(const std::filesystem::path& to, const BakedTexture& made, const sinew::Model& model) {
  Outcome outcome;
  outcome.did = sinew::batch::Did::written;
  auto files = Json::array();
  for (const auto& file : made.files) files.push_back(file.string());
  outcome.beside = made.files;
  outcome.result = Json{{"output", to.string()},
                        {"files", std::move(files)},
                        {"width", made.width},
                        {"height", made.height},
                        {"vertices", made.vertices},
                        {"animations", made.clips.size()},
                        {"frames", made.frames},
                        {"maxError", made.error},
                        {"maxRelativeError", made.relative_error()},
                        {"bytes", made.bytes},
                        {"notCovered", not_covered_json(need(sinew::not_covered(model)))}}
                       .text();
  outcome.talk =
      fmt::format("{}: {}, {} with {}, {} × {} texels, largest error {:.3g} ({:.2g} of the size), {} bytes", to.string(),
                  count_of(made.vertices, "vertex", "vertices"), count_of(made.clips.size(), "animation", "animations"),
                  count_of(made.frames, "frame", "frames"), made.width, made.height, made.error, made.relative_error(), made.bytes);
  return outcome;
}

Outcome bake_one(const std::filesystem::path& from, const std::filesystem::path& to, const BakeCommand& options, const Common& common,
                 bool alone) {
  auto loaded = load_scene(from.string(), common);
  if (!loaded) return failed(loaded.error());
  if (const auto set = set_avatar(options.avatar, loaded->model); !set) return failed(set.error());
  auto how = options.how;
  how.scene = loaded->scene;
  const bool all = std::ranges::find(options.animations, "all") != options.animations.end();
  for (const std::string& animation : all ? std::vector<std::string>() : options.animations) {
    const auto clip = find_clip(animation, loaded->model);
    if (!clip) return failed(clip.error());
    if (std::ranges::find(how.clips, *clip) == how.clips.end()) how.clips.push_back(*clip);
  }
  how.normals = !options.without_normals;
  how.threads = alone ? common.threads : 1;  // several files are processed in parallel
  how.most_bytes = common.limits.memory;
  const auto done = sinew::operations::bake_texture(loaded->model, to, how);
  if (!done) return failed(done.error());
  if (alone) warn(*loaded, common);
  Outcome outcome = baked(to, *done, loaded->model);
  if (const auto uneven = alone ? std::nullopt : need(sinew::deform::uneven_weights(loaded->model))) outcome.changes.push_back(*uneven);
  for (const std::string& note : done->notes)
    outcome.changes.push_back({"SINEW_EDIT_LOST", sinew::Severity::warning, {}, std::nullopt, note});
  return outcome;
}

/// The files beside NAME.glb.
std::vector<std::string> texture_endings(const sinew::operations::BakeTextureOptions& how) {
  const std::string extension = how.format == TexelFormat::exr ? ".exr" : ".png";
  return {"_vat" + extension, "_vnrm" + extension, "-remap_info.json"};
}

int run_bake(const BakeCommand& options, const Common& common, const Command& command) {
  if (names_any_file(options.paths, options.output))
    return common.terminal.fail_usage(fmt::format("--output {}: found the name of a file, expected a folder", options.output));
  std::error_code unknown;
  const bool alone = options.paths.size() == 1 && !options.many.any() && !std::filesystem::is_directory(options.paths.front(), unknown);
  if (options.json && !alone) return common.terminal.fail_usage("--json works with one file; use --jsonl for several");
  return write_many(command, options.paths, options.many, common, options.output, ".glb", texture_endings(options.how),
                    [&](const std::filesystem::path& from, const std::filesystem::path& to) {
                      const bool named = from != "-";  // standard input has no name
                      Outcome outcome = bake_one(from, named ? to : to.parent_path() / "model.glb", options, common, alone);
                      if (!options.json || outcome.error) return outcome;
                      outcome.talk.clear();
                      if (const int status = print_data(outcome.result + "\n", common.terminal); status != Exit::done)
                        outcome.status = status;
                      return outcome;
                    });
}

}  // namespace

Run add_bake(Command command, Common& common) {
  auto options = std::make_shared<BakeCommand>();
  common.files.reads(options->paths);
  common.files.writes(options->output);
  command.add_option("IN", options->paths, "The models, or folders to search for models; - reads standard input, as model")
      .check(not_empty())
      .required();
  command.add_option("-o,--output", options->output, "Write into this folder: NAME.glb, NAME_vat, NAME_vnrm and NAME-remap_info.json")
      .required()
      .check(not_empty())
      .type_name("FOLDER");
  command
      .add_option("--animation", options->animations,
                  "Bake this animation, by name or index, or all (default: all); repeatable, in that order")
      .check(not_empty())
      .type_name("NAME|INDEX|all")
      .one_each();
  command.add_option("--fps", options->how.fps, "Bake F frames per second, from 0 as long as each animation lasts (default: 30)")
      .type_name("F")
      .check(positive());
  add_choice<TexelFormat>(command, "--format", options->how.format,
                          {{"png8", TexelFormat::png8}, {"png16", TexelFormat::png16}, {"exr", TexelFormat::exr}},
                          "Store texels with 8 bits (png8), 16 bits (png16) or as half floats (exr) (default: png16)", "F");
  command.add_option("--max-size", options->how.most_texels, "Limit the width and the height of the texture to N texels (default: 8192)")
      .type_name("N")
      .check(between(1, 65536));
  add_avatar(command, options->avatar);
  command.add_flag("--no-normals", options->without_normals, "Write no texture of normals");
  command.add_flag("--json", options->json, "Write the figures as JSON to standard output");
  add_revision(command, common);
  add_many(command, options->many);
  return [options, &common, command] { return run_bake(*options, common, command); };
}

}  // namespace app
