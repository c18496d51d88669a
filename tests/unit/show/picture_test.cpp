// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <jpeglib.h>

#include <algorithm>
#include <cstdio>  // jpeglib.h needs FILE
#include <fstream>
#include <iterator>

#include "sinew/render.hpp"

namespace sinew::show {
namespace {

constexpr std::size_t plenty = 1 << 20;

Picture pattern(std::size_t width, std::size_t height, bool opaque) {
  Picture picture{width, height, {}};
  for (std::size_t i = 0; i < width * height; ++i) {
    const auto value = static_cast<std::uint8_t>(i * 7);
    picture.rgba.insert(picture.rgba.end(), {value, static_cast<std::uint8_t>(255 - value), static_cast<std::uint8_t>(i % 5 * 50),
                                             opaque ? std::uint8_t{255} : static_cast<std::uint8_t>(55 + i % 200)});
  }
  return picture;
}

std::filesystem::path temporary(const std::string& name) { return std::filesystem::path(testing::TempDir()) / ("sinew_" + name); }

std::vector<std::byte> bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> text((std::istreambuf_iterator<char>(file)), {});
  std::vector<std::byte> bytes(text.size());
  std::transform(text.begin(), text.end(), bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
  return bytes;
}

TEST(Picture, WhatIsWrittenIsReadAgain) {
  for (const char* name : {"a.png", "A.PNG", "a.webp"})
    for (const bool opaque : {true, false}) {
      const auto path = temporary(name);
      const Picture picture = pattern(37, 21, opaque);
      ASSERT_TRUE(write_picture(picture, path)) << name;
      const auto read = decode_picture(bytes_of(path), plenty);
      ASSERT_TRUE(read) << read.error().line();
      EXPECT_EQ(read->width, 37U);
      EXPECT_EQ(read->height, 21U);
      EXPECT_EQ(read->rgba, picture.rgba) << name << opaque;
      std::filesystem::remove(path);
    }
  EXPECT_EQ(write_picture(pattern(2, 2, true), temporary("a.gif")).error().failure, Failure::usage);
}

TEST(Picture, AnimationsHoldTheirFirstPicture) {
  const auto path = temporary("moving.webp");
  const Picture first = pattern(16, 8, true);
  {
    auto writer = AnimationWriter::create(path, 16, 8);
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->add(first, 0));
    EXPECT_FALSE(std::filesystem::exists(path)) << "before it is whole";
    Picture second = first;
    for (std::uint8_t& value : second.rgba) value = 255;
    ASSERT_TRUE(writer->add(second, 0.1));
    ASSERT_TRUE(writer->finish(0.2));
  }
  const std::vector<std::byte> bytes = bytes_of(path);
  EXPECT_GT(bytes.size(), 60U);
  std::filesystem::remove(path);
  {
    auto writer = AnimationWriter::create(path, 16, 8);
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->add(first, 0));
  }
  EXPECT_FALSE(std::filesystem::exists(path)) << "never finished";
}

TEST(Picture, ReadsJpeg) {
  std::vector<std::uint8_t> rows(16 * 16 * 3, 0);
  for (std::size_t i = 0; i < rows.size(); i += 3) rows[i] = 200;
  jpeg_compress_struct jpeg{};
  jpeg_error_mgr errors{};
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_compress(&jpeg);
  unsigned char* data = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&jpeg, &data, &size);
  jpeg.image_width = jpeg.image_height = 16;
  jpeg.input_components = 3;
  jpeg.in_color_space = JCS_RGB;
  jpeg_set_defaults(&jpeg);
  jpeg_start_compress(&jpeg, TRUE);
  while (jpeg.next_scanline < 16) {
    JSAMPROW row = rows.data() + std::size_t{jpeg.next_scanline} * 48;
    jpeg_write_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_compress(&jpeg);
  jpeg_destroy_compress(&jpeg);
  const std::span bytes = std::as_bytes(std::span(data, size));
  const auto read = decode_picture(bytes, plenty);
  ASSERT_TRUE(read) << read.error().line();
  EXPECT_EQ(read->rgba.size(), 16U * 16 * 4);
  EXPECT_NEAR(read->rgba[0], 200, 4);
  EXPECT_NEAR(read->rgba[1], 0, 4);
  EXPECT_EQ(read->rgba[3], 255);
  for (std::size_t cut = 0; cut < bytes.size(); cut += 7) (void)decode_picture(bytes.first(cut), plenty);  // no crash; libjpeg mends some
  EXPECT_EQ(decode_picture(bytes, 255).error().failure, Failure::limit);
  std::free(data);
}

TEST(Picture, RefusesWhatIsBroken) {
  const auto path = temporary("broken.png");
  ASSERT_TRUE(write_picture(pattern(20, 20, true), path));
  const std::vector<std::byte> bytes = bytes_of(path);
  std::filesystem::remove(path);
  for (std::size_t cut = 0; cut + 16 < bytes.size(); ++cut) {
    const auto read = decode_picture(std::span(bytes).first(cut), plenty);
    ASSERT_FALSE(read) << cut;
    EXPECT_EQ(read.error().failure, Failure::input);
  }
  EXPECT_EQ(decode_picture(bytes, 399).error().failure, Failure::limit);
}

}  // namespace
}  // namespace sinew::show
