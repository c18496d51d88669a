// SPDX-License-Identifier: MIT
#include "sinew/rebind.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include "command.hpp"
#include "comparison/comparison_text.hpp"
#include "console/json.hpp"
#include "console/need.hpp"
#include "console/number.hpp"
#include "edits.hpp"

namespace app {

namespace {

using sinew::operations::BindPose;

struct RebindOptions {
  std::string input, output, to;
  std::vector<std::string> joints;
  sinew::operations::RebindOptions how;
  bool json = false;
};

sinew::Result<> parse_pose(const std::string& to, sinew::operations::RebindOptions& how) {
  const std::map<std::string, BindPose> words = {
      {"", BindPose::keep}, {"rest", BindPose::rest}, {"identity", BindPose::identity}, {"default", BindPose::skeleton}};
  if (const auto word = words.find(to); word != words.end()) {
    how.to = word->second;
    return {};
  }
  const std::size_t at = to.rfind('@');
  const auto seconds = at == std::string::npos ? std::nullopt : number_in<double>(std::string_view(to).substr(at + 1));
  if (!to.starts_with("clip:") || !seconds)
    return sinew::Unexpected(usage_error(fmt::format("--to: found \"{}\", expected rest, identity, default or clip:NAME@SECONDS", to)));
  how.to = BindPose::clip;
  how.animation = to.substr(5, at - 5);
  how.seconds = *seconds;
  return {};
}

sinew::Result<> parse(const RebindOptions& options, sinew::operations::RebindOptions& how) {
  if (options.to.empty() && options.joints.empty() && !how.unify && !how.bake_shapes)
    return sinew::Unexpected(usage_error("expected --to, --joint, --unify or --bake-shapes"));
  if ((how.world || how.keep_vertices) && options.to != "rest" && !options.to.starts_with("clip:"))
    return sinew::Unexpected(
        usage_error(fmt::format("{} needs --to rest or --to clip:NAME@SECONDS", how.world ? "--world" : "--keep-vertices")));
  for (const std::string& joint : options.joints) {
    const std::size_t at = joint.rfind('=');
    if (at == std::string::npos || at == 0 || at + 1 == joint.size())
      return sinew::Unexpected(usage_error(fmt::format("--joint: found \"{}\", expected SLOT=BONE or SLOT=none", joint)));
    how.joints.push_back({joint.substr(0, at), joint.substr(at + 1)});
  }
  return parse_pose(options.to, how);
}

/// Names the flags of the program instead of the options of the library.
sinew::Error with_flags(sinew::Error error) {
  constexpr std::string_view option = "keep_vertices";
  if (const std::size_t at = error.message.find(option); error.code == "SINEW_EDIT_REFUSED" && at != std::string::npos)
    error.message.replace(at, option.size(), "--keep-vertices");
  return error;
}

/// Returns how far a vertex moved at rest.
double moved_at_rest(const sinew::operations::Comparison& movement) {
  double moved = 0;
  for (const auto& pair : movement.instances)
    for (const auto& part : pair.parts)
      if (part.kind == sinew::operations::Part::Kind::rest) moved = std::max(moved, part.distance.max);
  return moved;
}

int run_rebind(const RebindOptions& options, const Common& common) {
  sinew::operations::RebindOptions how = options.how;
  how.load = common.load_options();
  how.threads = common.threads;
  how.measure = options.json;
  if (const auto parsed = parse(options, how); !parsed) return common.terminal.fail(parsed.error());
  sinew::FindingList found, changes;
  const auto done = sinew::operations::rebind(options.input, options.output, how, found, changes);
  print_findings(found, common);
  if (!done) return common.terminal.fail(with_flags(done.error()));
  const std::string count =
      done->changes == 0 ? "no change needed" : fmt::format("{} {}", done->changes, done->changes == 1 ? "change" : "changes");
  std::string talk = fmt::format("{}: {}, {} bytes, {}", options.output, done->format, done->bytes, count);
  std::function<void(Json&)> more;
  if (how.keep_vertices && done->movement) {
    const double moved = moved_at_rest(*done->movement);
    more = [&done, moved](Json& row) { row.add("errorAtRest", json_number(done->movement->relative(moved))); };
    talk += fmt::format("; at rest vertices moved by up to {}", need(sinew::operations::distance_in_words(*done->movement, moved)));
  }
  return print_outcome(outcome_of(options.output, *done, changes, talk, more), *done, changes, options.json, common);
}

}  // namespace

Run add_rebind(Command command, Common& common) {
  auto options = std::make_shared<RebindOptions>();
  common.files.reads(options->input);
  common.files.writes(options->output);
  command.add_option("IN", options->input, "The G4MF or glTF file; - reads standard input").required();
  command.add_option("-o,--output", options->output, "Write the new file, in the same format: .g4tf or .gltf (text), .g4b or .glb (binary)")
      .required()
      .check(not_empty())
      .type_name("FILE");
  command
      .add_option("--to", options->to,
                  "Set the new bind pose: rest (the pose stored in the file), clip:NAME@SECONDS, default (of the strict skeleton) or "
                  "identity (no matrices)")
      .check(not_empty())
      .type_name("POSE");
  command.add_option("--joint", options->joints, "Let a joint slot follow another node, or none; repeatable")
      .type_name("SLOT=BONE")
      .one_each();
  command.add_option("--skin", options->how.skin, "Set the skin (G4MF: skeleton) for --joint, by name or index")
      .check(not_empty())
      .type_name("NAME|INDEX");
  command.add_flag("--unify", options->how.unify, "Share bind matrices among skins whose matrices differ by one factor only");
  command.add_flag("--bake-shapes", options->how.bake_shapes,
                   "Add the stored amounts of blend shapes to the meshes; the shapes stay, with amounts of 0");
  const auto world = command.add_flag("--world", options->how.world,
                                      "With --to rest or clip: store vertices in the space of the scene, so that each bind matrix is the "
                                      "inverse of its joint's world matrix");
  command
      .add_flag("--keep-vertices", options->how.keep_vertices,
                "With --to rest or clip: write the same matrices as --world for the vertices as they are stored, which changes the "
                "deformation (for skins that lost their bind matrices)")
      .excludes(world);
  command
      .add_option("--tolerance", options->how.tolerance,
                  "Allow vertices to move by up to R, relative to the size of their mesh (default: 1e-4)")
      .check(not_negative())
      .type_name("R");
  add_edit_options(command, options->how, options->json);
  return [options, &common] { return run_rebind(*options, common); };
}

}  // namespace app
