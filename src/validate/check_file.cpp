// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <utility>

#include "base/catalogue.hpp"
#include "base/deadline.hpp"
#include "base/guard.hpp"
#include "base/parallel.hpp"
#include "base/path_text.hpp"
#include "document/json/json_text.hpp"
#include "validate/avatar_rules.hpp"
#include "validate/entity_names.hpp"
#include "validate/group.hpp"
#include "validate/model_rules.hpp"
#include "validate/positions.hpp"
#include "validate/skeleton_rules.hpp"

#include "sinew/validate.hpp"

namespace sinew::validate {

namespace {

std::string mime_type_of(const io::Checked& checked) {
  const bool binary = checked.container != document::Container::json;
  switch (checked.format) {
    case io::Format::gltf:
      return binary ? "model/gltf-binary" : "model/gltf+json";
    case io::Format::g4mf:
      return binary ? "model/g4mf-binary" : "model/g4mf+json";
    case io::Format::unknown:
      break;
  }
  return {};
}

// A report must be UTF-8, but a path may be any bytes.
std::string to_utf8(std::string text) {
  while (const auto invalid = document::find_invalid_utf8(text)) text.replace(*invalid, 1, "\xEF\xBF\xBD");
  return text;
}

// The Khronos validator has no rules of VRM.
bool is_own_code(std::string_view code) {
  constexpr std::string_view prefixes[] = {"GLTF_", "SINEW_", "VRM_", "VRM0_", "VRMA_"};
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return code.starts_with(prefix); });
}

// A check that met a limit or the end of memory is incomplete, so Options::only does not hide it.
bool is_limit(std::string_view code) {
  return code.ends_with("_LIMIT") || code == "SINEW_FINDINGS_DROPPED" || code == "SINEW_NO_MEMORY" || code == "SINEW_DEADLINE" ||
         code == "SINEW_STOPPED";
}

bool is_wanted(std::string_view code, const Options& options) {
  const auto in = [&](const std::vector<std::string>& list) { return std::ranges::find(list, code) != list.end(); };
  return (options.only.empty() || in(options.only) || is_limit(code)) && !in(options.ignored);
}

void add(Issues& issues, Finding finding) {
  ++issues.counts[static_cast<std::size_t>(finding.severity)];
  issues.list.push_back(std::move(finding));
}

void truncate(Issues& issues, std::uint64_t most) {
  if (issues.list.size() > most)
    issues.truncated = keep_different(issues.list, most, [](const Finding& finding) -> const Finding& { return finding; });
}

void sort_out(const FindingList& found, const Options& options, Report& report) {
  for (const Finding& finding : found.list()) {
    if (finding.code == "SINEW_FINDINGS_DROPPED")  // findings of either kind were dropped
      report.issues.truncated = report.model_issues.truncated = true;
    if (is_wanted(finding.code, options)) add(is_own_code(finding.code) ? report.model_issues : report.issues, finding);
  }
  if (!options.most_listed) return;
  truncate(report.issues, *options.most_listed);
  truncate(report.model_issues, *options.most_listed - report.issues.list.size());
}

// Checks what needs the model: rules that no format has, measured ones of avatars, and those of skeleton dialects.
void check_contents(const io::Checked& checked, const Options& options, FindingSink& sink) {
  if (!checked.model) return;
  check_model(*checked.model, sink);
  check_avatar(*checked.model, *checked.document, sink);
  check_character(*checked.model, *checked.document, sink);
  std::vector<SkeletonDialect> dialects = declared_dialects(*checked.model);
  if (options.profile && std::ranges::find(dialects, *options.profile) == dialects.end()) dialects.push_back(*options.profile);
  for (const SkeletonDialect dialect : dialects) check_skeletons(*checked.model, *checked.document, dialect, sink);
}

}  // namespace

bool Issues::reach(Severity least) const noexcept {
  return std::any_of(counts.begin(), counts.begin() + static_cast<int>(least) + 1, [](std::uint64_t count) { return count > 0; });
}

Result<Report> check_file(const std::filesystem::path& path, const Options& options) SINEW_TRY {
  FindingList found;
  auto checked = io::check(path, options.load, found);
  if (!checked) return Unexpected(std::move(checked.error()));
  check_contents(*checked, options, found);
  Report report;
  report.uri = to_utf8(path_text(path));
  report.mime_type = mime_type_of(*checked);
  report.container = checked->container;
  report.info = std::move(checked->info);
  sort_out(found, options, report);
  if (checked->document)
    for (Issues* issues : {&report.issues, &report.model_issues}) {
      locate(*checked->document, issues->list);
      add_names(*checked->document, issues->list, report.names);
    }
  return report;
}
SINEW_CATCH({path_text(path), {}, {}})

Result<std::vector<Result<Report>>> check_files(std::span<const std::filesystem::path> paths, const Options& options, unsigned threads,
                                                const std::function<void(std::size_t)>& done) SINEW_TRY {
  std::vector<Result<Report>> reports(paths.size());
  std::atomic<std::size_t> next = 0;
  std::mutex telling;
  std::size_t finished = 0;
  const EachDeadline deadlines;
  // Files differ in size, so each free thread takes the next one.
  const auto work = [&](std::size_t, std::size_t) {
    for (std::size_t i = next++; i < paths.size(); i = next++) {
      {
        const Deadline deadline = deadlines.item();
        reports[i] = check_file(paths[i], options);
      }
      const std::scoped_lock lock(telling);
      if (done) done(++finished);
    }
  };
  const std::size_t workers = std::min<std::size_t>(threads == 0 ? available_threads() : threads, paths.size());
  parallel_for(workers, 1, threads, work);
  return reports;
}
SINEW_CATCH()

}  // namespace sinew::validate
