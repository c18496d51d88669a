// SPDX-License-Identifier: MIT
#include "sinew/validate.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "command.hpp"

namespace app {

namespace {

using sinew::Finding;
using sinew::Severity;
using sinew::validate::Report;
using sinew::validate::SkeletonDialect;

enum class ReportFormat : std::uint8_t { text, json, sarif };

struct ValidateOptions {
  std::vector<std::string> paths;
  ReportFormat format = ReportFormat::text;
  Severity fail_on = Severity::error;
  sinew::validate::Options check;
};

/// What a command line names: files in its order, those of a folder sorted, none twice.
struct Files {
  std::vector<std::filesystem::path> list;
  bool many = false;           ///< there are reports, not one report
  std::size_t unreadable = 0;  ///< folders, as the terminal was told
  int status = Exit::done;
};

Files files_of(const std::vector<std::string>& paths, const Terminal& terminal) {
  Files files;
  files.many = paths.size() > 1;
  std::set<std::filesystem::path> known;
  const auto add = [&](const std::filesystem::path& file) {
    if (known.insert(file.lexically_normal()).second) files.list.push_back(file);
  };
  for (const std::string& path : paths) {
    std::error_code unknown;  // what cannot be looked at cannot be opened either: that tells
    if (!std::filesystem::is_directory(path, unknown)) {
      add(path);
      continue;
    }
    files.many = true;
    const auto models = sinew::validate::models_in(path);
    if (!models) {
      files.status = std::max(files.status, terminal.fail(models.error()));
      ++files.unreadable;
      continue;
    }
    if (models->empty()) terminal.warn(fmt::format("{}: no model in the folder (.gltf, .glb, .vrm, .g4tf, .g4b)", path));
    std::ranges::for_each(*models, add);
  }
  return files;
}

std::string_view short_name(Severity severity) { return severity == Severity::information ? "info" : to_string(severity); }

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
    text += fmt::format("  {}\n", terminal.dim("… not all findings are listed"));
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
  if (!some_code.empty()) text += terminal.dim(fmt::format("sinew explain {} tells why, and what to do\n", some_code));
  return text;
}

std::string written(const std::vector<Report>& reports, const Files& files, ReportFormat format, const Terminal& terminal) {
  switch (format) {
    case ReportFormat::text:
      break;
    case ReportFormat::json:
      return (files.many ? to_json(reports, files.unreadable) : to_json(reports.front())) + "\n";
    case ReportFormat::sarif:
      return to_sarif(reports, files.unreadable) + "\n";
  }
  return to_text(reports, files.unreadable, terminal);
}

int run_validate(const ValidateOptions& options, const Common& common) {
  const Terminal& terminal = common.terminal;
  sinew::validate::Options check = options.check;
  const std::uint64_t most = check.load.open.limits.findings;
  check.load = common.load_options();
  check.load.open.limits.findings = most;
  Files files = files_of(options.paths, terminal);
  std::vector<sinew::Result<Report>> checked;
  {
    Progress progress(terminal, "checking", files.list.size());
    checked = check_files(files.list, check, common.threads, [&](std::size_t done) { progress.step(done); });
  }
  std::vector<Report> reports;
  for (auto& report : checked) {
    if (report) {
      reports.push_back(std::move(*report));
      continue;
    }
    files.status = std::max(files.status, terminal.fail(report.error()));
    ++files.unreadable;
  }
  if (reports.empty() && !files.many) return files.status;
  const std::string text = written(reports, files, options.format, terminal);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    return terminal.fail({sinew::Failure::output, "SINEW_OUTPUT", sinew::Place{}, "standard output could not be written"});
  const bool found = std::ranges::any_of(
      reports, [&](const Report& report) { return report.issues.reach(options.fail_on) || report.model_issues.reach(options.fail_on); });
  return std::max<int>(files.status, found ? Exit::findings : Exit::done);
}

void add_profile(CLI::App& command, std::optional<SkeletonDialect>& profile) {
  add_choice<std::optional<SkeletonDialect>>(command, "--profile", profile,
                                             {{"staik", SkeletonDialect::staik},
                                              {"skin-strict", SkeletonDialect::skin_strict},
                                              {"skeleton-bone", SkeletonDialect::skeleton_bone},
                                              {"g4mf", SkeletonDialect::g4mf}},
                                             "Hold skeletons against a dialect too: staik, skin-strict, skeleton-bone or g4mf", "DIALECT");
}

}  // namespace

Run add_validate(CLI::App& command, Common& common) {
  auto options = std::make_shared<ValidateOptions>();
  command.add_option("PATH", options->paths, "Models, or folders that are searched for them; - reads standard input")
      ->check(not_empty())
      ->required();
  add_choice<ReportFormat>(command, "--format", options->format,
                           {{"text", ReportFormat::text}, {"json", ReportFormat::json}, {"sarif", ReportFormat::sarif}},
                           "How to report: text, json or sarif (default: text)", "FORMAT");
  add_choice<Severity>(
      command, "--fail-on", options->fail_on,
      {{"error", Severity::error}, {"warning", Severity::warning}, {"info", Severity::information}, {"hint", Severity::hint}},
      "Exit status 1 from this severity on: error, warning, info or hint (default: error)", "SEVERITY");
  command.add_option("--max-issues", options->check.most_listed, "List no more findings of a file than this, the severest first")
      ->type_name("N")
      ->check(between(0, std::numeric_limits<std::int64_t>::max()));
  for (auto [name, list, help] : {std::tuple{"--only", &options->check.only, "Report only this finding; may be given again"},
                                  std::tuple{"--ignore", &options->check.ignored, "Leave this finding out; may be given again"}})
    command.add_option(name, *list, help)->type_name("CODE")->check(known_code())->allow_extra_args(false);
  add_profile(command, options->check.profile);
  add_revision(command, common);
  return [options, &common] { return run_validate(*options, common); };
}

}  // namespace app
