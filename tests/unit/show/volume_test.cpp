// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <limits>

#include "base/guard.hpp"

#include "sinew/render.hpp"

namespace sinew::show {
namespace {

using Wrap = Appearance::Wrap;

/// Pixels with a red of 255 where `full` says so, and a green that counts them.
Picture picture_of(std::size_t width, std::size_t height, const std::vector<int>& full) {
  Picture picture{width, height, {}};
  for (std::size_t i = 0; i < width * height; ++i)
    picture.rgba.insert(picture.rgba.end(), {static_cast<std::uint8_t>(full[i] * 255), static_cast<std::uint8_t>(i), 0, 255});
  return picture;
}

Appearance::Volume texture_of(std::array<std::size_t, 3> size, std::array<Wrap, 3> wrap, bool nearest) {
  Appearance::Volume texture;
  texture.size = size;
  texture.wrap = wrap;
  texture.nearest = nearest;
  return texture;
}

constexpr std::array all_clamp{Wrap::clamp, Wrap::clamp, Wrap::clamp};

float red(const Volume& volume, float x, float y, float z) {
  const std::array<float, 3> at{x, y, z};
  return volume.sample(at.data())[0];
}

TEST(Volume, TilesGoFromLeftToRightAndThenDown) {
  // 3 tiles of 2 × 3 pixels in a picture of two by two; the pixels of each are numbered along the picture's rows of 4.
  const Picture picture = picture_of(4, 6, std::vector<int>(24));
  const auto volume = Volume::create(picture, texture_of({2, 3, 3}, all_clamp, true));
  ASSERT_TRUE(volume.has_value());
  const std::vector<int> want{0, 1, 4, 5, 8, 9, 2, 3, 6, 7, 10, 11, 12, 13, 16, 17, 20, 21};
  ASSERT_EQ(volume->rgba().size(), want.size() * 4);
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_EQ(volume->rgba()[i * 4 + 1], want[i]) << i;
}

TEST(Volume, TheNearestTexel) {
  const auto volume = Volume::create(picture_of(3, 1, {1, 0, 0}), texture_of({3, 1, 1}, {Wrap::repeat, Wrap::mirror, Wrap::clamp}, true));
  ASSERT_TRUE(volume.has_value());
  for (const float x : {0.0F, 0.33F, 1.0F, 1.2F, -0.7F, -0.99F, 7.1F}) EXPECT_EQ(red(*volume, x, 0.5F, 0.5F), 1) << x;
  for (const float x : {0.34F, 0.99F, -0.01F, -0.6F, 1.4F}) EXPECT_EQ(red(*volume, x, 0.5F, 0.5F), 0) << x;
}

TEST(Volume, WrapsEachAxisInItsWay) {
  const std::vector<int> first{1, 0, 0};
  const auto mirror = Volume::create(picture_of(3, 1, first), texture_of({3, 1, 1}, {Wrap::mirror, Wrap::clamp, Wrap::clamp}, true));
  const auto clamp = Volume::create(picture_of(3, 1, first), texture_of({3, 1, 1}, all_clamp, true));
  const auto deep = Volume::create(picture_of(3, 1, first), texture_of({1, 1, 3}, {Wrap::clamp, Wrap::clamp, Wrap::repeat}, true));
  ASSERT_TRUE(mirror && clamp && deep);
  EXPECT_EQ(red(*mirror, -0.2F, 0, 0), 1);
  EXPECT_EQ(red(*mirror, 1.2F, 0, 0), 0);
  EXPECT_EQ(red(*mirror, 1.8F, 0, 0), 1);
  EXPECT_EQ(red(*mirror, 2.2F, 0, 0), 1);
  EXPECT_EQ(red(*clamp, -100, 0, 0), 1);
  EXPECT_EQ(red(*clamp, 1.2F, 0, 0), 0);
  EXPECT_EQ(red(*deep, 0.9F, 9, 1.2F), 1);
  EXPECT_EQ(red(*deep, 0.9F, 9, -0.2F), 0);
}

TEST(Volume, BlendsLightBetweenTheMiddlesOfTexels) {
  const auto line = Volume::create(picture_of(3, 1, {1, 0, 0}), texture_of({3, 1, 1}, {Wrap::repeat, Wrap::clamp, Wrap::clamp}, false));
  ASSERT_TRUE(line.has_value());
  EXPECT_NEAR(red(*line, 1.0F / 6, 0, 0), 1, 1e-6);
  EXPECT_NEAR(red(*line, 1.0F / 3, 0, 0), 0.5, 1e-6);
  EXPECT_NEAR(red(*line, 0.25F, 0, 0), 0.75, 1e-6);
  EXPECT_NEAR(red(*line, 0, 0, 0), 0.5, 1e-6);  // half of it the last texel
  EXPECT_NEAR(red(*line, -1.0F / 12, 0, 0), 0.25, 1e-6);
  // Corners of 2 × 2 × 2 texels, two tiles below one another: red at (1, 0, 0), (1, 1, 0) and (0, 0, 1).
  const auto cube = Volume::create(picture_of(2, 4, {0, 1, 0, 1, 1, 0, 0, 0}), texture_of({2, 2, 2}, all_clamp, false));
  ASSERT_TRUE(cube.has_value());
  const double x = 0.3, y = 0.6, z = 0.2;
  const double want = x * (1 - y) * (1 - z) + x * y * (1 - z) + (1 - x) * (1 - y) * z;
  EXPECT_NEAR(red(*cube, 0.25F + 0.5F * 0.3F, 0.25F + 0.5F * 0.6F, 0.25F + 0.5F * 0.2F), want, 1e-6);
}

TEST(Volume, DecodesSrgbAndKeepsOpacity) {
  const Picture picture{1, 1, {128, 0, 255, 128}};
  const auto volume = Volume::create(picture, texture_of({1, 1, 1}, all_clamp, false));
  ASSERT_TRUE(volume.has_value());
  const std::array<float, 3> anywhere{0.3F, 2, -1};
  const std::array<float, 4> color = volume->sample(anywhere.data());
  EXPECT_NEAR(color[0], 0.2158605, 1e-6);  // IEC 61966-2-1 of 128 / 255
  EXPECT_EQ(color[1], 0);
  EXPECT_NEAR(color[2], 1, 1e-6);
  EXPECT_NEAR(color[3], 128.0 / 255, 1e-6);
}

TEST(Volume, CoordinatesThatAreNoPlaceAreHarmless) {
  const auto volume = Volume::create(picture_of(3, 1, {1, 0, 0}), texture_of({3, 1, 1}, {Wrap::repeat, Wrap::mirror, Wrap::clamp}, false));
  ASSERT_TRUE(volume.has_value());
  for (const float x : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 3e38F, -3e38F}) {
    const float value = red(*volume, x, x, x);
    EXPECT_TRUE(value >= 0 && value <= 1) << x;
  }
}

TEST(Volume, PicturesThatDoNotFitAreRefused) {
  EXPECT_FALSE(Volume::create(picture_of(4, 2, std::vector<int>(8)), texture_of({2, 2, 3}, all_clamp, false)).has_value());
  EXPECT_FALSE(Volume::create(picture_of(5, 2, std::vector<int>(10)), texture_of({2, 2, 2}, all_clamp, false)).has_value());
  EXPECT_FALSE(Volume::create(picture_of(2, 3, std::vector<int>(6)), texture_of({2, 2, 1}, all_clamp, false)).has_value());
  EXPECT_FALSE(Volume::create(picture_of(2, 2, std::vector<int>(4)), texture_of({4, 4, 1}, all_clamp, false)).has_value());
  EXPECT_TRUE(Volume::create(picture_of(4, 2, std::vector<int>(8)), texture_of({2, 2, 1}, all_clamp, false)).has_value());
}

TEST(Volume, ThePlaceholderIsOneColour) {
  Appearance::Volume texture = texture_of({4, 4, 4}, all_clamp, false);
  texture.placeholder = {1, 0, 0.2158605, 0.5};
  const Volume volume = need(Volume::placeholder(texture));
  const std::array<float, 3> anywhere{0.7F, 0.1F, 3};
  const std::array<float, 4> color = volume.sample(anywhere.data());
  EXPECT_EQ(color[0], 1);
  EXPECT_EQ(color[1], 0);
  EXPECT_NEAR(color[2], 0.2158605, 1e-3);
  EXPECT_NEAR(color[3], 0.5, 1.0 / 255);
}

}  // namespace
}  // namespace sinew::show
