// SPDX-License-Identifier: MIT
#include "edits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "comparison/compare_report.hpp"
#include "comparison/comparison_text.hpp"
#include "console/json.hpp"
#include "console/need.hpp"
#include "reports/not_covered.hpp"

namespace app {

namespace {

using sinew::operations::Comparison;
using sinew::operations::InstancePair;
using sinew::operations::OnLoss;
using sinew::operations::Pairing;
using sinew::operations::Refused;
using sinew::operations::Written;

/// Up to here, relative to the diagonal, vertices are equal.
constexpr double tolerance = 1e-5;

/// Describes the largest error, or why there is no bound.
std::string error_in_words(const Comparison& movement) {
  if (!movement.why_not.empty()) return movement.why_not;
  if (!movement.only_a.empty()) {
    const auto& lost = movement.only_a.front();
    return fmt::format("the new file does not have {} {} {}", noun_of(lost.kind), lost.index, quoted(lost.name));
  }
  for (const sinew::NotCovered& one : movement.not_covered)
    if (one.lost && one.moves()) return one.what;
  for (const InstancePair& pair : movement.instances) {
    if (pair.pairing == Pairing::none) return fmt::format("{} cannot be compared: {}", quoted(pair.name), pair.why_not);
    if (pair.unpaired_a != 0)
      return fmt::format("{} of {} have no counterpart", count_of(pair.unpaired_a, "vertex", "vertices"), quoted(pair.name));
  }
  if (const double apart = apart_max(movement); apart > movement.max())
    return fmt::format("largest movement of a vertex: {}, because its weights do not sum to 1", need(distance_in_words(movement, apart)));
  const InstancePair* const worst = movement.worst();
  if (worst == nullptr || movement.max() == 0) return "no vertex moved";
  const std::string_view what = worst->pairing == Pairing::surfaces ? "largest distance of the surfaces" : "largest movement of a vertex";
  return fmt::format("{}: {}", what, need(sinew::operations::in_words(movement, *worst)));
}

/// The comparison of what the old file has. What a merge adds has no counterpart.
Comparison without_added(const Comparison& movement) {
  Comparison kept = movement;
  kept.only_b.clear();
  for (sinew::NotCovered& one : kept.not_covered) one.differs = one.lost;
  return kept;
}

/// Describes the result about poses that were not measured: "; equal in every pose", a bound, or nothing.
std::string every_pose_in_words(const Written& done) {
  if (done.scenes != 1) return {};
  const Comparison movement = without_added(*done.movement);
  if (movement.verdict(tolerance) == sinew::operations::Verdict::equal_in_every_pose) return "; equal in every pose";
  for (const sinew::NotCovered& one : movement.not_covered)
    if (one.moves() && !one.lost) return "; " + one.what;
  const double bound = need(movement.every_pose()).bound;
  if (!std::isfinite(bound) || bound < std::max(movement.max(), apart_max(movement))) return {};  // clips do more than turn joints
  return fmt::format("; at most {} where both have the same pose and joints only turn", need(distance_in_words(movement, bound)));
}

std::string refusal(const std::string& output, const Written& done, const sinew::FindingList& losses) {
  const std::string file = output.empty() ? std::string() : output + ": ";
  if (done.refused == Refused::error)
    return fmt::format("{}{}; nothing written because of --max-error", file,
                       printable(error_in_words(*done.movement) + every_pose_in_words(done)));
  return fmt::format("{}{}; nothing written because of --fail-on loss", file, count_losses(losses));
}

Json changes_json(const sinew::FindingList& changes) {
  Json list = Json::array();
  for (const sinew::Finding& change : changes.list())
    list.push_back(
        {{"code", change.code}, {"severity", static_cast<int>(change.severity)}, {"pointer", change.pointer}, {"message", change.message}});
  return list;
}

/// "output", "format", "bytes" and "changes"; if measured also "error" and "largest".
Json json_of(const std::filesystem::path& output, const Written& done, const sinew::FindingList& changes) {
  Json row = Json::object();
  if (!output.empty()) row.add({{"output", output.string()}, {"format", done.format}, {"bytes", done.bytes}});
  if (done.refused != Refused::no) row.add("refused", done.refused == Refused::loss ? "loss" : "error");
  row.add("changes", changes_json(changes));
  if (done.movement) {
    row.add("notCovered", not_covered_json(done.movement->not_covered));
    row.add("error", json_number(done.movement->error()));
    row.add("largest", error_in_words(*done.movement));
    if (done.scenes == 1) row.add("everyPose", every_pose_json(without_added(*done.movement), tolerance));
  }
  return row;
}

}  // namespace

void add_fail_on_loss(Command command, OnLoss& on_loss) {
  add_choice<OnLoss>(command, "--fail-on", on_loss, {{"loss", OnLoss::refuse}},
                     "Write nothing and exit with status 1 if the new file would lose something (WHAT: loss)", "WHAT");
}

void add_edit_options(Command command, sinew::operations::EditOptions& how, bool& json, const std::string& prune) {
  if (!prune.empty())
    command.add_flag(prune, how.prune_unused,
                     "Remove meshes, materials, images, accessors and bytes that nothing in the file refers to, and list the counts");
  command
      .add_option("--max-error", how.max_error,
                  "Write nothing and exit with status 1 if a vertex of the new file lies further than R from where it was, relative to the "
                  "size of the model, at rest, in any animation, blend shape or stress pose (see compare)")
      .check(not_negative())
      .type_name("R");
  add_fail_on_loss(command, how.on_loss);
  command.add_flag("--json", json, "Write the changes and the largest movement of a vertex as JSON to standard output");
}

std::string count_losses(const sinew::FindingList& losses) {
  const auto count =
      std::ranges::count_if(losses.list(), [](const sinew::Finding& loss) { return loss.severity != sinew::Severity::hint; });
  return count == 0 ? "no losses" : count == 1 ? "1 loss" : fmt::format("{} losses", count);
}

std::string movement_in_words(const Written& done) {
  if (!done.movement || done.movement->error() <= tolerance) return {};
  return error_in_words(*done.movement);
}

Outcome outcome_of(const std::filesystem::path& output, const Written& done, const sinew::FindingList& changes, std::string talk,
                   const std::function<void(Json&)>& more) {
  Json row = json_of(output, done, changes);
  if (more) more(row);
  Outcome outcome;
  outcome.did = done.refused != Refused::no ? sinew::batch::Did::refused
                : output.empty()            ? sinew::batch::Did::checked
                                            : sinew::batch::Did::written;
  outcome.status = done.refused != Refused::no ? Exit::findings : Exit::done;
  outcome.result = row.text();
  outcome.changes = changes.list();
  outcome.talk = done.refused != Refused::no ? refusal(output.string(), done, changes) : std::move(talk);
  return outcome;
}

int print_edit(const std::string& output, const Written& done, const sinew::FindingList& changes, const std::string& talk, bool json,
               const Common& common) {
  return print_outcome(outcome_of(output, done, changes, talk), done, changes, json, common);
}

int print_outcome(const Outcome& outcome, const Written& done, const sinew::FindingList& changes, bool json, const Common& common) {
  print_changes(changes, common);
  if (json)
    if (const int status = print_data(outcome.result + "\n", common.terminal); status != Exit::done) return status;
  if (done.refused != Refused::no) return fail_findings(outcome.talk, common.terminal);
  if (done.movement) common.terminal.talk("{}", printable(error_in_words(*done.movement) + every_pose_in_words(done)));
  common.terminal.talk("{}", outcome.talk);
  return outcome.status;
}

}  // namespace app
