// SPDX-License-Identifier: MIT
#include "sinew/convert.hpp"

#include <memory>
#include <optional>

#include "clip_edits.hpp"
#include "command.hpp"
#include "edits.hpp"
#include "hyperplanes.hpp"
#include "many.hpp"

namespace app {

namespace {

using sinew::operations::Compression;
using sinew::operations::GroupNames;
using sinew::operations::Skeletons;

struct ConvertOptions {
  std::vector<std::string> paths;
  std::string output, to, loss_file;
  std::vector<std::string> cuts;
  ClipTexts clips;
  Many many;
  sinew::operations::ConvertOptions how;
  std::string vrm;
  bool json = false;
};

sinew::operations::ConvertOptions how_of(const ConvertOptions& options, const Common& common) {
  sinew::operations::ConvertOptions how = options.how;
  how.to_vrm1 = !options.vrm.empty();
  how.load.open = common.load_options().open;
  if (common.scene >= 0) how.scene = static_cast<sinew::Index>(common.scene);
  how.threads = common.threads;
  how.measure = options.json;
  return how;
}

std::string told(const std::string& output, const sinew::operations::Written& done, const sinew::FindingList& losses) {
  return fmt::format("{}: {}, {} bytes, {}", output, done.format, done.bytes, count_losses(losses));
}

int convert_one(const ConvertOptions& options, const std::string& output, const Common& common) {
  const std::filesystem::path list_folder = std::filesystem::path(options.loss_file).parent_path();
  std::error_code unknown;
  if (!list_folder.empty() && !std::filesystem::is_directory(list_folder, unknown))
    return common.terminal.fail(
        sinew::Error{sinew::Failure::output, "SINEW_OUTPUT", {options.loss_file, {}, {}}, "the folder of this file does not exist"});
  sinew::FindingList found, losses;
  const auto done = sinew::operations::convert(options.paths[0], output, how_of(options, common), found, losses);
  print_findings(found, common);
  if (!done) return common.terminal.fail(done.error());
  if (!options.loss_file.empty())
    if (const auto saved = sinew::operations::save_losses(losses.list(), options.loss_file); !saved)
      return common.terminal.fail(saved.error());
  return print_edit(output, *done, losses, told(output, *done, losses), options.json, common);
}

int convert_many(const ConvertOptions& options, const Common& common, const Command& command) {
  auto how = how_of(options, common);
  how.name = output_name(options.paths, options.output);
  return write_many(command, options.paths, options.many, common, options.output, fmt::format(".{}", options.to), {},
                    [&](const std::filesystem::path& from, const std::filesystem::path& to) -> Outcome {
                      sinew::FindingList found, losses;
                      const auto done = sinew::operations::convert(from, to, how, found, losses);
                      if (!done) return failed(done.error());
                      return outcome_of(to, *done, losses, told(to.string(), *done, losses));
                    });
}

int run_convert(const ConvertOptions& options, const Common& common, const Command& command) {
  const auto usage = [&](const char* message) { return common.terminal.fail(usage_error(message)); };
  if (options.how.accept_vrm_license && options.vrm.empty()) return usage("--accept-vrm-license needs --vrm 1.0");
  if (options.json && options.loss_file == "-") return usage("--json and --loss - cannot both write to standard output");
  if (!options.output.empty()) {
    const bool file = names_file(options.paths, options.output);
    if (file && !options.to.empty() && !options.output.ends_with('.' + options.to))
      return usage("--to names another format than the extension of --output");
    if (file && !options.many.any()) return convert_one(options, options.output, common);
    if (!file && options.to.empty()) return usage("--output needs --to, the format of the new files");
    if (!options.loss_file.empty()) return usage("--loss works with one file; use --jsonl, whose lines list the losses");
    if (options.json) return usage("--json works with one file; use --jsonl for several");
    return convert_many(options, common, command);
  }
  if (options.many.any() || !options.to.empty())
    return usage("--to, --shard, --jsonl and --if-changed need --output, the new file or the folder for the new files");
  if (options.paths.size() != 2)
    return usage(options.paths.size() < 2 ? "expected OUT, or --output with --to"
                                          : "expected IN and OUT, or --output and --to for several files");
  return convert_one(options, options.paths[1], common);
}

}  // namespace

Run add_convert(Command command, Common& common) {
  auto options = std::make_shared<ConvertOptions>();
  // IN OUT without --output; else all are inputs.
  const auto names_output = [](const ConvertOptions& given) { return given.output.empty() && given.paths.size() == 2; };
  common.files.more_inputs([options, names_output] {
    return std::vector<std::string>(options->paths.begin(), options->paths.end() - (names_output(*options) ? 1 : 0));
  });
  common.files.more_outputs([options, names_output] {
    return std::vector<std::string>{names_output(*options) ? options->paths.back() : options->output, options->loss_file};
  });
  command
      .add_option(
          "IN OUT", options->paths,
          "The G4MF or glTF file (- reads standard input) and the new file: .g4tf or .gltf (text), .g4b or .glb (binary). With --output: "
          "files, or folders to search for models")
      .required();
  command
      .add_option("-o,--output", options->output,
                  "Write the new file here; for several inputs, a folder: files keep their names and get the extension of --to")
      .check(not_empty())
      .type_name("PATH");
  command.add_option("--to", options->to, "Set the format of the new files for --output: glb, gltf, vrm, g4b or g4tf")
      .check(member_of({"glb", "gltf", "vrm", "g4b", "g4tf"}))
      .type_name("FORMAT");
  add_revision(command, options->how.revision, "Write this revision of G4MF", "the revision of the file");
  add_choice<GroupNames>(
      command, "--group-names", options->how.group_names,
      {{"keep", GroupNames::keep}, {"drop", GroupNames::drop}, {"write", GroupNames::write}},
      "Set the names of groups in skins: keep (default), drop (remove those equal to bone names) or write (add missing names)", "HOW");
  add_choice<Skeletons>(
      command, "--skeletons", options->how.skeletons,
      {{"keep", Skeletons::keep}, {"strict", Skeletons::strict}, {"bone", Skeletons::bone}, {"plain", Skeletons::plain}},
      "Set how glTF stores skeletons: keep (default), strict (STAIK_skeletons), bone (KHR_skeleton_bone) or plain (only in skins)", "HOW");
  add_choice<Compression>(command, "--compress", options->how.compression, {{"none", Compression::none}, {"zstd", Compression::zstd}},
                          "Set the compression of G4MF buffers: none or zstd (default: unchanged)", "HOW");
  command
      .add_option("--max-influences", options->how.max_influences,
                  "Keep the N strongest influences of each vertex and report how far vertices move (default: all)")
      .type_name("N")
      .check(positive());
  command
      .add_option("--slice", options->cuts,
                  std::string("Write a static slice of the model at rest: cut at ") + hyperplane_help + "; repeatable")
      .type_name("AXIS=OFFSET")
      .one_each();
  command.add_flag("--project", options->how.project,
                   "Write a static projection of the model at rest, or of its slice, to three dimensions, as lines where it had more");
  command
      .add_option(
          "--cut-clip", options->clips.cuts,
          "Add a clip NEW: the clip OLD from START to END seconds; repeatable. Clips are found by name or index, and the changes of "
          "clips happen in the order cut, append, rename, drop")
      .type_name("NEW=OLD@START:END")
      .one_each();
  command
      .add_option("--append-clips", options->clips.appends, "Add a clip NEW that plays the clips A, B, ... one after the other; repeatable")
      .type_name("NEW=A,B")
      .one_each();
  command.add_option("--rename-clip", options->clips.renames, "Rename the clip OLD to NEW; repeatable").type_name("OLD=NEW").one_each();
  command.add_option("--drop-clip", options->clips.drops, "Remove a clip; repeatable").type_name("NAME").one_each();
  command
      .add_option("--vrm", options->vrm,
                  "Convert an avatar of VRM 0.x to this version of VRM: 1.0. It needs --accept-vrm-license; the losses are listed")
      .check(member_of({"1.0"}))
      .type_name("VERSION");
  command.add_flag("--accept-vrm-license", options->how.accept_vrm_license,
                   "Agree, as the owner of the avatar, to the VRM 1.0 licence (https://vrm.dev/licenses/1.0/), which the new file names");
  command.add_option("--loss", options->loss_file, "Write the losses to a file, as a JSON list of {pointer, what}").type_name("FILE");
  add_edit_options(command, options->how, options->json);
  add_many(command, options->many);
  return [options, &common, command]() -> int {
    auto cuts = parse_cuts(options->cuts);
    if (!cuts) return common.terminal.fail(cuts.error());
    options->how.slices = *std::move(cuts);
    auto clips = parse_clip_edits(options->clips);
    if (!clips) return common.terminal.fail(clips.error());
    options->how.clips = *std::move(clips);
    return run_convert(*options, common, command);
  };
}

}  // namespace app
