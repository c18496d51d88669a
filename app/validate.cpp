// SPDX-License-Identifier: MIT
#include "sinew/validate.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "command.hpp"
#include "many.hpp"

namespace app {

namespace {

using sinew::Finding;
using sinew::Severity;
using sinew::validate::Report;
using sinew::validate::SkeletonDialect;

enum class ReportFormat : std::uint8_t { text, json, sarif };

struct ValidateOptions {
  std::vector<std::string> paths;
  std::string output;
  Many many;
  ReportFormat format = ReportFormat::text;
  Severity fail_on = Severity::error;
  sinew::validate::Options check;
};

std::string place_of(const Finding& finding) {
  std::string place = finding.offset ? fmt::format("byte {}", *finding.offset) : finding.pointer.empty() ? "/" : printable(finding.pointer);
  if (finding.position) place += fmt::format(" {}:{}", finding.position->line, finding.position->column);
  return place;
}

/// "2 errors, 1 warning"; empty where there is nothing.
std::string counted(const std::array<std::uint64_t, 4>& counts) {
  constexpr std::array<std::string_view, 4> nouns = {"error", "warning", "info", "hint"};
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0) parts.push_back(fmt::format("{} {}{}", counts[i], nouns[i], counts[i] == 1 ? "" : "s"));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::array<std::uint64_t, 4> counts_of(const Report& report) {
  std::array<std::uint64_t, 4> counts{};
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = report.issues.counts[i] + report.model_issues.counts[i];
  return counts;
}

/// The severest first, a line each.
std::string to_text(const Report& report, const Terminal& terminal) {
  std::vector<const Finding*> findings;
  for (const Severity severity : {Severity::error, Severity::warning, Severity::information, Severity::hint})
    for (const auto* issues : {&report.issues, &report.model_issues})
      for (const Finding& finding : issues->list)
        if (finding.severity == severity) findings.push_back(&finding);
  std::string text = terminal.bold(printable(report.uri)) + "\n";
  for (const Finding* finding : findings)
    text += fmt::format("  {}  {}  {}  {}\n", terminal.colored(fmt::format("{:<7}", short_name(finding->severity)), finding->severity),
                        terminal.dim(place_of(*finding)), printable(finding->message), terminal.dim(finding->code));
  if (report.issues.truncated || report.model_issues.truncated)
    text += fmt::format("  {}\n", terminal.dim("… more findings are not listed"));
  return text;
}

/// Clean files are a line, or nothing with -q; findings are counted at the end.
std::string to_text(const std::vector<Report>& reports, std::size_t unreadable, const Terminal& terminal) {
  std::string text;
  std::array<std::uint64_t, 4> sum{};
  std::string_view some_code;
  const bool talk = terminal.verbosity() > 0;
  for (const Report& report : reports) {
    const auto counts = counts_of(report);
    for (std::size_t i = 0; i < counts.size(); ++i) sum[i] += counts[i];
    if (counted(counts).empty()) {
      if (talk) text += fmt::format("{}: nothing found\n", printable(report.uri));
      continue;
    }
    text += to_text(report, terminal);
    for (const auto* issues : {&report.model_issues, &report.issues})
      if (!issues->list.empty()) some_code = std::ranges::min_element(issues->list, {}, &Finding::severity)->code;
  }
  if (!talk) return text;
  const std::string found = counted(sum);
  const std::string missing = unreadable == 0 ? "" : fmt::format(", {} could not be read", unreadable);
  if (reports.size() + unreadable > 1 || !found.empty())
    text += fmt::format("{}\n", terminal.bold(fmt::format("{} file{}: {}{}", reports.size(), reports.size() == 1 ? "" : "s",
                                                          found.empty() ? "nothing found" : found, missing)));
  if (!some_code.empty()) text += terminal.dim(fmt::format("`sinew explain {}` shows the reason and the fix\n", some_code));
  return text;
}

std::string written(const std::vector<Report>& reports, const Share& files, ReportFormat format, const Terminal& terminal) {
  switch (format) {
    case ReportFormat::text:
      break;
    case ReportFormat::json:
      return (files.many ? to_json(reports, files.unreadable.size()) : to_json(reports.front())) + "\n";
    case ReportFormat::sarif:
      return to_sarif(reports, files.unreadable) + "\n";
  }
  return to_text(reports, files.unreadable.size(), terminal);
}

bool reaches(const Report& report, Severity severity) { return report.issues.reach(severity) || report.model_issues.reach(severity); }

int print_reports(const ValidateOptions& options, const sinew::validate::Options& check, Share files, const Common& common) {
  const Terminal& terminal = common.terminal;
  std::vector<std::filesystem::path> paths;
  for (const sinew::batch::Item& item : files.items) paths.push_back(item.path);
  std::vector<sinew::Result<Report>> checked;
  {
    Progress progress(terminal, "checking", paths.size());
    checked = check_files(paths, check, common.threads, [&](std::size_t done) { progress.step(done); });
  }
  std::vector<Report> reports;
  for (auto& report : checked) {
    if (report) {
      reports.push_back(std::move(*report));
      continue;
    }
    files.status = std::max(files.status, terminal.fail(report.error()));
    files.unreadable.push_back(std::move(report.error()));
  }
  if (reports.empty() && !files.many && options.format != ReportFormat::sarif) return files.status;
  if (common.revision && !reports.empty() &&
      std::ranges::all_of(reports, [](const Report& report) { return report.mime_type.starts_with("model/gltf"); }))
    terminal.warn("--revision has no effect: none of the files is G4MF");
  const bool found = std::ranges::any_of(reports, [&](const Report& report) { return reaches(report, options.fail_on); });
  const int status = std::max<int>(files.status, found ? Exit::findings : Exit::done);
  if (options.output.empty()) return std::max(print_data(written(reports, files, options.format, terminal), terminal), status);
  Terminal plain = terminal;  // no colours in a file
  plain.configure(ColorMode::never, terminal.verbosity());
  auto file = sinew::batch::LineWriter::create(options.output);
  auto done = file ? file->write(written(reports, files, options.format, plain)) : sinew::Unexpected(file.error());
  if (done) done = file->finish();
  return done ? status : terminal.fail(done.error());
}

int print_lines(const ValidateOptions& options, const sinew::validate::Options& check, const Share& files, const Common& common,
                const CLI::App& command) {
  return read_many(command, files, options.many, common, options.output, [&](const std::filesystem::path& path) -> Outcome {
    const auto report = sinew::validate::check_file(path, check);
    if (!report) return failed(report.error());
    Outcome outcome;
    outcome.result = to_json(*report);
    outcome.status = reaches(*report, options.fail_on) ? Exit::findings : Exit::done;
    return outcome;
  });
}

int run_validate(const ValidateOptions& options, const Common& common, const CLI::App& command) {
  sinew::validate::Options check = options.check;
  const std::uint64_t most = check.load.open.limits.findings;
  check.load = common.load_options();
  if (common.limits.findings == sinew::Limits{}.findings) check.load.open.limits.findings = most;
  if (options.many.jsonl && command.count("--format") > 0)
    return common.terminal.fail(usage_error("--jsonl and --format cannot be combined"));
  if (options.many.if_changed && !options.many.jsonl) return common.terminal.fail(usage_error("--if-changed needs --jsonl and --output"));
  const Share files = share_of(options.paths, options.many, common.terminal);
  return options.many.jsonl ? print_lines(options, check, files, common, command) : print_reports(options, check, files, common);
}

void add_profile(CLI::App& command, std::optional<SkeletonDialect>& profile) {
  add_choice<std::optional<SkeletonDialect>>(command, "--profile", profile,
                                             {{"staik", SkeletonDialect::staik},
                                              {"skin-strict", SkeletonDialect::skin_strict},
                                              {"skeleton-bone", SkeletonDialect::skeleton_bone},
                                              {"g4mf", SkeletonDialect::g4mf}},
                                             "Also check skeletons against a dialect: staik, skin-strict, skeleton-bone or g4mf",
                                             "DIALECT");
}

}  // namespace

Run add_validate(CLI::App& command, Common& common) {
  auto options = std::make_shared<ValidateOptions>();
  command.add_option("PATH", options->paths, "Models, or folders to search for models; - reads standard input")
      ->check(not_empty())
      ->required();
  add_choice<ReportFormat>(command, "--format", options->format,
                           {{"text", ReportFormat::text}, {"json", ReportFormat::json}, {"sarif", ReportFormat::sarif}},
                           "Set the format of the report: text, json or sarif (default: text)", "FORMAT");
  add_choice<Severity>(
      command, "--fail-on", options->fail_on,
      {{"error", Severity::error}, {"warning", Severity::warning}, {"info", Severity::information}, {"hint", Severity::hint}},
      "Exit with status 1 if a finding has this severity or a higher one: error, warning, info or hint (default: error)", "SEVERITY");
  command
      .add_option("--max-issues", options->check.most_listed, "List at most N findings of each file, the most severe first (default: all)")
      ->type_name("N")
      ->check(between(0, std::numeric_limits<std::int64_t>::max()));
  for (auto [name, list, help] : {std::tuple{"--only", &options->check.only, "Report only findings with this code; repeatable"},
                                  std::tuple{"--ignore", &options->check.ignored, "Ignore findings with this code; repeatable"}})
    command.add_option(name, *list, help)->type_name("CODE")->check(known_code())->allow_extra_args(false);
  add_profile(command, options->check.profile);
  add_revision(command, common);
  command.add_option("-o,--output", options->output, "Write to a file instead of standard output; a failed run leaves no partial file")
      ->type_name("FILE")
      ->check(not_empty());
  add_many(command, options->many);
  return [options, &common, &command] { return run_validate(*options, common, command); };
}

}  // namespace app
