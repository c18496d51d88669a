// SPDX-License-Identifier: MIT
#include "sinew/lift.hpp"

#include <memory>
#include <string>
#include <vector>

#include "command.hpp"
#include "console/json.hpp"
#include "console/number.hpp"
#include "edits.hpp"

namespace app {

namespace {

struct LiftOptions {
  std::string input, output;
  std::vector<std::string> into_w;
  double thickness = 0;
  sinew::operations::LiftOptions how;
  bool json = false;
};

sinew::Result<> parse_turns(const std::vector<std::string>& texts, sinew::operations::LiftOptions& how) {
  for (const std::string& text : texts) {
    const std::size_t sign = text.rfind('=');
    const auto degrees = sign == std::string::npos ? std::nullopt : number_in<double>(std::string_view(text).substr(sign + 1));
    if (sign == 0 || !degrees)
      return sinew::Unexpected(usage_error(fmt::format("--pose-into-w: found \"{}\", expected JOINT=DEG, for example LeftArm=60", text)));
    how.into_w.emplace_back(text.substr(0, sign), *degrees);
  }
  return {};
}

Json json_of(const sinew::operations::LiftReport& report) {
  auto left_out = Json::array();
  for (const sinew::operations::LeftOut& out : report.left_out)
    left_out.push_back({{"mesh", out.mesh}, {"simplexes", out.simplexes}, {"reason", out.why}});
  return {{"thickness", report.thickness}, {"thinnest", report.thinnest}, {"thinnestMesh", report.thin_mesh},
          {"limited", report.limited},     {"meeting", report.meeting},   {"rings", report.rings},
          {"before", report.before},       {"borders", report.borders},   {"simplexes", report.simplexes},
          {"vertices", report.vertices},   {"leftOut", left_out}};
}

int run_lift(const LiftOptions& options, const Common& common) {
  sinew::operations::LiftOptions how = options.how;
  how.load = common.load_options();
  how.threads = common.threads;
  if (common.scene >= 0) how.scene = static_cast<sinew::Index>(common.scene);
  if (options.thickness > 0) how.thickness = options.thickness;
  if (const auto parsed = parse_turns(options.into_w, how); !parsed) return common.terminal.fail(parsed.error());
  how.starts = [&](std::size_t simplexes, std::size_t vertices) {
    common.terminal.talk("{}: making {} simplexes with {} vertices", options.input, simplexes, vertices);
  };
  sinew::FindingList found, losses;
  const auto done = sinew::operations::lift(options.input, options.output, how, found, losses);
  print_findings(found, common);
  if (!done) return common.terminal.fail(done.error());
  const sinew::operations::LiftReport& report = done->report;
  std::string talk = fmt::format("{}: {}, {} bytes; {} simplexes became {}, thickness {:.4g}, {} points in a ring", options.output,
                                 done->format, done->bytes, report.before, report.simplexes, report.thickness, report.rings);
  if (report.borders != 0) talk += fmt::format("; {} sides of borders were closed", report.borders);
  if (report.limited != 0)
    talk += fmt::format("; at {} places the surface bends or comes near itself and is thinner, down to {:.3g} in \"{}\"", report.limited,
                        report.thinnest, report.thin_mesh);
  if (report.meeting != 0) talk += fmt::format("; {} simplexes touch or cross others at rest, and so do their walls", report.meeting);
  return print_outcome(outcome_of(options.output, *done, losses, talk, [&](Json& row) { row.add("lift", json_of(report)); }), *done, losses,
                       options.json, common);
}

}  // namespace

Run add_lift(Command command, Common& common) {
  auto options = std::make_shared<LiftOptions>();
  common.files.reads(options->input);
  common.files.writes(options->output);
  command.add_option("IN", options->input, "The glTF file, or a G4MF file of three or more dimensions; - reads standard input").required();
  command.add_option("-o,--output", options->output, "Write the new G4MF file: .g4tf (text) or .g4b (binary)")
      .required()
      .check(not_empty())
      .type_name("FILE");
  command
      .add_option("--thickness", options->thickness,
                  "Set the radius of the rings, in the units of the file (default: 2 % of the diagonal at rest)")
      .type_name("R")
      .check(positive());
  command
      .add_option("--rings", options->how.rings,
                  "Make rings of K points, an even number from 4 on (default: 6 to 12, by R and the length of the edges)")
      .type_name("K")
      .check(positive());
  command
      .add_option("--pose-into-w", options->into_w,
                  "Add a clip \"into w\" that turns the direction of this bone towards the new axis by DEG degrees, and back; repeatable")
      .type_name("JOINT=DEG")
      .one_each();
  add_fail_on_loss(command, options->how.on_loss);
  command.add_flag("--json", options->json, "Print the outcome as JSON");
  return [options, &common] { return run_lift(*options, common); };
}

}  // namespace app
