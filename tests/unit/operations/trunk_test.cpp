// SPDX-License-Identifier: MIT
#include "operations/fit/trunk.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sinew::operations::weights {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

const std::vector<std::string> bones = {"hips", "spine", "chest", "neck", "leftUpperLeg", "rightUpperLeg"};

auto near(double x, double y, double z) { return ElementsAre(DoubleNear(x, 1e-12), DoubleNear(y, 1e-12), DoubleNear(z, 1e-12)); }

TEST(ClothPlaces, TheTrunkKeepsItsShareOfTheWayFromTheLegsToTheNeck) {
  const std::vector<Vec> clothes = {{0, 0.9, 0}, {0, 1.25, 0}, {0, 1.5, 0}, {0, 2, 0}, {0.1, 1, 0}, {-0.1, 1, 0}};
  const std::vector<Vec> body = {{0, 2.2, 0.1}, {0, 2.4, 0.1}, {0, 3, 0.4}, {0, 4, 0}, {0.3, 2, 0}, {-0.3, 2, 0}};
  const std::vector<Vec> places = cloth_places(bones, clothes, body);
  EXPECT_THAT(places[0], near(0, 1.8, 0.1));   // below the body's hips: straight down
  EXPECT_THAT(places[1], near(0, 2.5, 0.15));  // a sixth of the way from the body's spine to its chest
  EXPECT_THAT(places[2], near(0, 3, 0.4));
  for (const std::size_t other : {3U, 4U, 5U}) EXPECT_EQ(places[other], body[other]);
}

TEST(ClothPlaces, WithoutLegsOrHeadEachBoneGoesToThatOfTheBody) {
  const std::vector<Vec> clothes = {{0, 0.9, 0}, {0, 1.25, 0}, {0, 1.5, 0}, {0, 2, 0}},
                         body = {{0, 2, 0}, {0, 2.1, 0}, {0, 3, 0}, {0, 4, 0}};
  EXPECT_EQ(cloth_places(std::span(bones).first(4), clothes, body), body);
  const std::vector<std::string> headless = {"hips", "spine", "leftUpperLeg", "rightUpperLeg"};
  EXPECT_EQ(cloth_places(headless, clothes, body), body);
  const std::vector<Vec> flat(4);
  EXPECT_EQ(cloth_places(std::vector<std::string>{"hips", "neck", "leftUpperLeg", "rightUpperLeg"}, flat, body), body);
}

}  // namespace
}  // namespace sinew::operations::weights
