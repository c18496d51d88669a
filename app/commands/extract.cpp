// SPDX-License-Identifier: MIT

#include "sinew/extract.hpp"

#include <filesystem>
#include <memory>

#include "command.hpp"
#include "console/json.hpp"
#include "console/need.hpp"
#include "many.hpp"
#include "posing.hpp"
#include "reports/not_covered.hpp"

namespace app {

namespace {

struct ExtractCommand {
  std::vector<std::string> paths;
  std::string output;
  double fps = 30;
  bool json = false;
  Many many;
};

Outcome extract_one(const std::filesystem::path& from, const std::filesystem::path& to, const ExtractCommand& options, const Common& common,
                    bool alone, sinew::OutputName name) {
  const auto loaded = load_scene(from.string(), common);
  if (!loaded) return failed(loaded.error());
  const auto done = sinew::operations::extract(loaded->model, to, {loaded->scene, options.fps, common.limits.memory, name});
  if (!done) return failed(done.error());
  if (alone) warn(*loaded, common);
  Outcome outcome;
  outcome.did = sinew::batch::Did::written;
  if (const auto uneven = alone ? std::nullopt : need(sinew::deform::uneven_weights(loaded->model))) outcome.changes.push_back(*uneven);
  outcome.result = Json{{"output", to.string()},     {"vertices", done->vertices},
                        {"joints", done->joints},    {"blendShapes", done->shapes},
                        {"animations", done->clips}, {"frames", done->frames},
                        {"bytes", done->bytes},      {"notCovered", not_covered_json(need(sinew::not_covered(loaded->model)))}}
                       .text();
  outcome.talk = fmt::format("{}: {}, {}, {}, {} with {}, {} bytes", to.string(), count_of(done->vertices, "vertex", "vertices"),
                             count_of(done->joints, "joint", "joints"), count_of(done->shapes, "blend shape", "blend shapes"),
                             count_of(done->clips, "animation", "animations"), count_of(done->frames, "frame", "frames"), done->bytes);
  return outcome;
}

int run_extract(const ExtractCommand& options, const Common& common, const Command& command) {
  const bool file = names_file(options.paths, options.output, ".npz");
  if ((file && !options.many.any()) || options.output == "-") {
    if (options.paths.size() != 1) return common.terminal.fail_usage("standard output takes the arrays of one file");
    const Outcome outcome = extract_one(options.paths.front(), options.output, options, common, true, sinew::OutputName::given);
    if (outcome.error) return common.terminal.fail(*outcome.error);
    if (options.json) return print_data(outcome.result + "\n", common.terminal);
    common.terminal.talk("{}", outcome.talk);
    return outcome.status;
  }
  if (options.json) return common.terminal.fail_usage("--json works with one file and one .npz; use --jsonl for several");
  const auto name = file ? sinew::OutputName::given : sinew::OutputName::made;
  return write_many(command, options.paths, options.many, common, options.output, ".npz", {},
                    [&](const std::filesystem::path& from, const std::filesystem::path& to) {
                      return extract_one(from, to, options, common, false, name);
                    });
}

}  // namespace

Run add_extract(Command command, Common& common) {
  auto options = std::make_shared<ExtractCommand>();
  common.files.reads(options->paths);
  common.files.writes(options->output);
  command.add_option("IN", options->paths, "The models, or folders to search for models; - reads standard input")
      .check(not_empty())
      .required();
  command
      .add_option("-o,--output", options->output,
                  "Write to this .npz file; for several models, a folder: files keep their names and get .npz")
      .required()
      .check(not_empty())
      .type_name("OUT");
  command.add_option("--fps", options->fps, "Sample animations F times per second, from 0 as long as each lasts (default: 30)")
      .type_name("F")
      .check(positive());
  command.add_flag("--json", options->json, "Write the counts as JSON to standard output");
  add_revision(command, common);
  add_many(command, options->many);
  return [options, &common, command] { return run_extract(*options, common, command); };
}

}  // namespace app
