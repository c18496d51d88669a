// SPDX-License-Identifier: MIT
#include "model/key_times.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace sinew {
namespace {

using testing::ElementsAre;

/// Keys with the values 0, 1, 2 …; `rows` of them for each key.
template <class T>
Track track(std::vector<T> times, std::size_t rows = 1) {
  Track made;
  std::vector<float> values(times.size() * rows);
  std::iota(values.begin(), values.end(), 0.0F);
  made.times = Array::own(std::move(times), 1);
  made.values = Array::own(std::move(values), 1);
  return made;
}

float before(float time) { return std::nextafter(time, -1.0F); }

TEST(KeyTimes, TheFirstMovesTheLastStaysAndOthersGo) {
  const Track made = with_increasing_times(track<float>({0, 1, 1, 1, 2}));
  EXPECT_THAT(made.times.read<float>(), ElementsAre(0, before(1), 1, 2));
  EXPECT_THAT(made.values.read<float>(), ElementsAre(0, 1, 3, 4));
  EXPECT_FALSE(has_equal_times(made));
}

TEST(KeyTimes, AtTheStartNothingIsBeforeZero) {
  EXPECT_THAT(with_increasing_times(track<float>({0, 0, 1})).values.read<float>(), ElementsAre(1, 2));
  EXPECT_THAT(with_increasing_times(track<float>({1, 1})).times.read<float>(), ElementsAre(before(1), 1));
}

TEST(KeyTimes, WithoutANumberBetweenTheFirstGoes) {
  const Track made = with_increasing_times(track<float>({before(1), 1, 1}));
  EXPECT_THAT(made.times.read<float>(), ElementsAre(before(1), 1));
  EXPECT_THAT(made.values.read<float>(), ElementsAre(0, 2));
}

TEST(KeyTimes, StepsNeedOnlyTheLast) {
  Track steps = track<float>({0, 1, 1, 2});
  steps.interpolation = Interpolation::step;
  EXPECT_THAT(with_increasing_times(steps).values.read<float>(), ElementsAre(0, 2, 3));
  steps = track<float>({1, 1, 2});
  steps.interpolation = Interpolation::step;
  EXPECT_THAT(with_increasing_times(steps).values.read<float>(), ElementsAre(0, 1, 2));
}

TEST(KeyTimes, AllRowsOfAKeyStayTogether) {
  EXPECT_THAT(with_increasing_times(track<float>({0, 1, 1, 1}, 2)).values.read<float>(), ElementsAre(0, 1, 2, 3, 6, 7));
}

TEST(KeyTimes, DoublesStayDoubles) {
  const Track made = with_increasing_times(track<double>({0, 1, 1}));
  EXPECT_THAT(made.times.read<double>(), ElementsAre(0, std::nextafter(1.0, 0.0), 1));
  const Track close = track<double>({0, 1, 1 + 1e-12});
  EXPECT_FALSE(has_equal_times(close));
  EXPECT_TRUE(has_equal_times(close, true));
}

}  // namespace
}  // namespace sinew
