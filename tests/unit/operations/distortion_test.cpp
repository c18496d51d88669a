// SPDX-License-Identifier: MIT
#include "operations/fit/distortion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

namespace sinew::operations::weights {
namespace {

/// A strip of squares along x: the first half of its vertices follows joint 0, the other half joint 1.
WeightedSurface strip(std::uint32_t squares) {
  WeightedSurface out;
  for (std::uint32_t i = 0; i <= squares; ++i)
    for (const double z : {0.0, 1.0}) {
      out.vertices.push_back({static_cast<double>(i), 0, z});
      out.first.push_back(out.joint.size());
      out.joint.push_back(2 * i <= squares ? 0 : 1);
      out.weight.push_back(1);
    }
  out.first.push_back(out.joint.size());
  for (std::uint32_t i = 0; i < squares; ++i) {
    out.triangles.push_back({2 * i, 2 * i + 1, 2 * i + 2});
    out.triangles.push_back({2 * i + 2, 2 * i + 1, 2 * i + 3});
  }
  out.bones.resize(2);
  return out;
}

TEST(Distortion, IsNoneOfASurfaceThatIsScaledAndMoved) {
  const WeightedSurface was = strip(200);
  WeightedSurface is = was;
  for (Vec& vertex : is.vertices) vertex = {3 * vertex[0] + 1, 3 * vertex[1], 3 * vertex[2] - 2};
  EXPECT_NEAR(unevenness(was, is), 1, 1e-12);
  EXPECT_EQ(most_folded(was, is).share, 0);
}

TEST(Distortion, SeesATenthOfTheEdges) {
  const WeightedSurface was = strip(200);
  WeightedSurface is = was;
  for (Vec& vertex : is.vertices) vertex[0] += 3 * std::max(0.0, vertex[0] - 160);  // a fifth of the squares becomes four times as long
  EXPECT_GT(unevenness(was, is), 2.5);
}

/// The strip with zigzags of 127 degrees in some of its squares.
WeightedSurface folded(WeightedSurface surface, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i)
    for (std::size_t side = 0; side < 2; ++side) surface.vertices[2 * i + side][1] = i % 2 == 0 ? 2 : 0;
  return surface;
}

TEST(Distortion, NamesTheJointThatIsFolded) {
  const WeightedSurface was = strip(200);
  const Folds folds = most_folded(was, folded(was, 102, 198));
  EXPECT_EQ(folds.joint, 1U);
  EXPECT_GT(folds.share, 0.4);  // every second edge is an edge of folds
  EXPECT_LT(folds.share, 0.55);
  EXPECT_GT(folds.beyond, 2);
}

TEST(Distortion, SeesAPlaceThatIsASmallPartOfWhatOneJointMoves) {
  const WeightedSurface was = strip(200);
  const Folds folds = most_folded(was, folded(was, 140, 160));  // a tenth of the edges of the joint
  EXPECT_EQ(folds.joint, 1U);
  EXPECT_GT(folds.share, 0.12);
  EXPECT_GT(folds.beyond, 1);
  EXPECT_LT(most_folded(was, folded(was, 140, 148)).beyond, 1);
}

TEST(Distortion, FewEdgesDoNotCount) {
  const WeightedSurface was = strip(20);
  WeightedSurface is = was;
  for (std::size_t i = 0; i < is.vertices.size(); ++i) is.vertices[i][1] = i / 2 % 2 == 0 ? 2 : 0;
  EXPECT_EQ(most_folded(was, is).share, 0);
}

}  // namespace
}  // namespace sinew::operations::weights
