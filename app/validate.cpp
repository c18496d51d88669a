// SPDX-License-Identifier: MIT
#include "sinew/validate.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>

#include "command.hpp"

namespace app {

namespace {

enum class ReportFormat : std::uint8_t { text, json };

struct ValidateOptions {
  std::string file;
  ReportFormat format = ReportFormat::text;
};

bool has_errors(const std::vector<sinew::Finding>& findings) {
  return std::ranges::any_of(findings, [](const sinew::Finding& finding) { return finding.severity == sinew::Severity::error; });
}

std::string to_text(const sinew::validate::Report& report, const Terminal& terminal) {
  std::string text = terminal.bold(printable(report.uri)) + "\n";
  for (const auto* list : {&report.issues, &report.model_issues})
    for (const sinew::Finding& finding : *list)
      text += fmt::format("  {:<11} {}  {}  [{}]\n", to_string(finding.severity),
                          printable(finding.offset ? fmt::format("byte {}", *finding.offset) : finding.pointer), printable(finding.message),
                          finding.code);
  return text;
}

int run_validate(const ValidateOptions& options, const Common& common) {
  sinew::validate::Options how;
  how.load = common.load_options();
  const auto report = sinew::validate::check_file(options.file, how);
  if (!report) return common.terminal.fail(report.error());
  const std::string text = options.format == ReportFormat::json ? to_json(*report) + "\n" : to_text(*report, common.terminal);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    return common.terminal.fail({sinew::Failure::output, "SINEW_OUTPUT", sinew::Place{}, "standard output could not be written"});
  return has_errors(report->issues) || has_errors(report->model_issues) ? Exit::findings : Exit::done;
}

}  // namespace

Run add_validate(CLI::App& command, Common& common) {
  auto options = std::make_shared<ValidateOptions>();
  command.add_option("FILE", options->file, "The model; - reads standard input")->check(not_empty())->required();
  add_choice<ReportFormat>(command, "--format", options->format, {{"text", ReportFormat::text}, {"json", ReportFormat::json}},
                           "How to report: text or json", "FORMAT");
  add_revision(command, common);
  return [options, &common] { return run_validate(*options, common); };
}

}  // namespace app
