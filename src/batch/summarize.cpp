// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <optional>
#include <ranges>
#include <set>
#include <utility>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "batch/lines.hpp"

#include "sinew/batch.hpp"

namespace sinew::batch {

namespace {

using document::JsonValue;
using Counts = std::array<std::uint64_t, 4>;

/// The content of the lines about one file.
struct FileResult {
  std::string uri;
  std::string did;
  int status = 0;
  std::string error;
  Counts counts{};
  std::map<std::pair<Severity, std::string>, std::uint64_t> codes;  ///< how many findings
  std::uint64_t times = 0;                                          ///< how often it was completed
};

struct CommandResults {
  std::map<std::uint64_t, FileResult> files;  ///< by number
  std::set<std::uint64_t> lists;
  std::set<std::size_t> divisions;  ///< the numbers of shards
};

bool is_work(std::string_view did) { return did != "failed" && did != "unchanged"; }

// Of a failed attempt, an unchanged result and a completed one, the highest rank counts.
int rank(std::string_view did) { return did == "failed" ? 0 : did == "unchanged" ? 1 : 2; }

// Reports have numbers; `flex` has the names that people read.
std::optional<Severity> severity_of(JsonValue finding) {
  constexpr std::array<std::string_view, 4> names = {"error", "warning", "info", "hint"};
  const JsonValue severity = finding["severity"];
  const std::int64_t number = severity.integer().value_or(std::ranges::find(names, severity.string()) - names.begin());
  if (number < 0 || number > 3) return std::nullopt;
  return static_cast<Severity>(number);
}

void count_findings(JsonValue list, FileResult& result) {
  for (const JsonValue finding : list.elements())
    if (const auto severity = severity_of(finding)) ++result.codes[{*severity, finding["code"].string()}];
}

// A report has its own counts, because not all findings may be listed. Changes, losses and the findings of `flex` are counted here.
void read_findings(JsonValue found, FileResult& result) {
  constexpr std::array<std::string_view, 4> names = {"numErrors", "numWarnings", "numInfos", "numHints"};
  for (const std::string_view kind : {"issues", "modelIssues"}) {
    for (std::size_t i = 0; i < names.size(); ++i)
      result.counts[i] += static_cast<std::uint64_t>(std::max<std::int64_t>(0, found[kind][names[i]].integer().value_or(0)));
    count_findings(found[kind]["messages"], result);
  }
  for (const std::string_view list : {"changes", "findings"}) {
    for (const JsonValue one : found[list].elements())
      if (const auto severity = severity_of(one)) ++result.counts[static_cast<std::size_t>(*severity)];
    count_findings(found[list], result);
  }
}

FileResult read_result(JsonValue line) {
  FileResult result;
  result.uri = line["uri"].string();
  result.did = line["did"].string();
  result.status = static_cast<int>(std::min<std::int64_t>(*line["status"].integer(), 255));
  result.error = line["error"]["line"].string();
  read_findings(line["result"], result);
  return result;
}

/// Returns why the line contradicts earlier ones; empty if it does not.
std::string add(JsonValue line, CommandResults& results) {
  const auto number = static_cast<std::uint64_t>(*line["number"].integer());
  const auto files = static_cast<std::uint64_t>(*line["files"].integer());
  const auto shard = parse_shard(line["shard"].string());
  if (!shard || number < 1 || number > files || (number - 1) % shard->count != shard->index - 1)
    return format_text("found file {} of {} in shard {}, which cannot contain it", number, files, line["shard"].string());
  FileResult result = read_result(line);
  const auto [known, is_new] = results.files.try_emplace(number);
  FileResult& file = known->second;
  if (!is_new && file.uri != result.uri)
    return format_text("found {} as file {}, but another line has {} there", result.uri, number, file.uri);
  results.lists.insert(files);
  results.divisions.insert(shard->count);
  result.times = file.times + (is_work(result.did) ? 1 : 0);
  if (is_new || rank(result.did) > rank(file.did))
    file = std::move(result);
  else
    file.times = result.times;
  return {};
}

// The shard's files have the numbers index, index + count, … up to `files`.
std::uint64_t size_of(Shard shard, std::uint64_t files) { return files < shard.index ? 0 : (files - shard.index) / shard.count + 1; }

std::vector<CommandSummary::MissingShard> missing_shards(const CommandResults& results, std::uint64_t files) {
  std::vector<CommandSummary::MissingShard> missing;
  const std::size_t count = *results.divisions.begin();
  std::map<std::size_t, std::uint64_t> seen;
  for (const std::uint64_t number : results.files | std::views::keys) ++seen[(number - 1) % count + 1];
  for (std::size_t index = 1; index <= count; ++index) {
    const std::uint64_t wanted = size_of({index, count}, files);
    if (const std::uint64_t there = seen[index]; there < wanted) missing.push_back({{index, count}, wanted - there, wanted});
  }
  return missing;
}

CommandSummary summary_of(CommandResults& results) {
  CommandSummary summary;
  summary.files = *results.lists.rbegin();
  summary.results = results.files.size();
  if (results.lists.size() > 1) summary.lists.assign(results.lists.begin(), results.lists.end());
  if (results.divisions.size() == 1 && summary.results < summary.files) summary.missing_shards = missing_shards(results, summary.files);
  for (auto& [number, file] : results.files) {
    ++summary.did[file.did];
    ++summary.status[file.status];
    for (std::size_t i = 0; i < file.counts.size(); ++i) summary.counts[i] += file.counts[i];
    for (const auto& [code, findings] : file.codes) {
      CommandSummary::Code& sum = summary.codes[code];
      sum.findings += findings;
      ++sum.files;
    }
    if (file.times > 1) summary.duplicates.push_back({number, file.uri, file.times});
    if (file.status != 0 || file.counts[0] > 0) summary.bad.push_back({number, file.uri, file.status, file.counts, std::move(file.error)});
  }
  return summary;
}

}  // namespace

bool Summary::complete() const noexcept {
  return broken.empty() && !commands.empty() && std::ranges::all_of(commands | std::views::values, [](const CommandSummary& summary) {
           return summary.results == summary.files && summary.duplicates.empty() && summary.lists.empty();
         });
}

bool Summary::clean() const noexcept {
  return std::ranges::all_of(commands | std::views::values, [](const CommandSummary& summary) { return summary.bad.empty(); });
}

Result<Summary> summarize(std::span<const std::string> paths) SINEW_TRY {
  Summary summary;
  std::map<std::string, CommandResults, std::less<>> commands;
  for (const std::string& path : paths) {
    const auto done = read_lines(path, [&](const ReadLine& line) {
      const std::string why = line.why.empty() ? add(line.value, commands[line.value["command"].string()]) : line.why;
      if (!why.empty()) summary.broken.push_back({path, line.number, why});
    });
    if (!done) return Unexpected(done.error());
  }
  for (auto& [command, results] : commands)
    if (!results.files.empty()) summary.commands.emplace(command, summary_of(results));
  return summary;
}
SINEW_CATCH()

}  // namespace sinew::batch
