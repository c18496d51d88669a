// SPDX-License-Identifier: MIT
#include "sinew/retarget.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "command.hpp"
#include "console/joined.hpp"
#include "console/need.hpp"
#include "edits.hpp"
#include "interface.hpp"
#include "reports/retarget_report.hpp"

namespace app {

namespace {

using sinew::operations::Retargeted;
using sinew::operations::RootMotion;

// Nothing would move, or the file of pairs does not fit the files.
constexpr std::string_view retargets_nothing[] = {"RETARGET_NO_MATCH", "RETARGET_MOVES_NOTHING", "RETARGET_NO_ANIMATION", "RETARGET_MAP"};

struct RetargetCommand {
  std::string target, output, report, map;
  std::vector<std::string> motions, animations;
  sinew::operations::RetargetOptions how;
  bool json = false;
};

int write_report(const RetargetCommand& options, const Retargeted& done, const Common& common) {
  const std::string text = options.report.ends_with(".json") ? need(report_json(done)) + "\n" : retarget_page(done, options.target);
  return save_text(options.report, text, common.terminal);
}

/// A rig has dozens of control bones: without -v the first ones are enough.
std::string names_of(const std::vector<std::string>& names, const Common& common) {
  constexpr std::size_t most = 8;
  if (common.verbose || names.size() <= most + 1) return joined(names, ", ");
  return fmt::format("{}, and {} more (-v)", joined(std::span(names).first(most), ", "), names.size() - most);
}

std::string_view reason_of(std::string_view scale_from) {
  return scale_from == "hips"        ? "as their heights above the ground differ"
         : scale_from == "legs"      ? "as the legs differ in length"
         : scale_from == "head"      ? "as the ways from hips to head differ"
         : scale_from == "diagonals" ? "as the skeletons differ in size"
                                     : "because their sizes are unknown";
}

void tell(const RetargetCommand& options, const Retargeted& done, const Common& common) {
  for (const sinew::operations::RetargetedMotion& motion : done.motions) {
    std::vector<std::string> pairs;
    for (const auto& bone : motion.bones) pairs.push_back(bone.motion + " = " + bone.target);
    common.terminal.talk("{}: {} matched; the hips {}", motion.file.string(), count_of(motion.bones.size(), "bone", "bones"),
                         options.how.root_motion == RootMotion::none ? "do not move"
                         : options.how.root_motion == RootMotion::keep
                             ? "move as far as in the motion"
                             : fmt::format("move {:.4g} times as far, {}", motion.scale, reason_of(motion.scale_from)));
    if (common.verbose) common.terminal.talk("  {}", joined(pairs, ", "));
    if (motion.lean > 0)
      common.terminal.talk("  the pose that it stores leans by {:.2g} degrees, so its bind pose is the rest pose", motion.lean);
    if (!motion.unmapped.empty()) common.terminal.talk("  without a counterpart: {}", names_of(motion.unmapped, common));
    if (!motion.lost_expressions.empty())
      common.terminal.talk("  expressions that the target lacks: {}", joined(motion.lost_expressions, ", "));
  }
  for (const sinew::operations::RetargetedClip& clip : done.clips) {
    constexpr double shown = 0.01;  // of a metre
    common.terminal.talk(
        "  {}: {:.4g} s, {}{}", clip.name, clip.duration, count_of(clip.channels, "channel", "channels"),
        clip.depth < shown ? std::string() : fmt::format("; up to {:.2g} m below the ground, at {:.3g} s", clip.depth, clip.depth_seconds));
  }
}

/// The last lines are those that are read.
void tell_warnings(const Retargeted& done, const Common& common) {
  for (const sinew::Finding& warning : done.warnings.list()) {
    const std::string text = fmt::format("{} [{}]", warning.message, warning.code);
    if (warning.severity == sinew::Severity::warning)
      common.terminal.warn(text);
    else
      common.terminal.talk("{}", text);
  }
}

int run_retarget(const RetargetCommand& options, const Common& common) {
  sinew::operations::RetargetOptions how = options.how;
  how.load = common.load_options();
  how.threads = common.threads;
  how.map = options.map;
  if (std::ranges::find(options.animations, "all") == options.animations.end()) how.clips = options.animations;
  if (!options.report.empty() && !options.report.ends_with(".json") && !options.report.ends_with(".html"))
    return common.terminal.fail(usage_error(fmt::format("--report {}: expected a name that ends with .html or .json", options.report)));
  sinew::FindingList found, losses;
  const std::vector<std::filesystem::path> motions(options.motions.begin(), options.motions.end());
  const auto done = sinew::operations::retarget(options.target, motions, options.output, how, found, losses);
  print_findings(found, common);
  if (!done) {
    const int status = common.terminal.fail(done.error());
    return std::ranges::find(retargets_nothing, done.error().code) != std::end(retargets_nothing) ? Exit::findings : status;
  }
  tell(options, *done, common);
  print_changes(losses, common);
  if (!options.report.empty())
    if (const int status = write_report(options, *done, common); status != Exit::done) return status;
  if (options.json)
    if (const int status = print_data(need(report_json(*done)) + "\n", common.terminal); status != Exit::done) return status;
  common.terminal.talk("{}: {}, {} bytes, {}", options.output, done->format, done->bytes,
                       count_of(done->clips.size(), "new animation", "new animations"));
  tell_warnings(*done, common);
  return Exit::done;
}

}  // namespace

Run add_retarget(Command command, Common& common) {
  auto options = std::make_shared<RetargetCommand>();
  common.files.reads(options->target);
  common.files.reads(options->motions);
  common.files.reads(options->map);
  common.files.writes(options->output);
  common.files.writes(options->report);
  command.add_option("MODEL", options->target, "The character that gets the animations").check(not_empty()).required();
  command.add_option("MOTION", options->motions, "The files with animations: glTF, VRM, VRM Animation or G4MF")
      .check(not_empty())
      .required();
  command.add_option("-o,--output", options->output, "Write the new file").required().type_name("FILE").check(not_empty());
  command
      .add_option("--animation", options->animations,
                  "Use this animation of each MOTION, by name or index, or all (default: all); repeatable")
      .check(not_empty())
      .type_name("NAME|INDEX|all")
      .one_each();
  command.add_option("--map", options->map, "Pair bones by the lines MOTION_BONE TARGET_BONE of this file, before names are compared")
      .check(not_empty())
      .type_name("FILE");
  command
      .add_option("--names", options->how.names,
                  "Read the names of bones by this profile, such as vrm, mixamo, unreal or rigify_def, or by the best one (default: auto)")
      .check(not_empty())
      .type_name("PROFILE|auto");
  add_choice<RootMotion>(command, "--root-motion", options->how.root_motion,
                         {{"scale", RootMotion::scale}, {"keep", RootMotion::keep}, {"none", RootMotion::none}},
                         "Scale the motion of the hips by the sizes of the characters, keep it, or leave it out (default: scale)",
                         "scale|keep|none");
  add_choice<bool>(command, "--align", options->how.align, {{"auto", true}, {"none", false}},
                   "Turn the limbs of MODEL at rest as those of MOTION first (default: none)", "auto|none");
  command
      .add_option("--report", options->report, "Write what was matched and measured; .html also shows the worst moment of each animation")
      .check(not_empty())
      .type_name("OUT.html|OUT.json");
  command.add_flag("--json", options->json, "Write the report as JSON to standard output");
  return [options, &common] { return run_retarget(*options, common); };
}

}  // namespace app
