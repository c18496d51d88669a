// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>

#include "console/joined.hpp"
#include "console/need.hpp"
#include "many.hpp"

#include "sinew/batch.hpp"

namespace app {

namespace {

using sinew::batch::CommandSummary;
using sinew::batch::Summary;

enum class SummaryFormat : std::uint8_t { text, json };

struct SummarizeOptions {
  std::vector<std::string> paths;
  SummaryFormat format = SummaryFormat::text;
  std::size_t most = 20;
};

/// Prints the first entries of each list of problems.
class Text {
 public:
  Text(const SummarizeOptions& options, const Terminal& terminal) : options_(options), terminal_(terminal) {}

  std::string of(const Summary& summary) && {
    for (const auto& [name, command] : summary.commands) add(name, command);
    list("Invalid lines", summary.broken, [](const Summary::Broken& broken) {
      return fmt::format("{}:{}: {}", printable(broken.file), broken.line, printable(broken.why));
    });
    if (summary.commands.empty() && summary.broken.empty())
      text_ += fmt::format("no results: {} without lines\n", count_of(options_.paths.size(), "file", "files"));
    return std::move(text_);
  }

 private:
  void add(const std::string& name, const CommandSummary& command) {
    std::vector<std::string> did;
    for (const auto& [what, files] : command.did) did.push_back(fmt::format("{} {}", files, printable(what)));
    const std::string found = counted(command.counts);
    const bool clean = found.empty() && command.did.size() == 1 && command.did.contains("checked");
    text_ += fmt::format("{}  {} ({}){}\n", terminal_.bold(printable(name)), count_of(command.files, "file", "files"), joined(did, ", "),
                         clean           ? ": nothing found"
                         : found.empty() ? ""
                                         : ": " + found);
    codes(command);
    const bool only_errors = std::ranges::all_of(command.bad, [](const auto& bad) { return !bad.error.empty() || bad.counts[0] > 0; });
    list(only_errors ? "Files with errors" : "Files with findings", command.bad, [](const CommandSummary::Bad& bad) {
      return printable(bad.error.empty() ? fmt::format("{}: {}", bad.uri, counted(bad.counts)) : bad.error);
    });
    list("Processed more than once", command.duplicates,
         [](const CommandSummary::Duplicate& twice) { return fmt::format("{}: {} times", printable(twice.uri), twice.times); });
    list("Missing", command.missing_shards, [](const CommandSummary::MissingShard& missing) {
      return fmt::format("shard {}/{}: {} of {}", missing.shard.index, missing.shard.count, missing.missing,
                         count_of(missing.files, "file", "files"));
    });
    if (command.missing_shards.empty() && command.results < command.files)
      text_ += fmt::format("  {}\n", terminal_.bold(fmt::format("Missing: {} of {}", command.files - command.results,
                                                                count_of(command.files, "file", "files"))));
    if (!command.lists.empty())
      text_ += fmt::format("  {}\n", terminal_.bold(fmt::format("Results of different runs: of {} files", joined(command.lists, ", of "))));
  }

  void codes(const CommandSummary& command) {
    for (const auto& [code, found] : command.codes)
      text_ += fmt::format("  {}  {:<44} {} in {}\n", terminal_.colored(fmt::format("{:<7}", short_name(code.first)), code.first),
                           printable(code.second), found.findings, count_of(found.files, "file", "files"));
  }

  template <class List, class Line>
  void list(std::string_view title, const List& all, Line line) {
    if (all.empty()) return;
    text_ += fmt::format("  {}\n", terminal_.bold(title));
    for (std::size_t i = 0; i < std::min(all.size(), options_.most); ++i) text_ += fmt::format("    {}\n", line(all[i]));
    if (all.size() > options_.most) text_ += fmt::format("    … and {} more\n", all.size() - options_.most);
  }

  const SummarizeOptions& options_;
  const Terminal& terminal_;
  std::string text_;
};

int run_summarize(const SummarizeOptions& options, const Common& common) {
  const auto summary = sinew::batch::summarize(options.paths);
  if (!summary) return common.terminal.fail(summary.error());
  const std::string text =
      options.format == SummaryFormat::json ? need(to_json(*summary)) + "\n" : Text(options, common.terminal).of(*summary);
  const int printed = print_data(text, common.terminal);
  return std::max<int>(printed, summary->complete() && summary->clean() ? Exit::done : Exit::findings);
}

}  // namespace

Run add_summarize(Command command, Common& common) {
  auto options = std::make_shared<SummarizeOptions>();
  command.add_option("FILE", options->paths, "Files that --jsonl wrote; - reads standard input").check(not_empty()).required();
  add_choice<SummaryFormat>(command, "--format", options->format, {{"text", SummaryFormat::text}, {"json", SummaryFormat::json}},
                            "Set the format of the report: text or json (default: text)", "FORMAT");
  command.add_option("--most", options->most, "List at most N files of each kind in the text report (default: 20)")
      .type_name("N")
      .check(between(0, 1'000'000'000));
  return [options, &common] { return run_summarize(*options, common); };
}

}  // namespace app
