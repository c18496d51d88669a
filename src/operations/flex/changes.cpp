// SPDX-License-Identifier: MIT
// The findings of two models, side by side.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/guard.hpp"
#include "base/message.hpp"

#include "sinew/flex.hpp"

namespace sinew::operations {

namespace {

constexpr std::size_t more_vertices = 3;  // fewer occur by rounding

/// What names a finding in both models.
std::string key_of(const Model& model, const FlexFinding& finding) {
  std::string key(finding.code);
  if (finding.joint != none) {
    const std::string& name = model.nodes[finding.joint].name;
    key += "\njoint " + (name.empty() ? format_text("{}", finding.joint) : name);
  }
  if (finding.pose.kind == FlexPose::Kind::shape)
    for (const auto& [shape, amount] : finding.pose.shapes) key += "\nshape " + shape;
  if (finding.kind != FlexKind::inert) return key;
  key += "\n" + finding.message;
  if (finding.pose.kind == FlexPose::Kind::clip) {
    const std::string& name = model.clips[finding.pose.clip].name;
    key += "\nclip " + (name.empty() ? format_text("{}", finding.pose.clip) : name);
  }
  return key;
}

/// Returns whether two values differ by no more than a rounding, which changes the severity next to a limit.
bool nearly_same(const FlexFinding& a, const FlexFinding& b) {
  constexpr double rounding = 1.02;
  return a.limit == b.limit && std::min(a.value, b.value) > 0 && std::max(a.value, b.value) <= rounding * std::min(a.value, b.value);
}

// The severity decides: values of different severities may be those of different angles.
bool is_worse(const FlexFinding& now, const FlexFinding& before) {
  if (now.severity != before.severity && !nearly_same(now, before)) return now.severity < before.severity;
  if (now.value > flex_factor * before.value) return true;
  return now.count >= before.count + more_vertices && static_cast<double>(now.count) > flex_factor * static_cast<double>(before.count);
}

}  // namespace

bool FlexChange::fails() const noexcept { return (kind == Kind::added || kind == Kind::worse) && b->severity <= Severity::warning; }

Result<std::vector<FlexChange>> flex_changes(const Model& a, const FlexReport& of_a, const Model& b, const FlexReport& of_b) SINEW_TRY {
  std::map<std::string, std::vector<const FlexFinding*>> before;
  for (std::size_t i = of_a.findings.size(); i-- > 0;) before[key_of(a, of_a.findings[i])].push_back(&of_a.findings[i]);
  std::vector<FlexChange> out;
  for (const FlexFinding& now : of_b.findings) {
    const auto known = before.find(key_of(b, now));
    if (known == before.end() || known->second.empty()) {
      out.push_back({FlexChange::Kind::added, nullptr, &now});
      continue;
    }
    const FlexFinding* const old = known->second.back();
    known->second.pop_back();
    if (is_worse(now, *old))
      out.push_back({FlexChange::Kind::worse, old, &now});
    else if (is_worse(*old, now))
      out.push_back({FlexChange::Kind::better, old, &now});
  }
  for (const FlexFinding& old : of_a.findings) {
    const auto left = before.find(key_of(a, old));
    if (std::ranges::find(left->second, &old) != left->second.end()) out.push_back({FlexChange::Kind::gone, &old, nullptr});
  }
  return out;
}
SINEW_CATCH()

}  // namespace sinew::operations
