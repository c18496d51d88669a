// SPDX-License-Identifier: MIT
#include "sinew/view.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "command.hpp"
#include "page.hpp"
#include "posing.hpp"

#include "sinew/validate.hpp"

namespace app {

namespace {

using sinew::Error;
using sinew::Failure;
using sinew::Result;
using sinew::Unexpected;

struct ViewCommand {
  std::string input;
  Posing posing;
  std::uint16_t port = 0;
  bool no_open = false;
};

// What the page says beside the model: the report of `sinew validate`, null where there is none.
std::string findings_of(const std::string& path, const Common& common) {
  if (path == "-") return "null";
  sinew::validate::Options options;
  options.load.force = common.force;
  options.load.revision = common.revision;
  options.load.open.allow_outside = common.allow_outside;
  options.load.open.limits = common.limits;
  const auto report = sinew::validate::check_file(path, options);
  return report ? sinew::validate::to_json(*report) : "null";
}

// The address is made of digits, letters, dots, colons and slashes. What the desktop says of it is nobody's business.
void open_browser(const std::string& url) {
#ifdef __APPLE__
  const std::string command = "open '" + url + "' >/dev/null 2>&1 &";
#else
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  const std::string command = "xdg-open '" + url + "' >/dev/null 2>&1 &";
#endif
  if (std::system(command.c_str()) != 0) return;  // the address has been printed
}

Result<> view(const ViewCommand& options, const Common& common) {
  if (page.empty())
    return Unexpected(
        Error{Failure::unsupported, {}, {}, "this build has no page to show: install npm, let it reach its registry, and build again"});
  const auto loaded = load(options.input, common);
  if (!loaded) return Unexpected(loaded.error());
  const auto scene = scene_of(loaded->model, common);
  if (!scene) return Unexpected(scene.error());
  auto poser = make_poser(options.posing, loaded->model, *scene, common.terminal);
  if (!poser) return Unexpected(poser.error());
  warn(*loaded, common);

  sinew::show::ViewOptions what;
  what.page = page;
  what.scene = *scene;
  what.threads = common.threads;
  if (poser->clip != nullptr) what.clip = static_cast<sinew::Index>(poser->clip - loaded->model.clips.data());
  what.base = std::move(poser->base);
  what.edit = std::move(poser->file);
  what.edit.amounts.insert(what.edit.amounts.end(), poser->blends.amounts.begin(), poser->blends.amounts.end());
  what.findings = [&] { return findings_of(options.input, common); };
  sinew::show::ServeOptions how;
  how.port = options.port;
  how.ready = [&](const std::string& url) {
    std::printf("%s\n", url.c_str());
    std::fflush(stdout);
    common.terminal.talk("Ctrl-C ends it, and so does closing the page");
    if (!options.no_open) open_browser(url);
  };
  return sinew::show::serve(loaded->model, what, how);
}

}  // namespace

Run add_view(CLI::App& command, Common& common) {
  auto options = std::make_shared<ViewCommand>();
  command.add_option("IN", options->input, "The model; - reads standard input")->check(not_empty())->required();
  add_clip(command, options->posing);
  add_overrides(command, options->posing);
  command.add_option("--port", options->port, "The port on this machine (default 0: a free one)")->type_name("P")->check(between(0, 65535));
  command.add_flag("--no-open", options->no_open, "Print the address, open no browser");
  add_revision(command, common);
  return [options, &common]() -> int {
    if (const auto wrong = contradiction(options->posing, options->input)) return common.terminal.fail_usage(*wrong);
    const auto done = view(*options, common);
    return done ? Exit::done : common.terminal.fail(done.error());
  };
}

}  // namespace app
