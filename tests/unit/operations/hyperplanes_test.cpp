// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "sinew/slice.hpp"

namespace sinew::operations {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::size_t> axes(std::vector<AxisCut> cuts, std::size_t dimension) {
  const auto planes = hyperplanes_across(cuts, dimension);
  EXPECT_TRUE(planes) << planes.error().message;
  std::vector<std::size_t> found;
  for (const Hyperplane& plane : *planes) {
    EXPECT_TRUE(plane.normal.empty());
    found.push_back(plane.axis);
  }
  return found;
}

std::string refusal(std::vector<AxisCut> cuts, std::size_t dimension) {
  const auto planes = hyperplanes_across(cuts, dimension);
  if (planes) return "none";
  EXPECT_EQ(planes.error().failure, Failure::usage);
  return planes.error().message;
}

TEST(Hyperplanes, AxesHaveLettersAndNumbers) {
  EXPECT_THAT(axes({{"x", 1}}, 3), ElementsAre(0));
  EXPECT_THAT(axes({{"W", 1}}, 4), ElementsAre(3));
  EXPECT_THAT(axes({{"v", 1}}, 5), ElementsAre(4));
  EXPECT_THAT(axes({{"k", 1}}, 16), ElementsAre(15));
  EXPECT_THAT(axes({{"15", 1}}, 16), ElementsAre(15));
  EXPECT_EQ(hyperplanes_across(std::vector<AxisCut>{{"y", -0.25}}, 2)->at(0).offset, -0.25);
}

TEST(Hyperplanes, EachIsInTheSpaceOfTheSliceBefore) {
  EXPECT_THAT(axes({{"v", 0}, {"w", 0}}, 5), ElementsAre(4, 3));
  EXPECT_THAT(axes({{"x", 0}, {"w", 0}, {"y", 0}}, 5), ElementsAre(0, 2, 0));  // y z w v, then y z v
}

TEST(Hyperplanes, WhatMakesNoSenseIsNamed) {
  EXPECT_EQ(refusal({{"w", 0.5}}, 3), "\"w=0.5\": the model has the axes x y z");
  EXPECT_THAT(refusal({{"3", 0}}, 3), HasSubstr("the model has the axes"));
  EXPECT_THAT(refusal({{"-1", 0}}, 3), HasSubstr("the model has the axes"));
  EXPECT_THAT(refusal({{"a", 0}}, 16), HasSubstr("the model has the axes"));
  EXPECT_THAT(refusal({{"", 0}}, 3), HasSubstr("the model has the axes"));
  EXPECT_THAT(refusal({{"x", std::numeric_limits<double>::quiet_NaN()}}, 3), HasSubstr("not finite"));
  EXPECT_THAT(refusal({{"x", 0}, {"0", 1}}, 3), HasSubstr("cut already"));
  EXPECT_THAT(refusal({{"x", 0}, {"y", 1}}, 2), HasSubstr("remove all dimensions"));
}

}  // namespace
}  // namespace sinew::operations
