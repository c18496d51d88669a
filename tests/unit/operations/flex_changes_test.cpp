// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "base/guard.hpp"

#include "sinew/flex.hpp"

namespace sinew::operations {
namespace {

FlexFinding self(Severity severity, double pairs, double limit = 1) {
  FlexFinding out;
  out.kind = FlexKind::self;
  out.code = "FLEX_SELF";
  out.severity = severity;
  out.value = pairs;
  out.count = static_cast<std::size_t>(pairs);
  out.limit = limit;
  return out;
}

std::vector<FlexChange> changes(const FlexReport& a, const FlexReport& b) { return need(flex_changes(Model(), a, Model(), b)); }

TEST(FlexChanges, TheSeverityDecides) {
  FlexReport note, warning;  // of more pairs at a larger angle, and of few at a small one
  note.findings = {self(Severity::information, 48)};
  warning.findings = {self(Severity::warning, 4)};
  const auto worse = changes(note, warning);
  ASSERT_EQ(worse.size(), 1u);
  EXPECT_EQ(worse[0].kind, FlexChange::Kind::worse);
  EXPECT_TRUE(worse[0].fails());
  const auto better = changes(warning, note);
  ASSERT_EQ(better.size(), 1u);
  EXPECT_EQ(better[0].kind, FlexChange::Kind::better);
  EXPECT_FALSE(better[0].fails());
}

TEST(FlexChanges, ValuesNextToALimitAreEqual) {
  FlexReport below, above;
  below.findings = {self(Severity::warning, 0.0999)};
  above.findings = {self(Severity::error, 0.1001)};
  EXPECT_TRUE(changes(below, above).empty());
  EXPECT_TRUE(changes(above, below).empty());
}

TEST(FlexChanges, OfOneSeverityTheValueDecides) {
  FlexReport few, many;
  few.findings = {self(Severity::warning, 4)};
  many.findings = {self(Severity::warning, 6)};
  ASSERT_EQ(changes(few, many).size(), 1u);
  EXPECT_EQ(changes(few, many)[0].kind, FlexChange::Kind::worse);
  EXPECT_EQ(changes(many, few)[0].kind, FlexChange::Kind::better);
}

}  // namespace
}  // namespace sinew::operations
