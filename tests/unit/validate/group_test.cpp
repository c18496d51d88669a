// SPDX-License-Identifier: MIT
#include "validate/group.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "base/guard.hpp"

#include "sinew/validate.hpp"

namespace sinew::validate::test {
namespace {

Finding make(std::string_view code, std::string pointer, Severity severity = Severity::error) {
  return {code, severity, std::move(pointer), std::nullopt, "message"};
}

Report report_of(std::vector<Finding> findings) {
  Report report;
  report.issues.list = std::move(findings);
  return report;
}

TEST(Group, ArraysHaveNoIndices) {
  EXPECT_EQ(array_of("/nodes/12/rotation"), "/nodes/*/rotation");
  EXPECT_EQ(array_of("/meshes/0/primitives/11/attributes/JOINTS_0"), "/meshes/*/primitives/*/attributes/*");
  EXPECT_EQ(array_of("/a//1b/2"), "/a//1b/*");
  EXPECT_EQ(array_of(""), "");
}

TEST(Group, FindingsOfOneCodeInOneArray) {
  const Report report = report_of({make("A", "/nodes/0/x"), make("B", "/nodes/0/x"), make("A", "/nodes/1/x"), make("A", "/nodes/1/x"),
                                   make("A", "/nodes/1/y"), make("A", "/nodes/2/x", Severity::hint)});
  const Grouped grouped = need(group_findings(report, GroupBy::array));
  ASSERT_EQ(grouped.groups.size(), 4u);
  const Group& first = grouped.groups[0];
  EXPECT_EQ(first.shown, report.issues.list.data());
  EXPECT_EQ(first.count, 3u);
  EXPECT_EQ(first.places, 2u);
  EXPECT_EQ(first.array, "/nodes/*/x");
  EXPECT_EQ(grouped.groups[3].shown->severity, Severity::hint);
  EXPECT_FALSE(grouped.truncated);
  EXPECT_EQ(need(group_findings(report, GroupBy::nothing)).groups.size(), 6u);
}

TEST(Group, TheWorstIsShown) {
  Report report = report_of({make("A", "/x"), make("A", "/x"), make("A", "/x")});
  const double off[] = {0.1, 0.3, 0.2};
  for (std::size_t i = 0; i < 3; ++i) report.issues.list[i].measure = Measure{off[i], "vertices"};
  EXPECT_EQ(need(group_findings(report, GroupBy::array)).groups[0].shown, &report.issues.list[1]);
  report.issues.list[2].measure->off = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(need(group_findings(report, GroupBy::array)).groups[0].shown, &report.issues.list[2]);
}

TEST(Group, DifferentCodesComeBeforeRepeats) {
  std::vector<Finding> list = {make("A", "/0"), make("A", "/1"), make("W", "/2", Severity::warning), make("B", "/3"), make("A", "/4")};
  const auto same = [](const Finding& finding) -> const Finding& { return finding; };
  std::vector<Finding> two = list;
  EXPECT_TRUE(keep_different(two, 2, same));
  EXPECT_EQ(two[0].pointer + two[1].pointer, "/0/3");
  EXPECT_FALSE(keep_different(list, 5, same));
  EXPECT_EQ(list[2].pointer, "/1");
  EXPECT_EQ(list[4].severity, Severity::warning);
}

TEST(Group, TheNumberOfGroupsIsLimited) {
  const Report report = report_of({make("A", "/x/0"), make("A", "/y/1"), make("B", "/z"), make("B", "/z")});
  const Grouped grouped = need(group_findings(report, GroupBy::array, 2));
  ASSERT_EQ(grouped.groups.size(), 2u);
  EXPECT_TRUE(grouped.truncated);
  EXPECT_EQ(grouped.groups[1].shown->code, "B");
  EXPECT_EQ(grouped.groups[1].count, 2u);
}

TEST(Group, CodesOfManyReports) {
  const std::vector<Report> reports = {report_of({make("A", "/0"), make("B", "/1"), make("B", "/2"), make("H", "/0", Severity::hint)}),
                                       report_of({make("A", "/0")}),
                                       report_of({make("B", "/0"), make("H", "/1", Severity::hint), make("H", "/2", Severity::hint)})};
  const std::vector<CodeCount> counts = need(count_codes(reports));
  ASSERT_EQ(counts.size(), 3u);
  EXPECT_EQ(counts[0].code, "B");
  EXPECT_EQ(counts[0].findings, 3u);
  EXPECT_EQ(counts[0].files, 2u);
  EXPECT_EQ(counts[1].code, "A");
  EXPECT_EQ(counts[2].findings, 3u);
}

}  // namespace
}  // namespace sinew::validate::test
