// SPDX-License-Identifier: MIT

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "command.hpp"
#include "comparison/compare_files.hpp"
#include "console/json.hpp"
#include "console/need.hpp"
#include "page.hpp"
#include "page_output.hpp"
#include "posing.hpp"

#include "sinew/deadline.hpp"
#include "sinew/load.hpp"
#include "sinew/render.hpp"
#include "sinew/result.hpp"
#include "sinew/retarget.hpp"
#include "sinew/validate.hpp"

namespace app {

namespace {

using sinew::Error;
using sinew::Result;
using sinew::Unexpected;

struct ViewCommand {
  std::string input;
  PoseOptions posing;
  std::uint16_t port = 0;
  bool no_open = false;
  std::string exported;  ///< the page to write instead of serving it; empty: none
  bool flex = false;
  std::string compared;  ///< another model, to show distances to; empty: none
};

// Returns the data of the page besides the model: the report of `sinew validate`, or null. Shared pages do not reveal the file's folder.
std::string findings_of(const std::string& path, bool whole_path, const Common& common) {
  if (path == "-") return "null";
  sinew::validate::Options options;
  options.load.force = common.force;
  options.load.revision = common.revision;
  options.load.open.allow_outside = common.allow_outside;
  options.load.open.limits = common.limits;
  auto report = sinew::validate::check_file(path, options);
  if (report && !whole_path) report->uri = std::filesystem::path(path).filename().string();
  return report ? need(sinew::validate::to_json(*report)) : "null";
}

// The address has only digits, letters, dots, colons and slashes, so it is safe in a shell. Messages of the desktop are discarded.
void open_browser(const std::string& url) {
#ifdef __APPLE__
  const std::string command = "open '" + url + "' >/dev/null 2>&1 &";
#else
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  const std::string command = "xdg-open '" + url + "' >/dev/null 2>&1 &";
#endif
  if (std::system(command.c_str()) != 0) return;  // ignore the error: the address has been printed
}

Result<> write_page(const ViewCommand& options, const sinew::Model& model, const sinew::show::ViewOptions& what, const Common& common) {
  const auto made = sinew::show::export_page(model, what, page_options(common), options.exported);
  if (!made) return Unexpected(made.error());
  tell_of_page(options.exported, *made, common);
  return {};
}

Result<> add_comparison(const ViewCommand& options, const sinew::Model& model, const Common& common, sinew::show::ViewOptions& what) {
  CompareOptions how;
  how.a = options.input;
  how.b = options.compared;
  how.keep_distances = true;
  const auto other = load(options.compared, common);
  if (!other) return Unexpected(other.error());
  const auto compared = compare_models(model, other->model, how, common);
  if (!compared) return Unexpected(compared.error());
  what.comparison = to_json(compared->comparison, how).indented();
  if (auto heat = heat_of(model, compared->comparison)) what.heat = *std::move(heat);
  return {};
}

/// Puts the animations of a file that was dropped on the page on the model that it shows.
Result<sinew::show::WithMotion> take_motion(std::span<const std::byte> bytes, const sinew::Model& shown, const Common& common) {
  sinew::FindingList found;
  const auto motion = sinew::io::load_memory(bytes, "the dropped file", common.load_options(), found);
  if (!motion) return Unexpected(motion.error());
  auto moved = sinew::operations::retarget_model(*motion, shown);
  if (!moved) return Unexpected(std::move(moved.error()));
  sinew::show::WithMotion out{std::move(moved->model), {}};
  for (const sinew::Finding& warning : moved->warnings.list()) out.notes.push_back(warning.message);
  return out;
}

/// Makes expressions a part of what the page shows after the clip; those that are clips (KHR_character) before it.
void append_expressions(const sinew::Model& model, const std::vector<sinew::animate::ExpressionAmount>& expressions,
                        sinew::show::ViewOptions& what) {
  what.expressions = expressions;
  need(sinew::animate::express(model, expressions, what.base));
  if (expressions.empty()) return;
  for (const sinew::Expression& expression : model.avatar.expressions)
    for (const sinew::ShapeBind& bind : expression.binds)
      what.edit.amounts.push_back({bind.node, bind.shape, what.base.amounts[bind.node][bind.shape]});
}

Result<> view(const ViewCommand& options, const Common& common) {
  if (auto lacking = why_no_page()) return Unexpected(std::move(*lacking));
  auto posed = load_posed(options.input, options.posing, common);
  if (!posed) return Unexpected(posed.error());
  const sinew::Model& model = posed->model();
  Poser& poser = posed->poser;

  sinew::show::ViewOptions what;
  what.page = page;
  what.scene = posed->scene;
  what.threads = common.threads;
  if (poser.clip != nullptr) what.clip = static_cast<sinew::Index>(poser.clip - model.clips.data());
  what.base = std::move(poser.base);
  what.edit = std::move(poser.file);
  append_expressions(model, poser.expressions, what);
  what.edit.amounts.insert(what.edit.amounts.end(), poser.blends.amounts.begin(), poser.blends.amounts.end());
  what.findings = [&] { return findings_of(options.input, options.exported.empty(), common); };
  what.note = [&](const Error& note) { common.terminal.warn(note); };
  if (!options.compared.empty())
    if (auto done = add_comparison(options, model, common, what); !done) return done;
  std::optional<sinew::operations::FlexReport> report;
  if (options.flex) {
    sinew::operations::FlexOptions how;
    how.scene = posed->scene;
    how.threads = common.threads;
    auto found = bend_with_progress(model, how, common);
    if (!found) return Unexpected(std::move(found.error()));
    what.flex = &report.emplace(std::move(*found));
  }
  if (!options.exported.empty()) return write_page(options, model, what, common);
  sinew::show::ServeOptions how;
  how.port = options.port;
  how.ready = [&](const std::string& url) {
    std::printf("%s\n", url.c_str());
    std::fflush(stdout);
    common.terminal.talk("Press Ctrl-C or close the page to stop");
    if (!options.no_open) open_browser(url);
  };
  how.motion = [&](std::span<const std::byte> bytes, const sinew::Model& shown) { return take_motion(bytes, shown, common); };
  const sinew::Deadline unlimited(0);
  return sinew::show::serve(model, what, how);
}

}  // namespace

Run add_view(Command command, Common& common) {
  auto options = std::make_shared<ViewCommand>();
  common.files.reads(options->input);
  common.files.reads(options->compared);
  common.files.writes(options->exported);
  command.add_option("IN", options->input, "The model; - reads standard input").check(not_empty()).required();
  add_clip(command, options->posing);
  add_overrides(command, options->posing, common);
  const auto exported =
      command.add_option("--export", options->exported, "Write one page that works without this program and without a network")
          .check(not_empty())
          .type_name("PAGE.html");
  command.add_option("--compare", options->compared, "Show how far each vertex is from its counterpart in another model (sinew compare)")
      .check(not_empty())
      .type_name("B")
      .excludes(exported);
  command.add_flag("--flex", options->flex,
                   "Bend the rig, list where its vertices deform badly, and play and mark the worst poses (sinew flex)");
  command.add_option("--port", options->port, "Listen on this port of this machine (default: 0, a free port)")
      .type_name("P")
      .check(between(0, 65535))
      .excludes(exported);
  command.add_flag("--no-open", options->no_open, "Print the address without opening a browser").excludes(exported);
  add_revision(command, common);
  return [options, &common]() -> int {
    if (const auto wrong = contradiction(options->posing, options->input)) return common.terminal.fail_usage(*wrong);
    if (!options->compared.empty() && (options->input == "-" || options->compared == "-"))
      return common.terminal.fail_usage("--compare needs two files; standard input can be read only once");
    if (options->flex && (!options->posing.pose.empty() || !options->posing.blends.empty() || !options->posing.avatar.expressions.empty()))
      return common.terminal.fail_usage("--flex bends the model as stored; it cannot be combined with --pose, --blend or --expression");
    if (!options->exported.empty() && !names_page(options->exported))
      return common.terminal.fail_usage(fmt::format("{}: --export writes a page; expected .html", options->exported));
    const auto done = view(*options, common);
    return done ? Exit::done : common.terminal.fail(done.error());
  };
}

}  // namespace app
