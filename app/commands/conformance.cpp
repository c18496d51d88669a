// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>

#include "command.hpp"
#include "conformance/engine.hpp"
#include "conformance/report.hpp"

#include "sinew/batch.hpp"

namespace app {

namespace {

enum class Page : std::uint8_t { text, json, html };

struct ConformanceOptions {
  Adapter engine;
  std::string suite;
  std::string only;
  std::string output;
  Page format = Page::text;
};

/// The command line of these options, for a POSIX shell.
std::string call_of(const ConformanceOptions& options) {
  if (options.engine.command.empty()) return "sinew conformance";
  std::string quoted;
  for (const char c : options.engine.command) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return fmt::format("sinew conformance --engine '{}'", quoted);
}

std::string written(const ConformanceReport& report, Page format, const Terminal& terminal) {
  switch (format) {
    case Page::text:
      break;
    case Page::json:
      return to_json(report);
    case Page::html:
      return to_html(report);
  }
  return to_text(report, terminal);
}

int run_conformance(const ConformanceOptions& options, const Common& common) {
  const auto suite = find_suite(options.suite);
  if (!suite) return common.terminal.fail(suite.error());
  const auto cases = read_suite(*suite, options.only);
  if (!cases) return common.terminal.fail(cases.error());
  const auto results = options.engine.command.empty() ? sinew::Result<std::vector<ConformanceResult>>(run_sinew(*cases, common))
                                                      : run_adapter(options.engine, *cases, common);
  if (!results) return common.terminal.fail(results.error());
  const std::string engine = options.engine.command.empty() ? fmt::format("Sinew {}", sinew::version()) : options.engine.command;
  const ConformanceReport report{engine, call_of(options), *cases, *results};
  const int status = report.passes() ? Exit::done : Exit::findings;
  Terminal terminal = common.terminal;
  if (!options.output.empty()) terminal.configure(ColorMode::never, terminal.verbosity());  // no colours in a file
  auto file = sinew::batch::LineWriter::create(options.output);
  auto done = file ? file->write(written(report, options.format, terminal)) : sinew::Unexpected(file.error());
  if (done) done = file->finish();
  return done ? status : common.terminal.fail(done.error());
}

}  // namespace

Run add_conformance(Command command, Common& common) {
  auto options = std::make_shared<ConformanceOptions>();
  common.files.reads(options->suite);
  common.files.writes(options->output);
  command
      .add_option("--engine", options->engine.command,
                  "Run this command of the shell for every pose, with the arguments MODEL CLIP TIME ATTRIBUTE OUTPUT.npy (default: Sinew "
                  "itself)")
      .type_name("COMMAND")
      .check(not_empty());
  command.add_option("--batch", options->engine.batch, "Pass up to N poses to one call of the command (default: 1)")
      .type_name("N")
      .check(between(1, 100'000));
  command
      .add_option("--timeout", options->engine.seconds, "End a call of the command that takes more than S seconds per pose (default: 60)")
      .type_name("S")
      .check(positive());
  command.add_option("--suite", options->suite, "The folder of the suite (default: the folder conformance, here or where it was installed)")
      .type_name("FOLDER")
      .check(not_empty());
  command.add_option("--only", options->only, "Run only the cases whose name contains TEXT").type_name("TEXT");
  add_choice<Page>(command, "--format", options->format, {{"text", Page::text}, {"json", Page::json}, {"html", Page::html}},
                   "Set the format of the report: text, json or html (default: text)", "FORMAT");
  command.add_option("-o,--output", options->output, "Write to a file instead of standard output").type_name("FILE").check(not_empty());
  return [options, &common] { return run_conformance(*options, common); };
}

}  // namespace app
