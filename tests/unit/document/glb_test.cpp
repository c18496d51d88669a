// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "document/container/container.hpp"
#include "document/json/json.hpp"
#include "unit/document/files.hpp"

namespace sinew::document::glb_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string u32(std::uint32_t value) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
  return bytes;
}
std::string chunk(std::string_view type, std::string_view data, std::optional<std::uint32_t> length = {}) {
  std::string bytes = u32(length.value_or(static_cast<std::uint32_t>(data.size())));
  bytes.append(type.substr(0, 4)).append(data);
  return bytes;
}
std::string glb(std::string_view chunks, std::optional<std::uint32_t> length = {}, std::uint32_t version = 2) {
  std::string bytes = "glTF";
  bytes += u32(version);
  bytes += u32(length.value_or(static_cast<std::uint32_t>(12 + chunks.size())));
  return bytes.append(chunks);
}
std::string json_chunk() { return chunk("JSON", "{\"a\":1} "); }
constexpr std::string_view bin_type("BIN\0", 4);

/// "CODE@OFFSET" of each finding.
struct Read {
  std::shared_ptr<std::byte[]> bytes;  // exactly as long as the file
  std::vector<std::string> findings;
  Result<Contents> contents;

  explicit Read(std::string_view file) : bytes(new std::byte[file.size()]), contents(Unexpected(Error{})) {
    std::memcpy(bytes.get(), file.data(), file.size());
    FindingList list;
    contents = read_glb({{bytes.get(), file.size()}, bytes}, list);
    for (const Finding& found : list.list()) findings.push_back(std::string(found.code) + "@" + std::to_string(found.offset.value_or(999)));
  }
  [[nodiscard]] std::string failed() const { return contents ? "" : contents.error().code; }
};

TEST(Glb, JsonAndBinary) {
  const Read read(glb(json_chunk() + chunk(bin_type, "abcd")));
  ASSERT_TRUE(read.contents);
  EXPECT_THAT(read.findings, IsEmpty());
  EXPECT_EQ(read.contents->json, "{\"a\":1} ");
  EXPECT_EQ(read.contents->json_offset, 20u);
  ASSERT_EQ(read.contents->chunks.size(), 1u);
  EXPECT_EQ(text_of(read.contents->chunks[0].view), "abcd");
  EXPECT_TRUE(read.contents->chunks[0].owner);
}

TEST(Glb, FilesWithoutAWholeHeader) {
  const Read empty("");
  EXPECT_THAT(empty.findings, ElementsAre("GLB_UNEXPECTED_END_OF_HEADER@0"));
  EXPECT_EQ(empty.failed(), "GLB_UNEXPECTED_END_OF_HEADER");
  EXPECT_THAT(Read(std::string(1, '\0')).findings, ElementsAre("GLB_UNEXPECTED_END_OF_HEADER@1"));
  EXPECT_THAT(Read("glTF\2\0\0\0\0\0\0").findings, ElementsAre("GLB_UNEXPECTED_END_OF_HEADER@5"));
}

TEST(Glb, WrongMagicAndVersionLeaveNothing) {
  const Read magic("GLTF" + u32(2) + u32(12));
  EXPECT_THAT(magic.findings, ElementsAre("GLB_INVALID_MAGIC@0"));
  EXPECT_EQ(magic.failed(), "GLB_INVALID_MAGIC");
  const Read version(glb("", 0, 0));
  EXPECT_THAT(version.findings, ElementsAre("GLB_INVALID_VERSION@4"));
  EXPECT_EQ(version.failed(), "GLB_INVALID_VERSION");
}

TEST(Glb, WrongLengthsAloneDoNotHideTheContent) {
  EXPECT_THAT(Read(glb("", 12)).findings, ElementsAre("GLB_LENGTH_TOO_SMALL@8"));
  EXPECT_EQ(Read(glb("", 12)).failed(), "GLB_LENGTH_TOO_SMALL");
  const Read longer(glb(json_chunk(), 29));
  EXPECT_THAT(longer.findings, ElementsAre("GLB_LENGTH_MISMATCH@28"));
  EXPECT_TRUE(longer.contents);
  const Read shorter(glb(json_chunk(), 24));
  EXPECT_THAT(shorter.findings, ElementsAre("GLB_CHUNK_TOO_BIG@12", "GLB_LENGTH_MISMATCH@28"));
  ASSERT_TRUE(shorter.contents);
  EXPECT_EQ(shorter.contents->json, "{\"a\":1} ");
  const Read extra(glb(json_chunk(), 28) + "more");
  EXPECT_THAT(extra.findings, ElementsAre("GLB_EXTRA_DATA@28"));
  EXPECT_TRUE(extra.contents);
}

TEST(Glb, ChunksThatAreCutShort) {
  const Read header(glb(json_chunk() + "1234", 40));
  EXPECT_THAT(header.findings, ElementsAre("GLB_UNEXPECTED_END_OF_CHUNK_HEADER@32"));
  EXPECT_TRUE(header.contents);
  const Read json(glb(chunk("JSON", "{\"a\":1}", 8), 28));
  EXPECT_THAT(json.findings, ElementsAre("GLB_UNEXPECTED_END_OF_CHUNK_DATA@27"));
  EXPECT_EQ(json.failed(), "GLB_UNEXPECTED_END_OF_CHUNK_DATA");
  const Read binary(glb(json_chunk() + chunk(bin_type, "abcd", 400)));
  EXPECT_THAT(binary.findings, ElementsAre("GLB_CHUNK_TOO_BIG@28", "GLB_UNEXPECTED_END_OF_CHUNK_DATA@40"));
  ASSERT_TRUE(binary.contents);
  EXPECT_EQ(text_of(binary.contents->chunks.at(0).view), "abcd") << "what is there stays readable";
  const Read huge(glb(json_chunk() + chunk(bin_type, "", 0xFFFFFFFC)));
  EXPECT_THAT(huge.findings, ElementsAre("GLB_CHUNK_TOO_BIG@28", "GLB_UNEXPECTED_END_OF_CHUNK_DATA@36"));
}

TEST(Glb, ChunksOutOfOrder) {
  const Read binary_only(glb(chunk(bin_type, "abcd")));
  EXPECT_THAT(binary_only.findings, ElementsAre("GLB_UNEXPECTED_FIRST_CHUNK@12"));
  EXPECT_EQ(binary_only.failed(), "GLB_UNEXPECTED_FIRST_CHUNK");
  const Read twice(glb(chunk(bin_type, "abcd") + chunk(bin_type, "efgh")));
  EXPECT_THAT(twice.findings, ElementsAre("GLB_UNEXPECTED_FIRST_CHUNK@12", "GLB_DUPLICATE_CHUNK@24"));
  const Read turned(glb(chunk(bin_type, "abcd") + json_chunk()));
  EXPECT_THAT(turned.findings, ElementsAre("GLB_UNEXPECTED_FIRST_CHUNK@12"));
  EXPECT_TRUE(turned.contents);
  const Read late(glb(json_chunk() + chunk("XTRA", "....") + chunk(bin_type, "abcd")));
  EXPECT_THAT(late.findings, ElementsAre("GLB_UNKNOWN_CHUNK_TYPE@28", "GLB_UNEXPECTED_BIN_CHUNK@40"));
  ASSERT_TRUE(late.contents);
  EXPECT_EQ(late.contents->chunks.size(), 1u);
  const Read second_json(glb(json_chunk() + chunk("JSON", "[]  ")));
  EXPECT_THAT(second_json.findings, ElementsAre("GLB_DUPLICATE_CHUNK@28"));
  EXPECT_EQ(second_json.contents->json, "{\"a\":1} ");
}

TEST(Glb, EmptyAndUnalignedChunks) {
  const Read empty(glb(chunk("JSON", "")));
  EXPECT_THAT(empty.findings, ElementsAre("GLB_EMPTY_CHUNK@12"));
  EXPECT_EQ(empty.failed(), "GLB_EMPTY_CHUNK");
  // As the Khronos validator: an empty chunk of any type before another one is an empty text, which is not JSON (INVALID_JSON).
  for (const std::string& second : {chunk("JSON", ""), chunk("JSON", "{}  "), chunk(bin_type, "abcd")}) {
    const Read before(glb(chunk("JSON", "") + second));
    ASSERT_TRUE(before.contents);
    EXPECT_EQ(before.contents->json, "");
  }
  const Read empty_binary(glb(json_chunk() + chunk(bin_type, "")));
  EXPECT_THAT(empty_binary.findings, ElementsAre("GLB_EMPTY_BIN_CHUNK@28"));
  EXPECT_TRUE(empty_binary.contents);
  const Read unaligned(glb(chunk("JSON", "{\"a\":1}") + chunk(bin_type, "abc")));
  EXPECT_THAT(unaligned.findings, ElementsAre("GLB_CHUNK_LENGTH_UNALIGNED@12", "GLB_CHUNK_LENGTH_UNALIGNED@27"));
  ASSERT_TRUE(unaligned.contents);
  EXPECT_EQ(text_of(unaligned.contents->chunks.at(0).view), "abc");
}

TEST(Glb, FindingsAreCapped) {
  std::string chunks = json_chunk();
  for (int i = 0; i < 10005; ++i) chunks += chunk("XTRA", "");
  const Read read(glb(chunks));
  EXPECT_TRUE(read.contents);
  ASSERT_EQ(read.findings.size(), 10001u);
  EXPECT_THAT(read.findings.back(), testing::StartsWith("SINEW_FINDINGS_DROPPED"));
}

TEST(Glb, EveryTruncationIsAnErrorOrASoundDocument) {
  const std::string file = glb(json_chunk() + chunk(bin_type, "abcdefgh"));
  for (std::size_t length = 0; length < file.size(); ++length) {
    const Read read(std::string_view(file).substr(0, length));
    EXPECT_FALSE(read.findings.empty()) << length;
    EXPECT_EQ(read.contents.has_value(), length >= 28) << length;
    if (!read.contents) continue;
    EXPECT_EQ(read.contents->json, "{\"a\":1} ");
    for (const Bytes& bytes : read.contents->chunks) EXPECT_EQ(text_of(bytes.view), file.substr(36, length - 36));
  }
}

TEST(Glb, NoChangedByteIsReadAmiss) {
  const std::string file = glb(json_chunk() + chunk(bin_type, "abcd"));
  for (std::size_t at = 0; at < 40; ++at)
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = file;
      changed[at] = static_cast<char>(byte);
      const Read read(changed);
      const auto* first = reinterpret_cast<const char*>(read.bytes.get());
      if (!read.contents) continue;
      EXPECT_GE(read.contents->json.data(), first);
      EXPECT_LE(read.contents->json.data() + read.contents->json.size(), first + file.size());
    }
}

TEST(Detect, ContentDecidesBeforeTheExtension) {
  const auto detected = [](std::string_view text, const char* path) { return detect(std::as_bytes(std::span(text)), path); };
  EXPECT_EQ(detected("glTF....", "x.gltf"), Container::glb);
  EXPECT_EQ(detected("glTF....", "-"), Container::glb);
  EXPECT_EQ(detected("{}", "x.glb"), Container::json);
  EXPECT_EQ(detected("\xEF\xBB\xBF\n {", "x.vrm"), Container::json);
  EXPECT_EQ(detected("", "x.glb"), Container::glb);
  EXPECT_EQ(detected("????", "x.VRM"), Container::glb);
  EXPECT_EQ(detected("????", "x.gltf"), Container::json);
  EXPECT_EQ(detected("", "x"), Container::json);
}

}  // namespace
}  // namespace sinew::document::glb_test
