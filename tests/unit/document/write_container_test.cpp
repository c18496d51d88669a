// SPDX-License-Identifier: MIT
#include "document/container/write_container.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/catalogue.hpp"
#include "document/container/container.hpp"
#include "document/files/output.hpp"
#include "rapidcheck.h"
#include "unit/document/files.hpp"

namespace sinew::document {
namespace {

using namespace std::string_literals;

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }
/// Appends the written bytes to `text`.
ByteSink into(std::string& text) {
  return [&text](std::span<const std::byte> bytes) -> Result<> {
    text += text_of(bytes);
    return {};
  };
}
std::string g4b(std::string_view json, const std::vector<StoredChunk>& chunks) {
  std::string file;
  EXPECT_TRUE(write_g4b(json, chunks, into(file)));
  return file;
}
std::string glb(std::string_view json, std::string_view binary) {
  std::string file;
  EXPECT_TRUE(write_glb(json, bytes_of(binary), into(file)));
  return file;
}

// Byte by byte as in the description of the format.
TEST(WriteG4b, TheWorkedExample) {
  EXPECT_EQ(g4b(R"({"asset":{"dimension":4},"buffers":[{"byteLength":12}]})", {{bytes_of("abcdefghijkl")}}),
            "G4MF\0\0\0\0\x7C\0\0\0\0\0\0\0"
            "JSON\0\0\0\0\x37\0\0\0\0\0\0\0"
            R"({"asset":{"dimension":4},"buffers":[{"byteLength":12}]})"
            "         "
            "BLOB\0\0\0\0\x0C\0\0\0\0\0\0\0"
            "abcdefghijkl"s);
}

TEST(WriteG4b, TheSmallestFileHas57Bytes) {
  EXPECT_EQ(g4b(R"({"asset":{"dimension":4}})", {}),
            "G4MF\0\0\0\0\x39\0\0\0\0\0\0\0JSON\0\0\0\0\x19\0\0\0\0\0\0\0"
            R"({"asset":{"dimension":4}})"s);
}

TEST(WriteG4b, ZerosBetweenChunksOfAnyTypeAndNothingAtTheEnd) {
  EXPECT_EQ(
      g4b("{}",
          {{bytes_of("abc"), Chunk::zstd}, {{}, Chunk::uncompressed, fourcc("XTRA")}, {bytes_of("0123456789abcdef")}, {bytes_of("z")}}),
      "G4MF\0\0\0\0\x91\0\0\0\0\0\0\0"
      "JSON\0\0\0\0\2\0\0\0\0\0\0\0{}              "
      "BLOBZstd\3\0\0\0\0\0\0\0abc\0\0\0\0\0\0\0\0\0\0\0\0\0"
      "XTRA\0\0\0\0\0\0\0\0\0\0\0\0"
      "BLOB\0\0\0\0\x10\0\0\0\0\0\0\0"
      "0123456789abcdef"
      "BLOB\0\0\0\0\1\0\0\0\0\0\0\0z"s);
}

TEST(WriteG4b, WhatIsWrittenIsReadWithoutAFinding) {
  EXPECT_TRUE(rc::check("any chunks", [](const std::vector<std::string>& data) {
    std::vector<StoredChunk> chunks;
    for (const std::string& bytes : data) chunks.push_back({bytes_of(bytes)});
    const std::string file = g4b("{}", chunks);
    FindingList findings;
    const auto read = read_g4b({bytes_of(file), nullptr}, {}, findings);
    RC_ASSERT(read.has_value());
    RC_ASSERT(findings.list().empty());
    RC_ASSERT(read->json == "{}");
    RC_ASSERT(read->chunk_list.size() == data.size() + 1);
    for (std::size_t i = 0; i < data.size(); ++i) RC_ASSERT(text_of(read->chunk_list[i + 1].data.view) == data[i]);
  }));
}

TEST(WriteGlb, PadsBothChunksToMultiplesOfFour) {
  EXPECT_EQ(glb("{\"a\":1}", "abcde"), "glTF\2\0\0\0\x2C\0\0\0\x08\0\0\0JSON{\"a\":1} \x08\0\0\0BIN\0abcde\0\0\0"s);
  EXPECT_EQ(glb("{}  ", ""), "glTF\2\0\0\0\x18\0\0\0\4\0\0\0JSON{}  "s);
}

TEST(WriteGlb, MoreThan4GiBIsRefusedBeforeAnythingIsWritten) {
  std::byte one{};
  const std::span<const std::byte> huge(&one, (std::size_t{1} << 32) - 28);  // never read
  bool written = false;
  const auto result = write_glb("{}", huge, [&](std::span<const std::byte>) -> Result<> {
    written = true;
    return {};
  });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().failure, Failure::unsupported);
  EXPECT_FALSE(written);
}

TEST(WriteContainer, GoesStraightIntoAFile) {
  const Folder folder;
  auto file = OutputFile::create(folder / "a.g4b");
  ASSERT_TRUE(file);
  const std::vector<StoredChunk> chunks = {{bytes_of("abcd")}};
  ASSERT_TRUE(write_g4b("{}", chunks, [&](std::span<const std::byte> bytes) { return file->write(bytes); }));
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(folder.read("a.g4b"), g4b("{}", chunks));
}

TEST(WriteContainer, BuffersAreHandedOnAsTheyAre) {
  const std::string buffer = "abcd";
  std::vector<const void*> places;
  const std::vector<StoredChunk> chunks = {{bytes_of(buffer)}};
  ASSERT_TRUE(write_g4b("{}", chunks, [&](std::span<const std::byte> bytes) -> Result<> {
    places.push_back(bytes.data());
    return {};
  }));
  EXPECT_THAT(places, testing::Contains(buffer.data()));
}

TEST(WriteContainer, TheFirstFailureStopsIt) {
  for (const bool g4b_file : {false, true}) {
    int calls = 0;
    const ByteSink fails = [&](std::span<const std::byte>) -> Result<> {
      if (++calls < 2) return {};
      return Unexpected(error("SINEW_OUTPUT"_code, Failure::output, {}, "disk full"));
    };
    const std::vector<StoredChunk> chunks = {{bytes_of("abcd")}};
    const auto result = g4b_file ? write_g4b("{}", chunks, fails) : write_glb("{}", bytes_of("abcd"), fails);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message, "disk full");
    EXPECT_EQ(calls, 2);
  }
}

}  // namespace
}  // namespace sinew::document
