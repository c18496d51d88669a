// SPDX-License-Identifier: MIT
#include "comparison/compare_flex.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "console/need.hpp"
#include "page_output.hpp"

namespace app {

namespace {

using sinew::Severity;
using sinew::operations::FlexChange;
using sinew::operations::FlexFinding;
using sinew::operations::FlexReport;

sinew::Result<FlexReport> bend(const sinew::Model& model, sinew::Index scene, const Common& common) {
  sinew::operations::FlexOptions how;
  how.scene = scene;
  how.threads = common.threads;
  return bend_with_progress(model, std::move(how), common);
}

std::size_t number_of(const FlexedFile& file, const FlexFinding& finding) {
  return static_cast<std::size_t>(&finding - file.report.findings.data());
}

const FlexFinding& finding_of(const FlexChange& change) { return change.b != nullptr ? *change.b : *change.a; }

const FlexedFile& file_of(const ComparedFlex& flex, const FlexChange& change) { return change.b != nullptr ? flex.b : flex.a; }

bool is_note(const FlexChange& change) {
  const auto loud = [](const FlexFinding* finding) { return finding != nullptr && finding->severity <= Severity::warning; };
  return !loud(change.a) && !loud(change.b);
}

std::string_view word_of(FlexChange::Kind kind) {
  switch (kind) {
    case FlexChange::Kind::added:
      return "new";
    case FlexChange::Kind::worse:
      return "worse";
    case FlexChange::Kind::better:
      return "better";
    case FlexChange::Kind::gone:
      break;
  }
  return "gone";
}

/// " (1.8 times as much, was a note)"
std::string difference_of(const FlexChange& change) {
  if (change.a == nullptr || change.b == nullptr) return {};
  std::string text;
  if (change.a->value > 0 && change.a->value != change.b->value)
    text = fmt::format("{:.3g} times as much", change.b->value / change.a->value);
  else if (change.a->count != change.b->count)
    text = fmt::format("{} before", change.a->count);
  if (change.a->severity != change.b->severity)
    text += fmt::format("{}was {}", text.empty() ? "" : ", ",
                        change.a->severity == Severity::error     ? "an error"
                        : change.a->severity == Severity::warning ? "a warning"
                                                                  : "a note");
  return text.empty() ? text : fmt::format(" ({})", text);
}

Json row_of(const ComparedFlex& flex, const FlexChange& change) {
  const FlexedFile& file = file_of(flex, change);
  Json row = flex_finding_json(file, number_of(file, finding_of(change)));
  if (change.a != nullptr && change.b != nullptr)
    row.add("before", {{"severity", short_name(change.a->severity)}, {"value", change.a->value}, {"count", change.a->count}});
  return row;
}

std::string summary_of(const ComparedFlex& flex) {
  std::array<std::size_t, 4> counts{};
  std::size_t notes = 0;
  for (const FlexChange& change : flex.changes) ++(is_note(change) ? notes : counts[static_cast<std::size_t>(change.kind)]);
  std::string text;
  if (counts[0] + counts[1] > 0) text = fmt::format("{} new, {} worse", counts[0], counts[1]);
  if (text.empty()) text = "nothing is worse";
  if (counts[2] > 0) text += fmt::format(", {} better", counts[2]);
  if (counts[3] > 0) text += fmt::format(", {} gone", counts[3]);
  if (notes > 0) text += fmt::format(", {} changed", count_of(notes, "note", "notes"));
  return text;
}

}  // namespace

bool ComparedFlex::fails() const { return std::ranges::any_of(changes, &FlexChange::fails); }

sinew::Result<ComparedFlex> compare_flex(const ComparedFiles& files, const CompareOptions& options, const Common& common) {
  auto a = bend(files.a.model, files.how.scene_a, common);
  if (!a) return sinew::Unexpected(std::move(a.error()));
  auto b = bend(files.b.model, files.how.scene_b, common);
  if (!b) return sinew::Unexpected(std::move(b.error()));
  ComparedFlex out{flexed_file(options.a, files.a.model, std::move(*a)), flexed_file(options.b, files.b.model, std::move(*b)), {}};
  out.changes = need(sinew::operations::flex_changes(files.a.model, out.a.report, files.b.model, out.b.report));
  return out;
}

Json to_json(const ComparedFlex& flex) {
  std::array<Json, 4> lists{Json::array(), Json::array(), Json::array(), Json::array()};
  for (const FlexChange& change : flex.changes) lists[static_cast<std::size_t>(change.kind)].push_back(row_of(flex, change));
  Json skipped = Json::array();
  for (const auto& [side, file] : {std::pair{"a", &flex.a}, std::pair{"b", &flex.b}})
    for (const auto& one : file->report.skipped) skipped.push_back({{"file", side}, {"code", one.code}, {"reason", one.reason}});
  return {{"worseOrNew", flex.fails()},
          {"factor", sinew::operations::flex_factor},
          {"a", flex_summary_json(flex.a.report)},
          {"b", flex_summary_json(flex.b.report)},
          {"skipped", skipped},
          {"new", lists[0]},
          {"worse", lists[1]},
          {"better", lists[2]},
          {"gone", lists[3]}};
}

std::string to_text(const ComparedFlex& flex, const Terminal& terminal) {
  std::string text;
  for (const FlexChange& change : flex.changes) {
    if (is_note(change) && terminal.verbosity() < 2) continue;
    const FlexFinding& finding = finding_of(change);
    const FlexedFile& file = file_of(flex, change);
    text += fmt::format("  {:<6}  {}  {:<16}  {}  {}{}\n", word_of(change.kind),
                        terminal.colored(fmt::format("{:<7}", short_name(finding.severity)), finding.severity), finding.code,
                        flex_subject(file, number_of(file, finding)), printable(finding.message), difference_of(change));
  }
  for (const FlexedFile* const file : {&flex.a, &flex.b})
    for (const auto& one : file->report.skipped)
      text += fmt::format("  not checked: {}: {} ({} file)\n", one.code, printable(one.reason), file == &flex.a ? "first" : "second");
  return text + fmt::format("flex: {}\n", terminal.bold(summary_of(flex)));
}

}  // namespace app
