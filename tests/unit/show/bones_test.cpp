// SPDX-License-Identifier: MIT
#include "show/bones.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace sinew::show {
namespace {

/// A chain of three joints along y, each `step` above the last one.
Model chain(double step) {
  Model model;
  model.nodes.resize(3);
  model.rest_pose.locals.resize(3);
  model.rest_pose.amounts.resize(3);
  for (Index i = 0; i < 3; ++i) {
    model.nodes[i].bone.emplace();
    if (i == 0) continue;
    model.nodes[i].parent = i - 1;
    model.nodes[i - 1].children = {i};
    model.rest_pose.locals[i].translation = {0, step, 0};
  }
  return model;
}

std::vector<double> lengths(const Model& model, const Pose& pose) {
  const auto same = [](const std::vector<double>& point) { return std::array<double, 3>{point[0], point[1], point[2]}; };
  std::vector<double> all;
  for (const auto& [head, tail] : find_bones(model, pose, none, same).shafts)
    all.push_back(std::hypot(tail[0] - head[0], tail[1] - head[1], tail[2] - head[2]));
  return all;
}

TEST(Bones, TheLastBoneIsHalfAsLongAtRest) {
  const Model model = chain(2);
  EXPECT_EQ(lengths(model, model.rest_pose), (std::vector<double>{2, 2, 1}));
}

TEST(Bones, TheLastBoneIsNoLongerThanItsParentInAnyPose) {
  const Model model = chain(2);
  Pose scaled = model.rest_pose;
  scaled.locals[2].scale = {10, 10, 10};
  EXPECT_EQ(lengths(model, scaled), (std::vector<double>{2, 2, 2}));
  Pose nearer = model.rest_pose;
  nearer.locals[2].translation = {0, 0.25, 0};
  EXPECT_EQ(lengths(model, nearer), (std::vector<double>{2, 0.25, 0.25}));
}

}  // namespace
}  // namespace sinew::show
