// SPDX-License-Identifier: MIT
#include "sinew/validate.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "command.hpp"
#include "console/joined.hpp"
#include "console/need.hpp"
#include "many.hpp"

#include "sinew/batch.hpp"
#include "sinew/result.hpp"

namespace app {

namespace {

using sinew::Finding;
using sinew::Severity;
using sinew::validate::CodeCount;
using sinew::validate::Group;
using sinew::validate::GroupBy;
using sinew::validate::Grouped;
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

/// The text format of findings.
struct TextForm {
  const Terminal& terminal;
  std::optional<std::uint64_t> most_lines;  ///< per file
};

std::string place_of(const Finding& finding, const Report& report) {
  std::string place = finding.offset ? fmt::format("byte {}", *finding.offset) : finding.pointer.empty() ? "/" : printable(finding.pointer);
  if (const auto name = report.name_of(finding); !name.empty()) place += fmt::format(" {}", quoted(std::string(name)));
  if (finding.position) place += fmt::format(" {}:{}", finding.position->line, finding.position->column);
  return place;
}

std::array<std::uint64_t, 4> counts_of(const Report& report) {
  std::array<std::uint64_t, 4> counts{};
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = report.issues.counts[i] + report.model_issues.counts[i];
  return counts;
}

std::string line_of(Severity severity, std::string_view place, std::string_view message, std::string_view code, const Terminal& terminal) {
  return fmt::format("  {}  {}  {}  {}\n", terminal.colored(fmt::format("{:<7}", short_name(severity)), severity), terminal.dim(place),
                     message, terminal.dim(code));
}

/// Formats one finding. For a group: the number of findings, and the worst or the first one with its place.
std::string line_of(const Group& group, const Report& report, const Terminal& terminal) {
  const Finding& shown = *group.shown;
  const std::string message = printable(shown.message);
  if (group.count == 1) return line_of(shown.severity, place_of(shown, report), message, shown.code, terminal);
  const bool spread = group.places > 1;
  const std::string in = spread && group.places < group.count ? fmt::format(" in {} places", group.places) : "";
  const std::string at = spread ? fmt::format(" at {}", place_of(shown, report)) : "";
  const std::string all = fmt::format("{} {}{}, the {}{}: {}", group.count, shown.measure ? shown.measure->of : "times", in,
                                      shown.measure ? "worst" : "first", at, message);
  const std::string place = !spread ? place_of(shown, report) : group.array.empty() ? std::string("bytes") : printable(group.array);
  return line_of(shown.severity, place, all, shown.code, terminal);
}

/// Formats findings, the most severe first: a line per code and array; with -v, a line per finding; with -q, only errors.
std::string to_text(const Report& report, const TextForm& form) {
  const bool only_errors = form.terminal.verbosity() == 0;
  if (only_errors && counts_of(report)[static_cast<std::size_t>(Severity::error)] == 0) return {};
  const Grouped grouped = need(group_findings(report, form.terminal.verbosity() > 1 ? GroupBy::nothing : GroupBy::array, form.most_lines));
  std::string text = form.terminal.bold(printable(report.uri)) + "\n";
  for (const Group& group : grouped.groups)
    if (!only_errors || group.shown->severity == Severity::error) text += line_of(group, report, form.terminal);
  if (grouped.truncated) text += fmt::format("  {}\n", form.terminal.dim("… more findings are not listed"));
  return text;
}

/// Formats the codes of several files as a table.
std::string table_of(const std::vector<CodeCount>& codes, const Terminal& terminal) {
  std::string text;
  for (const CodeCount& code : codes)
    text += fmt::format("  {}  {:<44} {} in {}\n", terminal.colored(fmt::format("{:<7}", short_name(code.severity)), code.severity),
                        code.code, code.findings, count_of(code.files, "file", "files"));
  return text;
}

/// Lists the commands that fix findings, and where to read about the others.
std::string advice(const std::vector<CodeCount>& codes) {
  std::map<std::string_view, std::vector<std::string_view>> fixed;
  std::vector<std::string_view> others;
  for (const CodeCount& code : codes) {
    const std::string_view command = sinew::fix_of(code.code);
    (command.empty() ? others : fixed[command]).push_back(code.code);
  }
  std::string text;
  for (const auto& [command, known] : fixed) text += fmt::format("`{}` fixes {}\n", command, joined(known, ", "));
  if (others.size() == 1) text += fmt::format("`sinew explain {}` shows the reason and the fix\n", others.front());
  if (others.size() > 1) text += "`sinew explain CODE` shows the reason and the fix of each other code\n";
  return text;
}

/// Formats a line per clean file (nothing with -q), and the total number of findings.
std::string to_text(const std::vector<Report>& reports, std::size_t unreadable, const TextForm& form) {
  const Terminal& terminal = form.terminal;
  std::string text;
  std::array<std::uint64_t, 4> sum{};
  const bool talk = terminal.verbosity() > 0;
  for (const Report& report : reports) {
    const auto counts = counts_of(report);
    for (std::size_t i = 0; i < counts.size(); ++i) sum[i] += counts[i];
    if (!counted(counts).empty())
      text += to_text(report, form);
    else if (talk)
      text += fmt::format("{}: nothing found\n", printable(report.uri));
  }
  if (!talk) return text;
  const std::string found = counted(sum);
  const std::string missing = unreadable == 0 ? "" : fmt::format(", {} could not be read", unreadable);
  const bool several = reports.size() + unreadable > 1;
  if (several || !found.empty())
    text += fmt::format("{}\n", terminal.bold(fmt::format("{}: {}{}", count_of(reports.size(), "file", "files"),
                                                          found.empty() ? "nothing found" : found, missing)));
  const std::vector<CodeCount> codes = need(count_codes(reports));
  if (several) text += table_of(codes, terminal);
  return codes.empty() ? text : text + terminal.dim(advice(codes));
}

std::string written(const std::vector<Report>& reports, const Share& files, const ValidateOptions& options, const Terminal& terminal) {
  switch (options.format) {
    case ReportFormat::text:
      break;
    case ReportFormat::json:
      return need(files.many ? to_json(reports, files.unreadable.size()) : to_json(reports.front())) + "\n";
    case ReportFormat::sarif:
      return need(to_sarif(reports, files.unreadable)) + "\n";
  }
  return to_text(reports, files.unreadable.size(), {terminal, options.check.most_listed});
}

bool reaches(const Report& report, Severity severity) { return report.issues.reach(severity) || report.model_issues.reach(severity); }

int print_reports(const ValidateOptions& options, const sinew::validate::Options& check, Share files, const Common& common) {
  const Terminal& terminal = common.terminal;
  std::vector<std::filesystem::path> paths;
  for (const sinew::batch::Item& item : files.items) paths.push_back(item.path);
  std::vector<sinew::Result<Report>> checked;
  {
    Progress progress(terminal, "checking", paths.size());
    checked = need(check_files(paths, check, common.threads, [&](std::size_t done) { progress.step(done); }));
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
  if (options.output.empty()) return std::max(print_data(written(reports, files, options, terminal), terminal), status);
  Terminal plain = terminal;  // no colours in a file
  plain.configure(ColorMode::never, terminal.verbosity());
  auto file = sinew::batch::LineWriter::create(options.output);
  auto done = file ? file->write(written(reports, files, options, plain)) : sinew::Unexpected(file.error());
  if (done) done = file->finish();
  return done ? status : terminal.fail(done.error());
}

int print_lines(const ValidateOptions& options, const sinew::validate::Options& check, const Share& files, const Common& common,
                const Command& command) {
  return read_many(command, files, options.many, common, options.output, [&](const std::filesystem::path& path) -> Outcome {
    const auto report = sinew::validate::check_file(path, check);
    if (!report) return failed(report.error());
    Outcome outcome;
    outcome.result = need(to_json(*report));
    outcome.status = reaches(*report, options.fail_on) ? Exit::findings : Exit::done;
    return outcome;
  });
}

int run_validate(const ValidateOptions& options, const Common& common, const Command& command) {
  sinew::validate::Options check = options.check;
  const std::uint64_t most = check.load.open.limits.findings;
  check.load = common.load_options();
  if (common.limits.findings == sinew::Limits{}.findings) check.load.open.limits.findings = most;
  if (options.many.jsonl && command.has("--format")) return common.terminal.fail(usage_error("--jsonl and --format cannot be combined"));
  if (options.many.if_changed && !options.many.jsonl) return common.terminal.fail(usage_error("--if-changed needs --jsonl and --output"));
  if (options.format == ReportFormat::text && !options.many.jsonl) check.most_listed.reset();  // groups are counted instead of findings
  const Share files = share_of(options.paths, options.many, common);
  return options.many.jsonl ? print_lines(options, check, files, common, command) : print_reports(options, check, files, common);
}

void add_profile(Command command, std::optional<SkeletonDialect>& profile) {
  add_choice<std::optional<SkeletonDialect>>(command, "--profile", profile,
                                             {{"staik", SkeletonDialect::staik},
                                              {"skin-strict", SkeletonDialect::skin_strict},
                                              {"skeleton-bone", SkeletonDialect::skeleton_bone},
                                              {"g4mf", SkeletonDialect::g4mf}},
                                             "Also check skeletons against a dialect: staik, skin-strict, skeleton-bone or g4mf",
                                             "DIALECT");
}

}  // namespace

Run add_validate(Command command, Common& common) {
  auto options = std::make_shared<ValidateOptions>();
  common.files.reads(options->paths);
  common.files.writes(options->output);
  command.add_option("PATH", options->paths, "Models, or folders to search for models; - reads standard input")
      .check(not_empty())
      .required();
  add_choice<ReportFormat>(command, "--format", options->format,
                           {{"text", ReportFormat::text}, {"json", ReportFormat::json}, {"sarif", ReportFormat::sarif}},
                           "Set the format of the report: text, json or sarif (default: text)", "FORMAT");
  add_choice<Severity>(
      command, "--fail-on", options->fail_on,
      {{"error", Severity::error},
       {"warning", Severity::warning},
       {"info", Severity::information},
       {"information", Severity::information},
       {"hint", Severity::hint}},
      "Exit with status 1 if a finding has this severity or a higher one: error, warning, info (or information) or hint (default: error)",
      "SEVERITY");
  command
      .add_option("--max-issues", options->check.most_listed,
                  "List at most N findings of each file, the most severe first and different codes before repeats (default: all)")
      .type_name("N")
      .check(between(0, std::numeric_limits<std::int64_t>::max()));
  for (auto [name, list, help] : {std::tuple{"--only", &options->check.only, "Report only findings with this code; repeatable"},
                                  std::tuple{"--ignore", &options->check.ignored, "Ignore findings with this code; repeatable"}})
    command.add_option(name, *list, help).type_name("CODE").transform(known_code()).one_each();
  add_profile(command, options->check.profile);
  add_revision(command, common);
  command.add_option("-o,--output", options->output, "Write to a file instead of standard output; a failed run leaves no partial file")
      .type_name("FILE")
      .check(not_empty());
  add_many(command, options->many);
  return [options, &common, command] { return run_validate(*options, common, command); };
}

}  // namespace app
