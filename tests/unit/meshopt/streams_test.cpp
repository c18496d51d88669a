// SPDX-License-Identifier: MIT
// The decoders of KHR_meshopt_compression against meshoptimizer's and against streams that can be checked by hand.
#include "meshopt/streams.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <sstream>
#include <string>

#include "unit/meshopt/encoder.hpp"

namespace sinew::gltf::test {
namespace {

using meshopt::Damage;

enum class Mode : std::uint32_t { attributes, triangles, indices };
enum class Filter : std::uint32_t { nothing, octahedral, quaternion, exponential, color };

std::optional<Damage> decode(Mode mode, const Bytes& stream, Bytes& out, std::size_t stride) {
  return mode == Mode::attributes  ? meshopt::decode_attributes(stream, out, stride)
         : mode == Mode::triangles ? meshopt::decode_triangles(stream, out, stride)
                                   : meshopt::decode_indices(stream, out, stride);
}

void undo(Filter filter, Bytes& elements, std::size_t stride) {
  if (filter == Filter::octahedral) meshopt::undo_octahedral(elements, stride);
  if (filter == Filter::quaternion) meshopt::undo_quaternion(elements);
  if (filter == Filter::exponential) meshopt::undo_exponential(elements);
  if (filter == Filter::color) meshopt::undo_color(elements, stride);
}

// "a1 0*19 07": 19 zeros in between; "T" is the table of meshoptimizer.
Bytes parse(const std::string& text) {
  Bytes bytes;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word == "T") {
      for (const int pair : {0x00, 0x76, 0x87, 0x56, 0x67, 0x78, 0xa9, 0x86, 0x65, 0x89, 0x68, 0x98, 0x01, 0x69, 0x00, 0x00})
        bytes.push_back(static_cast<std::uint8_t>(pair));
      continue;
    }
    const std::size_t star = word.find('*');
    const auto value = static_cast<std::uint8_t>(std::stoul(word.substr(0, star), nullptr, 16));
    bytes.insert(bytes.end(), star == std::string::npos ? 1 : std::stoul(word.substr(star + 1)), value);
  }
  return bytes;
}

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// Returns the result of reading `stream`; fails if it is damaged.
Bytes decoded(Mode mode, const std::string& stream, std::size_t size, std::size_t stride) {
  Bytes out(size);
  const auto damage = decode(mode, parse(stream), out, stride);
  EXPECT_FALSE(damage) << stream << ": " << damage->what << " at byte " << damage->byte;
  return out;
}

TEST(MeshoptStreams, AttributesByHand) {
  Bytes columns;
  for (std::uint8_t i = 0; i < 16; ++i) columns.insert(columns.end(), {static_cast<std::uint8_t>(i < 8 ? 10 : 11), i, 0, 7});
  const auto read = [](const char* stream, std::size_t size) { return decoded(Mode::attributes, stream, size, 4); };
  EXPECT_EQ(read("a1 a5 00 00 01 02 01 2a aa aa aa 0*19 0a 00 00 07 00", 64), columns);
  EXPECT_EQ(read("a0 01 00 00 80 00 01 2a aa aa aa 00 00 0*28 0a 00 00 07", 64), columns);
  EXPECT_EQ(read("a1 ab 00 01 01 01 0*19 00 00 80 3f 12", 16), bytes_of<float>({1, -1, 1, -1}));
  EXPECT_EQ(read("a1 ff 00 58 00 02 00 01 00 02 0*19 e8 03 ff ff 01", 8), bytes_of<std::uint16_t>({1000, 65535, 1300, 65278}));
  const Bytes steps = {1, 0, 0, 255, 2, 0, 0, 255, 3, 0, 0, 255, 4, 0, 0, 255};
  EXPECT_EQ(read("a1 ab 00 02 02 02 0*19 01 00 00 ff 00", 16), steps);
  EXPECT_EQ(read("a0 01 2a 00 00 00 00 00 00 0*28 01 00 00 ff", 16), steps);
}

TEST(MeshoptStreams, TrianglesByHand) {
  const auto read = [](const char* stream, std::size_t count) { return decoded(Mode::triangles, stream, 4 * count, 4); };
  EXPECT_EQ(read("e1 f0 T", 3), bytes_of<std::uint32_t>({0, 1, 2}));
  EXPECT_EQ(read("e1 f0 10 T", 6), bytes_of<std::uint32_t>({0, 1, 2, 2, 1, 3}));
  EXPECT_EQ(read("e1 f0 00 T", 6), bytes_of<std::uint32_t>({0, 1, 2, 0, 2, 3}));
  EXPECT_EQ(read("e1 ff ff 0a 08 03 T", 3), bytes_of<std::uint32_t>({5, 9, 7}));
  EXPECT_EQ(read("e1 ff 0d 0e ff 0a 08 03 T", 9), bytes_of<std::uint32_t>({5, 9, 7, 5, 7, 6, 5, 6, 7}));
  EXPECT_EQ(read("e1 ff f0 ff 08 02 02 T", 6), bytes_of<std::uint32_t>({4, 5, 6, 0, 1, 2}));
  EXPECT_EQ(read("e1 f0 10 f0 fe 12 T", 12), bytes_of<std::uint32_t>({0, 1, 2, 2, 1, 3, 4, 5, 6, 7, 6, 5}));
  EXPECT_EQ(decoded(Mode::triangles, "e1 f0 10 T", 12, 2), bytes_of<std::uint16_t>({0, 1, 2, 2, 1, 3}));
}

TEST(MeshoptStreams, IndicesByHand) {
  const auto read = [](const char* stream, std::size_t count) { return decoded(Mode::indices, stream, 4 * count, 4); };
  EXPECT_EQ(read("d1 00 04 04 04 0*4", 4), bytes_of<std::uint32_t>({0, 1, 2, 3}));
  EXPECT_EQ(read("d1 00 91 03 04 05 04 0*4", 5), bytes_of<std::uint32_t>({0, 100, 1, 101, 2}));
  EXPECT_EQ(decoded(Mode::indices, "d1 14 06 04 a1 1f 0*4", 8, 2), bytes_of<std::uint16_t>({5, 3, 4, 1000}));
}

TEST(MeshoptStreams, DamageHasAPlace) {
  struct Case {
    Mode mode;
    std::size_t size;
    const char* stream;
    const char* what;
    std::size_t byte;
  };
  const Mode a = Mode::attributes, t = Mode::triangles, i = Mode::indices;
  const Case cases[] = {
      {a, 16, "a2 ab 00 02 02 02 0*19 01 00 00 ff 00", "the first byte is neither a0 nor a1", 0},
      {a, 16, "e1 ab 00 02 02 02 0*19 01 00 00 ff 00", "the first byte is neither a0 nor a1", 0},
      {a, 16, "a1 0*23", "the stream is too short", 0},
      {a, 16, "a0 0*31", "the stream is too short", 0},
      {a, 16, "a1 ab 00 02 02 02 0*19 01 00 00 ff 03", "a channel has an unknown mode", 0},
      {a, 16, "a1 ab 00 02 02 02 0*19 01 00 00 ff 10", "a channel has an unknown mode", 0},
      {a, 16, "a1 ab 00 02 02 0*19 01 00 00 ff 00", "the data ends early", 2},
      {a, 16, "a1 ab 00 02 02 02 00 0*19 01 00 00 ff 00", "bytes are left over", 6},
      {a, 64, "a1 a5 00 00 01 02 01 2a aa aa 0*19 0a 00 00 07 00", "the data ends early", 6},
      {a, 16, "a1 0*24", "the data ends early", 1},
      {t, 12, "e0 f0 T", "the first byte is not e1", 0},
      {t, 24, "e1 f0 T", "the stream is too short", 0},
      {t, 12, "e1 f0 0*12 0f 0*3", "the table has a nibble of f", 2},
      {t, 12, "e1 f0 0*15 01", "the table does not end in two zeros", 2},
      {t, 12, "e1 00 T", "a triangle refers to one that does not exist", 2},
      {t, 24, "e1 f0 30 T", "a triangle refers to one that does not exist", 3},
      {t, 24, "e1 f0 04 T", "a triangle refers to one that does not exist", 3},
      {t, 12, "e1 ff ff 0a 08 T", "the data ends early", 6},
      {t, 12, "e1 f0 00 T", "bytes are left over", 2},
      {t, 12, "e1 ff ff ff ff ff ff ff 00 08 03 T", "a number has more than five bytes", 10},
      {i, 16, "d0 00 04 04 04 0*4", "the first byte is not d1", 0},
      {i, 20, "d1 00 04 04 04 0*4", "the stream is too short", 0},
      {i, 16, "d1 00 91 03 04 0*4", "the data ends early", 5},
      {i, 12, "d1 00 04 04 04 0*4", "bytes are left over", 4},
      {i, 8, "d1 ff ff ff ff ff 00 0*4", "a number has more than five bytes", 6},
      {i, 8, "d1 00 ff 0*4", "the data ends early", 4},
  };
  for (const Case& bad : cases) {
    Bytes out(bad.size);
    const auto damage = decode(bad.mode, parse(bad.stream), out, 4);
    ASSERT_TRUE(damage) << bad.stream;
    EXPECT_STREQ(damage->what, bad.what) << bad.stream;
    EXPECT_EQ(damage->byte, bad.byte) << bad.stream;
  }
}

TEST(MeshoptStreams, AttributesOfAnyCountStrideAndMode) {
  std::mt19937 random(3);
  for (const std::size_t stride : {4u, 12u, 32u, 36u, 256u})
    for (const std::size_t count : {1u, 15u, 16u, 33u, 256u, 257u, 600u})
      for (const unsigned mode : {0u, 1u, 0x02u, 0x12u, 0xf2u}) {
        Bytes data(stride * count), out(data.size());
        for (std::uint8_t& byte : data) byte = static_cast<std::uint8_t>(random());
        for (const unsigned version : {0u, 1u}) {
          const StreamOptions options = {.version = version, .mode = version == 0 ? 0 : mode};
          EXPECT_FALSE(meshopt::decode_attributes(encode_attributes(data, stride, options), out, stride));
          EXPECT_EQ(out, data) << "stride " << stride << ", count " << count << ", mode " << mode << ", version " << version;
        }
      }
}

TEST(MeshoptStreams, FiltersOfDataThatNobodyWrites) {
  for (const std::size_t stride : {4u, 8u}) {
    Bytes zeros(5 * stride);
    meshopt::undo_octahedral(zeros, stride);
    EXPECT_EQ(zeros, Bytes(5 * stride));
    meshopt::undo_color(zeros, stride);
    EXPECT_EQ(zeros, Bytes(5 * stride));
  }
  Bytes powers = bytes_of<std::uint32_t>({0x00000001, 0xff000003, 0x80800000, 0x7f7fffff, 0x8a000001});
  meshopt::undo_exponential(powers);
  EXPECT_EQ(powers, bytes_of<float>({1, 1.5f, -0x1p-105f, HUGE_VALF, 0x1p-118f}));
}

/// A stream that meshoptimizer made or decoded; meshopt_streams.mjs in tests/outside describes the format.
struct Recorded {
  enum Kind : std::uint32_t { good, suspect, refused };
  std::uint32_t kind;
  Mode mode;
  Filter filter;
  std::uint32_t count, stride, length;
};

// Compares with a file of such streams, and returns the number of streams per kind.
std::array<std::size_t, 3> compare(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<std::size_t, 3> compared = {};
  for (Recorded record; file.read(reinterpret_cast<char*>(&record), sizeof record); ++compared.at(record.kind)) {
    Bytes stream(record.length), wanted(std::size_t{record.count} * record.stride), out(wanted.size());
    file.read(reinterpret_cast<char*>(stream.data()), static_cast<std::streamsize>(stream.size()));
    if (record.kind != Recorded::refused) file.read(reinterpret_cast<char*>(wanted.data()), static_cast<std::streamsize>(wanted.size()));
    const auto damage = decode(record.mode, stream, out, record.stride);
    SCOPED_TRACE(testing::Message() << "before byte " << file.tellg() << (damage ? damage->what : ""));
    EXPECT_FALSE(record.kind == Recorded::good && damage);
    EXPECT_FALSE(record.kind == Recorded::refused && !damage);
    undo(record.filter, out, record.stride);
    EXPECT_TRUE(damage || record.kind == Recorded::refused || out == wanted);
    if (testing::Test::HasFailure()) break;
  }
  return compared;
}

// SINEW_MESHOPT_STREAMS names another file than the one here, which meshopt_streams.mjs wrote (20261124, 1 round, at most 30 elements).
TEST(MeshoptStreams, EqualMeshoptimizers) {
  const char* other = std::getenv("SINEW_MESHOPT_STREAMS");
  const auto compared = compare(other != nullptr ? other : SINEW_SOURCE_DIR "/tests/unit/meshopt/streams.bin");
  EXPECT_GE(compared[Recorded::good], 40u);
  EXPECT_GE(compared[Recorded::suspect] + compared[Recorded::refused], 40u);
  EXPECT_GE(compared[Recorded::refused], 20u);
}

// Every byte of a stream in turn, in buffers of its exact length: an address sanitizer sees what reads or writes beyond them.
TEST(MeshoptStreams, DamagedBytesAreReadSafely) {
  Bytes data(40 * 12);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint8_t>(i * i / 50);
  const Bytes attributes[] = {encode_attributes(data, 12, {.version = 0}), encode_attributes(data, 12)};
  const Bytes triangles = parse("e1 f0 10 f0 fe 12 ff 08 02 02 T"), indices = parse("d1 00 91 03 04 05 04 0*4");
  const auto try_all = [](Mode mode, const Bytes& stream, std::size_t size, std::size_t stride) {
    std::size_t refused = 0;
    for (std::size_t i = 0; i < stream.size(); ++i)
      for (const int change : {0x01, 0x80, 0xff}) {
        Bytes damaged = stream, out(size);
        damaged[i] = static_cast<std::uint8_t>(damaged[i] ^ change);
        refused += decode(mode, damaged, out, stride) ? 1 : 0;
        damaged.resize(i);
        EXPECT_TRUE(decode(mode, damaged, out, stride));
      }
    return refused;
  };
  for (const Bytes& stream : attributes) EXPECT_GT(try_all(Mode::attributes, stream, data.size(), 12), 10u);
  EXPECT_GT(try_all(Mode::triangles, triangles, 60, 4), 10u);
  EXPECT_GT(try_all(Mode::indices, indices, 20, 4), 5u);
}

}  // namespace
}  // namespace sinew::gltf::test
