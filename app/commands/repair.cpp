// SPDX-License-Identifier: MIT
#include "sinew/repair.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <system_error>

#include "command.hpp"
#include "edits.hpp"
#include "many.hpp"

namespace app {

namespace {

struct RepairOptions {
  std::vector<std::string> inputs;
  std::string output;
  Many many;
  sinew::operations::RepairOptions how;
  bool dry_run = false, json = false;
};

sinew::operations::RepairOptions how_of(const RepairOptions& options, const Common& common) {
  sinew::operations::RepairOptions how = options.how;
  const std::uint64_t most = how.load.open.limits.findings;
  how.load = common.load_options();
  if (common.limits.findings == sinew::Limits{}.findings) how.load.open.limits.findings = most;
  how.threads = common.threads;
  how.measure = options.json;
  return how;
}

std::string changes_of(const sinew::operations::Written& done) {
  return done.changes == 0 ? "nothing to fix" : fmt::format("{} {}", done.changes, done.changes == 1 ? "change" : "changes");
}

std::string told(const std::filesystem::path& output, const sinew::operations::Written& done) {
  return fmt::format("{}: {}, {} bytes, {}", output.string(), done.format, done.bytes, changes_of(done));
}

int repair_one(const RepairOptions& options, const Common& common) {
  const std::string& input = options.inputs.front();
  const std::string output = options.dry_run ? std::string() : options.output;
  sinew::FindingList found, changes;
  const auto done = sinew::operations::repair(input, output, how_of(options, common), found, changes);
  print_findings(found, common);
  if (!done) return common.terminal.fail(done.error());
  const std::string talk = options.dry_run ? fmt::format("{}: {}, nothing written", input, changes_of(*done)) : told(output, *done);
  const int status = print_edit(output, *done, changes, talk, options.json, common);
  if (std::ranges::find(changes.list(), "SINEW_REPAIR_UNCERTAIN", &sinew::Finding::code) != changes.list().end())
    common.terminal.talk("--bind-matrices transpose and --bind-matrices identity make the choice");
  return options.dry_run && done->changes > 0 ? Exit::findings : status;
}

/// Counts the files whose vertices moved by more than a rounding, for the end of a run over several files.
class Moved {
 public:
  /// Adds the movement to the message of a file.
  std::string add(std::string talk, const sinew::operations::Written& done) {
    const std::string movement = movement_in_words(done);
    if (movement.empty()) return talk;
    if (done.refused == sinew::operations::Refused::no) ++files_;
    return fmt::format("{}; {}", talk, movement);
  }
  void tell(const Common& common) const {
    if (files_ != 0)
      common.terminal.talk("{} vertices that moved by more than a rounding",
                           files_ == 1 ? "1 file has" : fmt::format("{} files have", +files_));
  }

 private:
  std::atomic<std::size_t> files_ = 0;
};

/// Lists the changes to each file without writing it; --output is the file for the lines of JSON.
int try_many(const RepairOptions& options, const Common& common, const Command& command) {
  auto how = how_of(options, common);
  how.threads = 1;  // the files are processed in parallel
  Moved moved;
  const Share share = share_of(options.inputs, options.many, common);
  const int status =
      run_many(command, share, options.many, common, options.many.jsonl ? options.output : std::string(), [&](std::size_t i) -> Outcome {
        const std::filesystem::path& from = share.items[i].path;
        sinew::FindingList found, changes;
        const auto done = sinew::operations::repair(from, {}, how, found, changes);
        if (!done) return failed(done.error());
        const std::string talk = fmt::format("{}: {}, nothing written", from.string(), changes_of(*done));
        Outcome outcome = outcome_of({}, *done, changes, moved.add(talk, *done));
        if (done->changes > 0) outcome.status = Exit::findings;
        return outcome;
      });
  moved.tell(common);
  return status;
}

int repair_many(const RepairOptions& options, const Common& common, const Command& command) {
  auto how = how_of(options, common);
  how.threads = 1;  // the files are processed in parallel
  how.name = output_name(options.inputs, options.output);
  Moved moved;
  const int status = write_many(command, options.inputs, options.many, common, options.output, {}, {},
                                [&](const std::filesystem::path& from, const std::filesystem::path& to) -> Outcome {
                                  sinew::FindingList found, changes;
                                  const auto done = sinew::operations::repair(from, to, how, found, changes);
                                  if (!done) return failed(done.error());
                                  return outcome_of(to, *done, changes, moved.add(told(to, *done), *done));
                                });
  moved.tell(common);
  return status;
}

// The output is a folder if there are several inputs or if its name ends with a slash.
bool into_folder(const RepairOptions& options) {
  std::error_code unknown;
  return options.inputs.size() > 1 || options.many.any() || options.output.ends_with('/') ||
         std::filesystem::is_directory(options.output, unknown) || std::filesystem::is_directory(options.inputs.front(), unknown);
}

int run_repair(const RepairOptions& options, const Common& common, const Command& command) {
  const auto usage = [&](const char* message) { return common.terminal.fail(usage_error(message)); };
  const bool many = into_folder(options);
  if (options.dry_run && options.many.if_changed) return usage("--dry-run and --if-changed cannot be combined");
  if (options.json && many) return usage("--json works with one file; use --jsonl for several");
  if (options.dry_run && many) return try_many(options, common, command);
  if (options.output.empty() && !options.dry_run) return usage("expected --output or --dry-run");
  return many ? repair_many(options, common, command) : repair_one(options, common);
}

}  // namespace

Run add_repair(Command command, Common& common) {
  auto options = std::make_shared<RepairOptions>();
  common.files.reads(options->inputs);
  common.files.writes(options->output);
  command
      .add_option("IN", options->inputs, "The G4MF or glTF file; - reads standard input. Or several files, or folders to search for models")
      .check(not_empty())
      .required();
  command
      .add_option("-o,--output", options->output,
                  "Write the new file, in the same format: .g4tf or .gltf (text), .g4b or .glb (binary); for several files, a folder; with "
                  "--dry-run --jsonl, the lines")
      .check(not_empty())
      .type_name("FILE");
  command.add_option("--max-influences", options->how.max_influences, "Keep the N strongest influences of each vertex (default: all)")
      .check(between(1, 1 << 16))
      .type_name("N");
  command.add_option("--prune", options->how.prune, "Remove weights below W (default: 0)").check(within(0.0, 1.0)).type_name("W");
  add_choice<sinew::operations::BindMatrices>(
      command, "--bind-matrices", options->how.bind_matrices,
      {{"transpose", sinew::operations::BindMatrices::transpose}, {"identity", sinew::operations::BindMatrices::identity}},
      "Fix bind matrices whose fourth row is not 0 0 0 1: transpose them, or write that row as in the identity (default: only if it is "
      "certain)",
      "HOW");
  command.add_flag("--seams", options->how.seams,
                   "Give vertices that coincide at rest and part in a pose the same weights, as sinew flex finds them (FLEX_TEAR)");
  command.add_flag("--islands", options->how.islands,
                   "Remove the weights of a few vertices for a joint that is far away, as sinew flex finds them (FLEX_ISLAND)");
  command.add_flag("--names", options->how.names, "Make the names of bones unique (glTF only)");
  command.add_flag("--dry-run", options->dry_run, "List the changes without writing a file; exit with status 1 if there are any");
  add_edit_options(command, options->how, options->json, "--prune-unused");
  add_many(command, options->many);
  return [options, &common, command] { return run_repair(*options, common, command); };
}

}  // namespace app
