// SPDX-License-Identifier: MIT
#include "conformance/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "conformance/picture.hpp"
#include "console/html.hpp"
#include "console/json.hpp"

namespace app {

namespace {

using State = ConformanceResult::State;
constexpr std::array<std::string_view, 4> state_names = {"pass", "differs", "failed", "not covered"};
constexpr std::array<std::string_view, 3> statuses = {"required", "recommended", "reading"};

std::string_view name_of(State state) { return state_names[static_cast<std::size_t>(state)]; }

/// "differs by 0.12 of the diagonal", or the reason.
std::string outcome_of(const ConformanceResult& result) {
  const std::string_view name = name_of(result.state);
  if (result.error) return fmt::format("{} by {:.3g} of the diagonal", name, *result.error);
  return result.reason.starts_with(name) ? result.reason : fmt::format("{}: {}", name, result.reason);
}

/// "required: 200 of 201 cases pass", for the cases that the engine covers.
std::string sum_of(const ConformanceReport& report, std::string_view status) {
  std::size_t covered = 0, passed = 0;
  for (std::size_t i = 0; i < report.cases.size(); ++i) {
    if (report.cases[i].status != status || report.results[i].state == State::not_covered) continue;
    ++covered;
    passed += report.results[i].state == State::pass ? 1 : 0;
  }
  return fmt::format("{}: {} of {} cases pass", status, passed, covered);
}

constexpr std::string_view page_start = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Conformance</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8886; padding: .3rem .6rem; text-align: left; vertical-align: top; }
td small { color: GrayText; } code { color: CanvasText; font-weight: 400; }
svg { display: block; } path { fill: none; stroke-width: 5; stroke-linecap: round; }
.wanted { stroke: #888; } .got { stroke: #d55e00; } .moved { stroke: #d55e00; stroke-width: 1; stroke-dasharray: 2 3; }
.pass { color: #2a7d3c; } .differs, .failed { color: #c03a2b; font-weight: 600; } .not { color: GrayText; }
</style>
)";

}  // namespace

std::size_t ConformanceReport::count(State state) const {
  return static_cast<std::size_t>(std::ranges::count(results, state, &ConformanceResult::state));
}

bool ConformanceReport::passes() const { return count(State::differs) + count(State::failed) == 0 && count(State::pass) > 0; }

std::string to_text(const ConformanceReport& report, const Terminal& terminal) {
  std::string text;
  for (std::size_t i = 0; i < report.cases.size(); ++i) {
    const ConformanceCase& wanted = report.cases[i];
    const ConformanceResult& result = report.results[i];
    if (result.state == State::pass || (result.state == State::not_covered && terminal.verbosity() < 2)) continue;
    text += fmt::format("{}: {}\n", terminal.bold(printable(wanted.name)), printable(outcome_of(result)));
    text +=
        fmt::format("  {}\n  {}\n", printable(wanted.rule), terminal.dim(printable(fmt::format("{} ({})", wanted.source, wanted.status))));
  }
  for (const std::string_view status : statuses) text += sum_of(report, status) + "\n";
  const std::size_t left = report.count(State::not_covered);
  return left == 0 ? text : text + fmt::format("{} not covered\n", count_of(left, "case is", "cases are"));
}

std::string to_json(const ConformanceReport& report) {
  Json cases = Json::array();
  for (std::size_t i = 0; i < report.cases.size(); ++i) {
    const ConformanceCase& wanted = report.cases[i];
    const ConformanceResult& result = report.results[i];
    Json row{{"name", wanted.name},     {"status", wanted.status},         {"rule", wanted.rule},
             {"source", wanted.source}, {"result", name_of(result.state)}, {"tolerance", wanted.tolerance}};
    row.add("error", result.error ? Json(*result.error) : Json());
    if (!result.error) row.add("reason", result.reason);
    cases.push_back(std::move(row));
  }
  Json counts = Json::object();
  for (const State state : {State::pass, State::differs, State::failed, State::not_covered})
    counts.add(name_of(state), report.count(state));
  return Json{{"engine", report.engine}, {"counts", counts}, {"cases", cases}}.indented();
}

std::string to_html(const ConformanceReport& report) {
  std::string page(page_start);
  page += fmt::format("<h1>Conformance of {}</h1>\n<ul>\n", html_text(report.engine));
  for (const std::string_view status : statuses) page += fmt::format("<li>{}</li>\n", sum_of(report, status));
  page += "</ul>\n<p>Pictures show the pose with the largest error: expected vertices grey, those of the engine orange.</p>\n";
  page += "<table>\n<thead><tr><th>case</th><th>rule</th><th>status</th><th>result</th></tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < report.cases.size(); ++i) {
    const ConformanceCase& wanted = report.cases[i];
    const ConformanceResult& result = report.results[i];
    const bool wrong = result.state == State::differs || result.state == State::failed;
    const std::string again = wrong ? fmt::format("<br><code>{} --only {}</code>", html_text(report.call), html_text(wanted.name)) : "";
    page += fmt::format("<tr><td>{}</td><td>{}<br><small>{}: {}</small></td><td>{}</td><td class=\"{}\">{}{}{}</td></tr>\n",
                        html_text(wanted.name), html_text(wanted.rule), html_text(wanted.source), html_text(wanted.says),
                        html_text(wanted.status), name_of(result.state), html_text(outcome_of(result)), again,
                        wrong ? picture_of(wanted, result) : "");
  }
  return page + "</tbody>\n</table>\n</html>\n";
}

}  // namespace app
