// SPDX-License-Identifier: MIT
#include "validate/group.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "base/ascii.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "document/json/pointer.hpp"

#include "sinew/validate.hpp"

namespace sinew::validate {

namespace {

/// Returns whether `other` is a worse case than `shown`. NaN counts as the worst.
bool is_worse(const Finding& other, const Finding& shown) {
  return other.measure && shown.measure && !std::isnan(shown.measure->off) && !(other.measure->off <= shown.measure->off);
}

using Key = std::tuple<std::string_view, Severity, std::string>;

/// Adds findings to groups in their order.
class Grouper {
 public:
  explicit Grouper(GroupBy by) : by_(by) {}

  void add(const Finding& finding) {
    std::string array = finding.offset ? std::string() : array_of(finding.pointer);
    if (by_ == GroupBy::nothing) {
      groups_.push_back({&finding, 1, 1, std::move(array)});
      return;
    }
    const auto [known, is_new] = known_.try_emplace(Key{finding.code, finding.severity, array}, groups_.size());
    if (is_new) {
      static_cast<void>(counts_again(finding));
      groups_.push_back({&finding, 1, 1, std::move(array)});
      last_.push_back(&finding);
      return;
    }
    Group& group = groups_[known->second];
    const Finding*& last = last_[known->second];
    if (!counts_again(finding)) ++group.count;
    // Findings at one place are consecutive.
    if (last->pointer != finding.pointer || last->offset != finding.offset) ++group.places;
    last = &finding;
    if (is_worse(finding, *group.shown)) group.shown = &finding;
  }

  std::vector<Group> take() && { return std::move(groups_); }

 private:
  /// Returns whether the vertex of the finding was counted already: it is reported at each set of weights of its primitive.
  [[nodiscard]] bool counts_again(const Finding& finding) {
    const std::size_t end = finding.pointer.find("/attributes/");
    if (!finding.measure || finding.measure->of != "vertices" || end == std::string::npos) return false;
    return !vertices_.insert(format_text("{} {} {}", finding.code, std::string_view(finding.pointer).substr(0, end), finding.message))
                .second;
  }

  GroupBy by_;
  std::vector<Group> groups_;
  std::vector<const Finding*> last_;  ///< by group: the finding that was added last
  std::map<Key, std::size_t> known_;
  std::set<std::string> vertices_;  ///< counted: code, primitive and message
};

}  // namespace

std::string array_of(std::string_view pointer) {
  std::string array;
  std::string_view above;
  for (const document::PointerStep& step : document::steps_of(pointer)) {
    array.append("/").append(step.index() || above == "attributes" ? "*" : step.text);
    above = step.text;
  }
  return array;
}

Result<Grouped> group_findings(const Report& report, GroupBy by, std::optional<std::uint64_t> most) SINEW_TRY {
  Grouper grouping(by);
  for (const Issues* issues : {&report.issues, &report.model_issues})
    for (const Finding& finding : issues->list) grouping.add(finding);
  Grouped grouped{std::move(grouping).take(), report.issues.truncated || report.model_issues.truncated};
  grouped.truncated |= keep_different(grouped.groups, most, [](const Group& group) -> const Finding& { return *group.shown; });
  return grouped;
}
SINEW_CATCH()

Result<std::vector<CodeCount>> count_codes(std::span<const Report> reports) SINEW_TRY {
  struct Sum {
    CodeCount count;
    const Report* last = nullptr;
  };
  std::map<std::string_view, Sum> sums;
  for (const Report& report : reports)
    for (const Issues* issues : {&report.issues, &report.model_issues})
      for (const Finding& finding : issues->list) {
        Sum& sum = sums[finding.code];
        sum.count.code = finding.code;
        sum.count.severity = std::min(finding.severity, sum.count.findings == 0 ? finding.severity : sum.count.severity);
        ++sum.count.findings;
        sum.count.files += std::exchange(sum.last, &report) != &report;
      }
  std::vector<CodeCount> counts;
  for (const Sum& sum : sums | std::views::values) counts.push_back(sum.count);
  std::ranges::sort(counts, [](const CodeCount& a, const CodeCount& b) {
    return std::tuple(a.severity, b.findings, a.code) < std::tuple(b.severity, a.findings, b.code);
  });
  return counts;
}
SINEW_CATCH()

}  // namespace sinew::validate
