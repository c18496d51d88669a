// SPDX-License-Identifier: MIT
#include <filesystem>
#include <memory>

#include "command.hpp"

#include "sinew/repair_file.hpp"

namespace app {

namespace {

struct RepairOptions {
  std::string input, output;
  sinew::ops::RepairOptions model;
  bool dry_run = false;
};

int run_repair(const RepairOptions& options, const Common& common) {
  if (options.output.empty() && !options.dry_run) return common.terminal.fail(usage_error("--output is required, unless with --dry-run"));
  sinew::edit::RepairFileOptions how;
  how.load = common.load_options();
  how.model = options.model;
  how.threads = common.threads;
  sinew::FindingList found, changes;
  const auto done = sinew::edit::repair(options.input, options.dry_run ? std::filesystem::path() : std::filesystem::path(options.output),
                                        how, found, changes);
  print_findings(found, common);
  if (!done) return common.terminal.fail(done.error());
  print_changes(changes, common);
  print_movement(done->movement, common);
  const std::string count =
      done->changes == 0 ? "nothing to mend" : fmt::format("{} {}", done->changes, done->changes == 1 ? "change" : "changes");
  if (done->written)
    common.terminal.talk("{}: {}, {} bytes, {}", options.output, done->written->format, done->written->bytes, count);
  else
    common.terminal.talk("{}: {}, nothing written", options.input, count);
  return Exit::done;
}

}  // namespace

Run add_repair(CLI::App& command, Common& common) {
  auto options = std::make_shared<RepairOptions>();
  command.add_option("IN", options->input, "The G4MF or glTF file; - reads standard input")->required();
  command.add_option("-o,--output", options->output, "The new file, of the same format: .g4tf or .gltf (text), .g4b or .glb (binary)")
      ->check(not_empty())
      ->type_name("FILE");
  command.add_option("--max-influences", options->model.max_influences, "Keep the N strongest influences of each vertex (default: all)")
      ->check(between(1, 1 << 16))
      ->type_name("N");
  command.add_option("--prune", options->model.prune, "Drop weights below W (default: 0)")
      ->check(finite_number() & CLI::Range(0.0, 1.0))
      ->type_name("W");
  command.add_flag("--names", options->model.names, "glTF: give bones of the same name names of their own");
  command.add_flag("--dry-run", options->dry_run, "Say what would change, write nothing");
  return [options, &common] { return run_repair(*options, common); };
}

}  // namespace app
