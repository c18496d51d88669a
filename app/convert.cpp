// SPDX-License-Identifier: MIT
#include "sinew/convert.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "command.hpp"

namespace app {

namespace {

using sinew::edit::Compression;
using sinew::edit::GroupNames;
using sinew::edit::Skeletons;

struct ConvertOptions {
  std::string input, output, loss_file;
  Compression compression = Compression::keep;
  GroupNames group_names = GroupNames::keep;
  Skeletons skeletons = Skeletons::keep;
  std::optional<sinew::g4mf::Revision> revision;
  std::size_t max_influences = 0;
};

std::string count_of(const sinew::FindingList& losses) {
  const auto count =
      std::ranges::count_if(losses.list(), [](const sinew::Finding& loss) { return loss.severity != sinew::Severity::hint; });
  return count == 0 ? "no losses" : count == 1 ? "1 loss" : fmt::format("{} losses", count);
}

int run_convert(const ConvertOptions& options, const Common& common) {
  sinew::edit::ConvertOptions how;
  how.open = common.load_options().open;
  how.compression = options.compression;
  how.group_names = options.group_names;
  how.skeletons = options.skeletons;
  how.revision = options.revision;
  how.max_influences = options.max_influences;
  sinew::FindingList found, losses;
  const auto done = sinew::edit::convert(options.input, options.output, how, found, losses);
  print_findings(found, common);
  if (!done) return common.terminal.fail(done.error());
  print_changes(losses, common);
  if (!options.loss_file.empty())
    if (const auto saved = sinew::edit::save_losses(losses.list(), options.loss_file); !saved) return common.terminal.fail(saved.error());
  common.terminal.talk("{}: {}, {} bytes, {}", options.output, done->format, done->bytes, count_of(losses));
  return Exit::done;
}

}  // namespace

Run add_convert(CLI::App& command, Common& common) {
  auto options = std::make_shared<ConvertOptions>();
  command.add_option("IN", options->input, "The G4MF or glTF file; - reads standard input")->required();
  command.add_option("OUT", options->output, "The new file: .g4tf or .gltf (text), .g4b or .glb (binary)")->required();
  std::map<std::string, std::optional<sinew::g4mf::Revision>> revisions;
  for (std::size_t i = 0; i < std::size(sinew::g4mf::revision_names); ++i)
    revisions.emplace(sinew::g4mf::revision_names[i], static_cast<sinew::g4mf::Revision>(i));
  add_choice(command, "--revision", options->revision, revisions,
             fmt::format("The revision of G4MF to write: {} (default: that of the file)", fmt::join(sinew::g4mf::revision_names, ", ")),
             "R");
  add_choice<GroupNames>(command, "--group-names", options->group_names,
                         {{"keep", GroupNames::keep}, {"drop", GroupNames::drop}, {"write", GroupNames::write}},
                         "Names of groups in skins: keep (default), drop where bones have the same, write where there are none", "HOW");
  add_choice<Skeletons>(
      command, "--skeletons", options->skeletons,
      {{"keep", Skeletons::keep}, {"strict", Skeletons::strict}, {"bone", Skeletons::bone}, {"plain", Skeletons::plain}},
      "Skeletons of glTF: keep (default), strict (of their own, STAIK_skeletons), bone (KHR_skeleton_bone), plain (by skins alone)", "HOW");
  add_choice<Compression>(command, "--compress", options->compression, {{"none", Compression::none}, {"zstd", Compression::zstd}},
                          "How to store buffers of G4MF: none or zstd (default: as they are)", "HOW");
  command
      .add_option("--max-influences", options->max_influences,
                  "Keep the N strongest influences of each vertex; tells how far vertices move (default: all)")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command.add_option("--loss", options->loss_file, "Write what the new file could not hold, a JSON list of {pointer, what}")
      ->type_name("FILE");
  return [options, &common] { return run_convert(*options, common); };
}

}  // namespace app
