// SPDX-License-Identifier: MIT
#include "document/container/image.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rapidcheck.h"

namespace sinew::document::image_test {
namespace {

using namespace std::string_literals;

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

std::string big32(std::uint32_t value) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(value >> shift & 0xFF);
  return text;
}

std::string chunk(const std::string& type, const std::string& data) {
  return big32(static_cast<std::uint32_t>(data.size())) + type + data + "CRC!";
}

const std::string signature = "\x89PNG\r\n\x1A\n";
std::string ihdr(char colour_type) { return chunk("IHDR", big32(5) + big32(3) + "\x08"s + colour_type + "\0\0\0"s); }
std::string png_of(const std::string& chunks) { return signature + chunks + chunk("IDAT", "?"); }

std::string jpeg_of(char components) { return "\xFF\xD8\xFF\xE0\0\4AB\xFF\xFF\xC2\0\x08\x08\0\x10\0\x20"s + components; }

std::string webp_of(const std::string& chunk) {
  return "RIFF\0\0\0\0WEBP"s + chunk + std::string(chunk.size() < 18 ? 18 - chunk.size() : 0, '\0');
}

ResourceInfo::Image image_of(const std::string& text) {
  const auto info = image_info(bytes_of(text));
  EXPECT_TRUE(info) << (info ? "" : std::string(info.error().reason));
  return info ? info->image : ResourceInfo::Image{};
}

std::string_view unusual(const std::string& text) { return image_info(bytes_of(text))->unusual; }

ImageFault::Kind fault_of(const std::string& text) {
  const auto info = image_info(bytes_of(text));
  EXPECT_FALSE(info);
  return info ? ImageFault::Kind::unrecognized : info.error().kind;
}

TEST(Image, TypesAreKnownByTheirFirstBytes) {
  EXPECT_EQ(image_mime_type(bytes_of(png_of(ihdr(2)))), "image/png");
  EXPECT_EQ(image_mime_type(bytes_of(jpeg_of(3))), "image/jpeg");
  EXPECT_EQ(image_mime_type(bytes_of(webp_of("VP8 "))), "image/webp");
  EXPECT_EQ(image_mime_type(bytes_of("\xABKTX 20\xBB\r\n\x1A\n12"s)), "image/ktx2");
  EXPECT_EQ(image_mime_type(bytes_of("GIF89a????????")), "");
  EXPECT_EQ(image_mime_type(bytes_of(signature)), "") << "too short for any";
}

TEST(Image, PngHeader) {
  const ResourceInfo::Image image = image_of(png_of(ihdr(2)));
  EXPECT_EQ(image.width, 5U);
  EXPECT_EQ(image.height, 3U);
  EXPECT_EQ(image.bits, 8U);
  EXPECT_EQ(image.format, "rgb");
  EXPECT_EQ(image.primaries, "srgb");
  EXPECT_EQ(image.transfer, "srgb");
  EXPECT_EQ(image_of(png_of(ihdr(0))).format, "luminance");
  EXPECT_EQ(image_of(png_of(ihdr(3))).format, "rgb");
  EXPECT_EQ(image_of(png_of(ihdr(4))).format, "luminance-alpha");
  EXPECT_EQ(image_of(png_of(ihdr(6))).format, "rgba");
  EXPECT_EQ(image_of(png_of(ihdr(5))).format, "");
  EXPECT_EQ(image_of(png_of(ihdr(0) + chunk("tRNS", "??"))).format, "luminance-alpha");
  EXPECT_EQ(image_of(png_of(ihdr(2) + chunk("tRNS", "??????"))).format, "rgba");
}

TEST(Image, PngColourSpace) {
  EXPECT_EQ(image_of(png_of(ihdr(2) + chunk("gAMA", big32(45455)))).transfer, "srgb");
  const std::string linear = png_of(ihdr(2) + chunk("gAMA", big32(100000)));
  EXPECT_EQ(image_of(linear).transfer, "linear");
  EXPECT_EQ(unusual(linear), "") << "linear is usual";
  EXPECT_EQ(image_of(png_of(ihdr(2) + chunk("gAMA", big32(50000)))).transfer, "custom");
  std::string srgb;
  for (const std::uint32_t value : {31270U, 32900U, 64000U, 33000U, 30000U, 60000U, 15000U, 6000U}) srgb += big32(value);
  EXPECT_EQ(image_of(png_of(ihdr(2) + chunk("cHRM", srgb))).primaries, "srgb");
  srgb[31] = 1;
  const std::string other = chunk("cHRM", srgb);
  EXPECT_EQ(image_of(png_of(ihdr(2) + other)).primaries, "custom");
  EXPECT_NE(unusual(png_of(ihdr(2) + other)), "");
  EXPECT_EQ(image_of(png_of(ihdr(2) + other + chunk("sRGB", "\0"s))).primaries, "srgb") << "sRGB wins wherever it stands";
  EXPECT_EQ(image_of(png_of(ihdr(2) + chunk("sRGB", "\0"s) + other)).primaries, "srgb");
  EXPECT_EQ(image_of(png_of(ihdr(2) + chunk("iCCP", "profile"))).transfer, "custom");
  EXPECT_EQ(unusual(png_of(ihdr(2) + chunk("pHYs", big32(1) + big32(1) + "\1"))), "");
  EXPECT_NE(unusual(png_of(ihdr(2) + chunk("pHYs", big32(1) + big32(2) + "\1"))), "");
}

TEST(Image, PngFaults) {
  EXPECT_EQ(fault_of(signature + chunk("IHDR", "too short")), ImageFault::Kind::invalid);
  EXPECT_EQ(fault_of(png_of("")), ImageFault::Kind::invalid) << "no IHDR";
  EXPECT_EQ(fault_of(signature + big32(0xFFFFFFFF) + "tEXt..."), ImageFault::Kind::truncated);
}

TEST(Image, JpegHeader) {
  const ResourceInfo::Image image = image_of(jpeg_of(3));
  EXPECT_EQ(image.width, 32U);
  EXPECT_EQ(image.height, 16U);
  EXPECT_EQ(image.bits, 8U);
  EXPECT_EQ(image.format, "rgb");
  EXPECT_EQ(image.primaries, "");
  EXPECT_EQ(image_of(jpeg_of(1)).format, "luminance");
  EXPECT_EQ(fault_of(jpeg_of(4)), ImageFault::Kind::invalid);
  EXPECT_EQ(fault_of("\xFF\xD8\xFF\xE0\0\1          "s), ImageFault::Kind::invalid);
  EXPECT_EQ(fault_of("\xFF\xD8\xFF\xC0\0\7          "s), ImageFault::Kind::invalid);
}

TEST(Image, WebpHeader) {
  const ResourceInfo::Image lossy = image_of(webp_of("VP8 \0\0\0\0??????\x40\xC0\x20\x40"s));
  EXPECT_EQ(lossy.width, 64U);
  EXPECT_EQ(lossy.height, 32U);
  EXPECT_EQ(lossy.format, "rgb");
  const ResourceInfo::Image lossless = image_of(webp_of("VP8L\0\0\0\0\x2F\x3F\xC0\x07\x10"s));
  EXPECT_EQ(lossless.width, 64U);
  EXPECT_EQ(lossless.height, 32U);
  EXPECT_EQ(lossless.format, "rgba");
  EXPECT_EQ(lossless.bits, 8U);
  const auto extended = [](char flags) { return webp_of("VP8X\0\0\0\0"s + flags + "\0\0\0\x3F\0\0\x1F\0\0"s); };
  EXPECT_EQ(image_of(extended(0x10)).width, 64U);
  EXPECT_EQ(image_of(extended(0x10)).height, 32U);
  EXPECT_EQ(image_of(extended(0x10)).format, "rgba");
  EXPECT_EQ(unusual(extended(0)), "");
  EXPECT_EQ(unusual(extended(2)), "an animation");
  EXPECT_EQ(image_of(extended(0x20)).primaries, "custom");
  EXPECT_EQ(fault_of(webp_of("VP8?")), ImageFault::Kind::invalid);
}

TEST(Image, EveryTruncationIsOne) {
  for (const std::string& whole : {png_of(ihdr(2) + chunk("gAMA", big32(1))), jpeg_of(3), webp_of("VP8 "), webp_of("VP8L").substr(0, 25)}) {
    const std::size_t needed = whole.size() - (whole[1] == 'P' ? 5 : 0);  // pixels are not read
    ASSERT_TRUE(image_info(bytes_of(whole.substr(0, needed))));
    for (std::size_t size = 14; size < needed; ++size) EXPECT_EQ(fault_of(whole.substr(0, size)), ImageFault::Kind::truncated) << size;
  }
}

TEST(Image, AnyBytesAreRead) {
  EXPECT_TRUE(rc::check("any bytes", [](const std::vector<std::uint8_t>& tail) {
    for (const std::string& head : {signature, "\xFF\xD8\xFF"s, "RIFF\0\0\0\0WEBPVP8"s})
      static_cast<void>(image_info(bytes_of(head + std::string(tail.begin(), tail.end()))));
  }));
}

}  // namespace
}  // namespace sinew::document::image_test
