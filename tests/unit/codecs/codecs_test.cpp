// SPDX-License-Identifier: MIT
#include "codecs/codecs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace sinew::codecs {
namespace {

class Codecs : public testing::Test {
 protected:
  void SetUp() override {
    if (!check()) GTEST_SKIP() << check().error().message;
  }
};

/// Waves that a palette cannot hold; `levels` below 256 makes few colours of them.
Pixels waves(std::size_t width, std::size_t height, unsigned levels, bool grey, bool opaque) {
  Pixels pixels{width, height, {}};
  const auto level = [&](std::size_t value) {
    return static_cast<std::uint8_t>(value % 256 * levels / 256 * 255 / std::max(1U, levels - 1));
  };
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x) {
      const std::uint8_t r = level(5 * x + 3 * y), g = grey ? r : level(x * y / 4), b = grey ? r : level(255 - 2 * x);
      pixels.rgba.insert(pixels.rgba.end(), {r, g, b, opaque ? std::uint8_t{255} : level(9 * x)});
    }
  return pixels;
}

int largest_difference(const Pixels& a, const Pixels& b) {
  int largest = 0;
  for (std::size_t i = 0; i < a.rgba.size(); ++i) largest = std::max(largest, std::abs(a.rgba[i] - b.rgba[i]));
  return largest;
}

TEST_F(Codecs, PngAndLosslessWebpKeepEveryPixel) {
  for (const std::size_t width : {1U, 7U, 64U})
    for (const unsigned levels : {2U, 3U, 16U, 256U})
      for (const bool grey : {false, true})
        for (const bool opaque : {false, true}) {
          const Pixels pixels = waves(width, 19, levels, grey, opaque);
          for (const auto& file : {encode_png(pixels), encode_webp(pixels, {WebpForm::Kind::lossless, 100, false, 4})}) {
            ASSERT_TRUE(file) << file.error().line();
            const auto read = decode(*file, 64 * 19, ColorSpace::ignore);
            ASSERT_TRUE(read) << read.error().line();
            EXPECT_EQ(read->width, width);
            EXPECT_EQ(read->rgba, pixels.rgba) << width << ' ' << levels << ' ' << grey << ' ' << opaque;
          }
        }
}

TEST_F(Codecs, ALowerQualityTakesFewerBytes) {
  const Pixels pixels = waves(96, 64, 256, false, true);
  for (const bool webp : {false, true}) {
    const auto at = [&](int quality) {
      return *(webp ? encode_webp(pixels, {WebpForm::Kind::lossy, quality, false, 4}) : encode_jpeg(pixels, quality, JpegColors::full));
    };
    EXPECT_LT(at(20).size(), at(95).size());
    const auto near = decode(at(100), 96 * 64), far = decode(at(0), 96 * 64);
    ASSERT_TRUE(near && far);
    EXPECT_LT(largest_difference(*near, pixels), largest_difference(*far, pixels));
  }
  EXPECT_LT(encode_jpeg(pixels, 50, JpegColors::halved)->size(), encode_jpeg(pixels, 50, JpegColors::full)->size());
}

TEST_F(Codecs, RoundedBitsStayNear) {
  const Pixels pixels = waves(96, 64, 256, false, true);
  const auto read = decode(*encode_webp(pixels, {WebpForm::Kind::lossless, 60, false, 4}), 96 * 64);
  ASSERT_TRUE(read);
  EXPECT_LE(largest_difference(*read, pixels), 4);
}

TEST_F(Codecs, MorePixelsThanAllowedAreRefused) {
  const Pixels pixels = waves(10, 10, 256, false, true);
  EXPECT_EQ(decode(*encode_png(pixels), 99).error().failure, Failure::limit);
  EXPECT_EQ(decode(*encode_jpeg(pixels, 90, JpegColors::full), 99).error().failure, Failure::limit);
}

}  // namespace
}  // namespace sinew::codecs
