// SPDX-License-Identifier: MIT
#include "show/camera.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>

namespace sinew::show {
namespace {

/// The position of a point in the picture: −1 to 1 on each axis, and its distance in front of the eye.
struct Seen {
  double x, y, depth, distance;
};
Seen see(const Camera& camera, const float* point) {
  double clip[4];
  for (std::size_t r = 0; r < 4; ++r) {
    clip[r] = camera.clip_from_seen[12 + r];
    for (std::size_t c = 0; c < 3; ++c) {
      const float seen = point[c] * static_cast<float>(camera.scale) - static_cast<float>(camera.origin[c]);  // as on the card
      clip[r] += static_cast<double>(camera.clip_from_seen[c * 4 + r]) * seen;
    }
  }
  return {clip[0] / clip[3], clip[1] / clip[3], clip[2] / clip[3], clip[3]};
}

TEST(CameraFitter, EveryPointIsSeenAndTheOutermostTouchTheMargin) {
  std::mt19937 chance(3);
  std::normal_distribution<float> any;
  for (int round = 0; round < 50; ++round) {
    const double aspect = std::exp(any(chance) / 2);
    const View view{any(chance) * 90, any(chance) * 40};
    const float size = std::exp(any(chance) * 3), shift = any(chance) * size * 5;
    std::vector<float> points(3 * 40);
    for (float& value : points) value = any(chance) * size + shift;
    CameraFitter fitter(view, aspect);
    fitter.include({points.data(), 40, 3});
    const Camera camera = fitter.camera();
    double widest = 0, highest = 0;
    for (std::size_t i = 0; i < 40; ++i) {
      const Seen seen = see(camera, points.data() + i * 3);
      EXPECT_GT(seen.distance, 0);
      EXPECT_LE(std::abs(seen.depth), 1);
      widest = std::max(widest, std::abs(seen.x));
      highest = std::max(highest, std::abs(seen.y));
    }
    EXPECT_NEAR(std::max(widest, highest), 0.92, 0.002) << "view " << view.yaw << ", " << view.pitch << ", aspect " << aspect;
  }
}

TEST(CameraFitter, FindsWhatIsFarAwayHugeOrTiny) {
  const float cross[] = {-1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (const auto& [size, shift] : {std::pair{1e-36F, 0.0F}, {1e-12F, 0.0F}, {1.0F, 1e5F}, {8.0F, 1e6F}, {1e12F, 3e12F}, {1e37F, 0.0F}}) {
    std::array<float, 12> points;
    std::ranges::transform(cross, points.begin(), [&, s = size, d = shift](float value) { return value * s + d; });
    CameraFitter fitter({28, 16}, 1);
    fitter.include({points.data(), 4, 3});
    const Camera camera = fitter.camera();
    double widest = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const Seen seen = see(camera, points.data() + i * 3);
      EXPECT_LE(std::abs(seen.depth), 1) << size << " at " << shift;
      widest = std::max({widest, std::abs(seen.x), std::abs(seen.y)});
    }
    EXPECT_NEAR(widest, 0.92, 0.01) << size << " at " << shift;
  }
}

TEST(CameraFitter, NamedViewsShowTheRightSides) {
  const float cross[] = {-1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const auto at = [&](const View& view, std::size_t point) {
    CameraFitter fitter(view, 1);
    fitter.include({cross, 4, 3});
    return see(fitter.camera(), cross + point * 3);
  };
  EXPECT_GT(at({0, 0}, 1).x, 0.1);    // from the front: +X to the right
  EXPECT_GT(at({0, 0}, 2).y, 0.1);    // +Y up
  EXPECT_LT(at({90, 0}, 3).x, -0.1);  // from +X: +Z to the left
  EXPECT_LT(at({0, 90}, 3).y, -0.1);  // from above: +Z down
  EXPECT_LT(at({180, 0}, 1).x, -0.1);
}

TEST(CameraFitter, OnePointAndNoneAreSeenToo) {
  const float point[] = {5, 6, 7};
  CameraFitter fitter({30, 20}, 1.5);
  EXPECT_TRUE(fitter.empty());
  fitter.include({point, 1, 3});
  const Seen seen = see(fitter.camera(), point);
  EXPECT_NEAR(seen.x, 0, 1e-3);
  EXPECT_NEAR(seen.y, 0, 1e-3);
  EXPECT_GT(seen.distance, 0);
}

}  // namespace
}  // namespace sinew::show
