// SPDX-License-Identifier: MIT
#include "document/container/zstd.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include <cstring>
#include <fstream>
#include <string>

#include "rapidcheck.h"
#include "unit/document/files.hpp"

namespace sinew::document::zstd_test {
namespace {

using ::testing::HasSubstr;

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }
constexpr std::uint64_t plenty = std::uint64_t{1} << 30;

/// A frame without its content size.
std::string frame_of_unknown_size(std::string_view content) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  std::string frame(ZSTD_compressBound(content.size()), '\0');
  frame.resize(ZSTD_compress2(context, frame.data(), frame.size(), content.data(), content.size()));
  ZSTD_freeCCtx(context);
  return frame;
}
std::string frame_of(std::string_view content) {
  const auto frame = zstd_compress(bytes_of(content));
  return std::string(text_of(*frame));
}
std::string message_of(std::string_view data, std::uint64_t most = plenty) {
  const auto result = zstd_decompress(bytes_of(data), most);
  return result ? "" : result.error().code + ": " + result.error().message;
}

TEST(Zstd, RoundTripsWithAndWithoutAKnownSize) {
  EXPECT_TRUE(rc::check("any content", [](const std::string& seed, std::uint8_t times) {
    std::string content;
    for (unsigned i = 0; i <= times; ++i) content += seed;
    for (const std::string& frame : {frame_of(content), frame_of_unknown_size(content)}) {
      const auto result = zstd_decompress(bytes_of(frame), content.size());
      RC_ASSERT(result.has_value());
      RC_ASSERT(text_of(result->bytes.view) == content);
      RC_ASSERT(!result->surplus);
      RC_ASSERT(content.empty() || !zstd_decompress(bytes_of(frame), content.size() - 1));
    }
  }));
}

TEST(Zstd, NothingAndALot) {
  for (const std::string& content : {std::string(), std::string(1, 'x'), std::string(3000000, 'x')})
    for (const std::string& frame : {frame_of(content), frame_of_unknown_size(content)}) {
      const auto result = zstd_decompress(bytes_of(frame), plenty);
      ASSERT_TRUE(result) << result.error().line();
      EXPECT_TRUE(text_of(result->bytes.view) == content);
      EXPECT_TRUE(result->bytes.owner);
    }
}

TEST(Zstd, CompressingIsDeterministicAndMarked) {
  const std::string content(1000, 'a');
  EXPECT_EQ(frame_of(content), frame_of(content));
  EXPECT_TRUE(is_zstd_frame(bytes_of(frame_of(content))));
  EXPECT_LT(frame_of(content).size(), 40u);
  EXPECT_EQ(ZSTD_getFrameContentSize(frame_of(content).data(), frame_of(content).size()), 1000u);
}

TEST(Zstd, ErrorsNameWhatWasFound) {
  EXPECT_EQ(message_of(""), "G4MF_BIN_ZSTD_NO_FRAME_MAGIC: the Zstandard data starts with nothing, expected 28 B5 2F FD");
  EXPECT_EQ(message_of("(\xB5/"), "G4MF_BIN_ZSTD_NO_FRAME_MAGIC: the Zstandard data starts with 28 B5 2F, expected 28 B5 2F FD");
  EXPECT_EQ(message_of("hello"), "G4MF_BIN_ZSTD_NO_FRAME_MAGIC: the Zstandard data starts with 68 65 6C 6C, expected 28 B5 2F FD");
  EXPECT_THAT(message_of("(\xB5/\xFD"), HasSubstr("G4MF_BIN_ZSTD_INVALID: the Zstandard frame cannot be decompressed: its header"));
  const std::string frame = frame_of("content, content, content");
  EXPECT_THAT(message_of(frame + "more"), HasSubstr("4 bytes follow the frame, expected its end"));
  EXPECT_THAT(message_of(frame + frame), HasSubstr("bytes follow the frame (another frame), expected its end"));
  std::string flipped = frame;
  flipped.back() = static_cast<char>(flipped.back() ^ 1);
  EXPECT_THAT(message_of(flipped), HasSubstr("checksum"));
}

TEST(Zstd, EveryTruncationIsAnError) {
  std::string content;
  for (int i = 0; i < 500; ++i) content += std::to_string(i * i);
  for (const std::string& frame : {frame_of(content), frame_of_unknown_size(content)})
    for (std::size_t length = 0; length < frame.size(); ++length)
      EXPECT_THAT(message_of(std::string_view(frame).substr(0, length)), HasSubstr("G4MF_BIN_ZSTD_")) << length;
}

// Also if the header has a wrong size: too large or too small.
TEST(Zstd, NoChangedByteGivesMoreThanAllowed) {
  const std::string content(300, 'x');
  for (const std::string& frame : {frame_of(content), frame_of_unknown_size(content)})
    for (std::size_t at = 0; at < frame.size(); ++at)
      for (int byte = 0; byte < 256; ++byte) {
        std::string changed = frame;
        changed[at] = static_cast<char>(byte);
        const auto result = zstd_decompress(bytes_of(changed), 400);
        EXPECT_TRUE(!result || result->bytes.view.size() <= 400u);
      }
}

long resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stol(line.substr(6));
  return 0;
}

// 256 MiB of zeros in about 8 KiB must be rejected before much of it is decoded.
TEST(Zstd, ABombIsRefusedWithoutItsMemory) {
  const std::string zeros(std::size_t{1} << 20, '\0');
  std::string bomb;
  ZSTD_CCtx* context = ZSTD_createCCtx();
  std::string room(ZSTD_CStreamOutSize(), '\0');
  const auto feed = [&](std::string_view piece, ZSTD_EndDirective end) {
    ZSTD_inBuffer in{piece.data(), piece.size(), 0};
    std::size_t left = 0;
    do {
      ZSTD_outBuffer out{room.data(), room.size(), 0};
      left = ZSTD_compressStream2(context, &out, &in, end);
      bomb.append(room, 0, out.pos);
    } while (in.pos < in.size || (end == ZSTD_e_end && left != 0));
  };
  for (int i = 0; i < 256; ++i) feed(zeros, ZSTD_e_continue);
  feed("", ZSTD_e_end);
  ZSTD_freeCCtx(context);
  ASSERT_LT(bomb.size(), 100000u);

  const long before = resident_kib();
  EXPECT_EQ(message_of(bomb, 1 << 20), "SINEW_ZSTD_TOO_LARGE: the Zstandard frame decompresses to more than the allowed 1048576 bytes");
  const auto start = zstd_decompress(bytes_of(bomb), 1000, Surplus::drop);
  ASSERT_TRUE(start);
  EXPECT_EQ(start->bytes.view.size(), 1000u);
  EXPECT_TRUE(start->surplus);
  EXPECT_LT(resident_kib() - before, 16 << 10);

  // A frame with its content size is rejected by that size.
  std::string known = frame_of(zeros);
  EXPECT_THAT(message_of(known, 1000), HasSubstr("SINEW_ZSTD_TOO_LARGE"));
  EXPECT_EQ(zstd_decompress(bytes_of(known), 1000).error().failure, Failure::limit);
}

TEST(Zstd, SurplusIsDroppedOnRequest) {
  const std::string content = "0123456789";
  for (const std::string& frame : {frame_of(content), frame_of_unknown_size(content)})
    for (std::uint64_t most = 0; most <= content.size(); ++most) {
      const auto result = zstd_decompress(bytes_of(frame), most, Surplus::drop);
      ASSERT_TRUE(result) << result.error().line();
      EXPECT_EQ(text_of(result->bytes.view), content.substr(0, most));
      EXPECT_EQ(result->surplus, most < content.size());
    }
}

}  // namespace
}  // namespace sinew::document::zstd_test
