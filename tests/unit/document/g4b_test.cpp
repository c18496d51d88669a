// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "document/container/container.hpp"
#include "document/container/write_container.hpp"
#include "document/container/zstd.hpp"
#include "document/json/json.hpp"
#include "unit/document/files.hpp"

namespace sinew::document {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using namespace std::string_literals;

template <class T>
std::string number(T value) {
  std::string bytes;
  for (std::size_t i = 0; i < sizeof(T); ++i) bytes += static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
  return bytes;
}
const std::string uncompressed(4, '\0');

std::string header(std::uint64_t size, std::uint32_t version = 0) { return "G4MF" + number(version) + number(size); }
std::string chunk(std::string_view type, std::string_view data, std::string_view compression = uncompressed,
                  std::optional<std::uint64_t> size = {}) {
  return std::string(type) + std::string(compression) + number(size.value_or(data.size())) + std::string(data);
}
/// Returns chunks with their padding after a header with their size.
std::string g4b(const std::vector<std::string>& chunks) {
  std::string file = header(0);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    file += chunks[i];
    if (i + 1 < chunks.size()) file.append((16 - file.size() % 16) % 16, chunks[i].starts_with("JSON"s + uncompressed) ? ' ' : '\0');
  }
  return file.replace(8, 8, number(std::uint64_t{file.size()}));
}
const std::string json = R"({"asset":{"dimension":4}})";
const std::string zstd_json = [] {
  const auto frame = zstd_compress(std::as_bytes(std::span(json)));
  return std::string(text_of(*frame));
}();

/// "CODE@OFFSET" of each finding.
struct Read {
  std::shared_ptr<std::byte[]> bytes;  // exactly as long as the file
  std::vector<std::string> findings;
  Result<Contents> contents;

  explicit Read(std::string_view file, const Limits& limits = {}) : bytes(new std::byte[file.size()]), contents(Unexpected(Error{})) {
    std::memcpy(bytes.get(), file.data(), file.size());
    FindingList list;
    OpenOptions options;
    options.limits = limits;
    contents = read_g4b({{bytes.get(), file.size()}, bytes}, options, list);
    for (const Finding& found : list.list()) findings.push_back(std::string(found.code) + "@" + std::to_string(found.offset.value_or(999)));
  }
  [[nodiscard]] std::string failed() const { return contents ? "" : contents.error().code; }
  [[nodiscard]] const Chunk& chunk(std::size_t i) const { return contents->chunk_list.at(i); }
};

// The worked example of the format's description: header 0, JSON chunk 16, its text 32 to 86, nine spaces, BLOB chunk 96, its data 112.
TEST(G4b, JsonAndBlob) {
  const std::string text = R"({"asset":{"dimension":4},"buffers":[{"byteLength":12}]})";
  const std::string file = header(124) + chunk("JSON", text) + "         " + chunk("BLOB", "abcdefghijkl");
  ASSERT_EQ(file.size(), 124u);
  const Read read(file);
  ASSERT_TRUE(read.contents) << read.contents.error().line();
  EXPECT_THAT(read.findings, IsEmpty());
  EXPECT_EQ(read.contents->json, text);
  EXPECT_EQ(read.contents->json_offset, 32u);
  ASSERT_EQ(read.contents->chunk_list.size(), 2u);
  EXPECT_EQ(read.chunk(0).type, Chunk::json);
  EXPECT_EQ(read.chunk(0).offset, 16u);
  EXPECT_EQ(read.chunk(1).type, Chunk::blob);
  EXPECT_EQ(read.chunk(1).compression, Chunk::uncompressed);
  EXPECT_EQ(read.chunk(1).offset, 96u);
  EXPECT_EQ(text_of(read.chunk(1).data.view), "abcdefghijkl");
  EXPECT_EQ(read.chunk(1).data.view.data(), read.bytes.get() + 112) << "borrowed from the file";
  EXPECT_TRUE(read.chunk(1).data.owner);
  EXPECT_TRUE(read.contents->chunks.empty());
}

TEST(G4b, SmallestFile) {
  const Read read(g4b({chunk("JSON", json)}));
  EXPECT_TRUE(read.contents);
  EXPECT_THAT(read.findings, IsEmpty());
  EXPECT_EQ(g4b({chunk("JSON", json)}).size(), 57u);
}

TEST(G4b, FilesWithoutWholeHeaders) {
  EXPECT_THAT(Read("").findings, ElementsAre("G4MF_BIN_TOO_SMALL@0"));
  EXPECT_THAT(Read("G4M").findings, ElementsAre("G4MF_BIN_TOO_SMALL@3"));
  EXPECT_THAT(Read(header(16)).findings, ElementsAre("G4MF_BIN_NO_CHUNK@16", "G4MF_BIN_TOO_SMALL@16"));
  EXPECT_EQ(Read(header(16)).failed(), "G4MF_BIN_TOO_SMALL");
  EXPECT_THAT(Read(header(31) + std::string(15, '\0')).findings, ElementsAre("G4MF_BIN_TOO_SMALL@31"));
}

TEST(G4b, WrongMagicAndVersionLeaveNothing) {
  const Read magic("G4MX" + g4b({chunk("JSON", json)}).substr(4));
  EXPECT_THAT(magic.findings, ElementsAre("G4MF_BIN_MAGIC@0"));
  EXPECT_EQ(magic.failed(), "G4MF_BIN_MAGIC");
  EXPECT_EQ(magic.contents.error().message, "found magic 47 34 4D 58, expected 47 34 4D 46 (\"G4MF\")");
  const Read version(header(57, 1) + chunk("JSON", json));
  EXPECT_THAT(version.findings, ElementsAre("G4MF_BIN_VERSION@4"));
  EXPECT_EQ(version.failed(), "G4MF_BIN_VERSION");
}

TEST(G4b, SizesWithTheTopBitAreRejected) {
  const Read file(header(std::uint64_t{1} << 63) + chunk("JSON", json));
  EXPECT_THAT(file.findings, ElementsAre("G4MF_BIN_SIZE_TOP_BIT@8"));
  EXPECT_EQ(file.failed(), "G4MF_BIN_SIZE_TOP_BIT");
  const Read blob(g4b({chunk("JSON", json), chunk("BLOB", "abcd", uncompressed, ~std::uint64_t{0})}));
  EXPECT_THAT(blob.findings, ElementsAre("G4MF_BIN_CHUNK_SIZE_TOP_BIT@64"));
  EXPECT_EQ(blob.failed(), "G4MF_BIN_CHUNK_SIZE_TOP_BIT");
  EXPECT_EQ(blob.contents.error().place.offset, 64u);
}

TEST(G4b, WrongSizesAloneDoNotHideTheContent) {
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{56}, std::uint64_t{58}, (std::uint64_t{1} << 63) - 1}) {
    const Read read(header(size) + chunk("JSON", json));
    EXPECT_THAT(read.findings, ElementsAre("G4MF_BIN_SIZE_MISMATCH@8")) << size;
    ASSERT_TRUE(read.contents) << size;
    EXPECT_EQ(read.contents->json, json);
  }
  const Read appended(g4b({chunk("JSON", json)}) + "more and more and more");
  EXPECT_THAT(appended.findings, ElementsAre("G4MF_BIN_SIZE_MISMATCH@8", "G4MF_BIN_TRAILING_BYTES@57"));
  EXPECT_TRUE(appended.contents);
}

TEST(G4b, ChunksThatAreCutShort) {
  const std::string file = g4b({chunk("JSON", json), chunk("BLOB", "abcdefgh")});
  const Read blob(std::string_view(file).substr(0, 84));
  EXPECT_THAT(blob.findings, ElementsAre("G4MF_BIN_SIZE_MISMATCH@8", "G4MF_BIN_CHUNK_TOO_LONG@64"));
  ASSERT_TRUE(blob.contents);
  EXPECT_EQ(text_of(blob.chunk(1).data.view), "abcd") << "what is there stays readable";
  const Read chunk_header(std::string_view(file).substr(0, 70));
  EXPECT_THAT(chunk_header.findings, ElementsAre("G4MF_BIN_SIZE_MISMATCH@8", "G4MF_BIN_TRUNCATED_CHUNK_HEADER@64"));
  EXPECT_TRUE(chunk_header.contents);
  const Read text(std::string_view(file).substr(0, 40));
  EXPECT_THAT(text.findings, ElementsAre("G4MF_BIN_SIZE_MISMATCH@8", "G4MF_BIN_CHUNK_TOO_LONG@16"));
  EXPECT_EQ(text.failed(), "G4MF_BIN_CHUNK_TOO_LONG");
  EXPECT_EQ(text.contents.error().place.offset, 16u);
}

TEST(G4b, TheFirstJsonChunkCountsWhereverItIs) {
  const Read read(g4b({chunk("BLOB", "abcd"), chunk("JSON", json), chunk("JSON", "[]")}));
  ASSERT_TRUE(read.contents);
  EXPECT_THAT(read.findings, IsEmpty());
  EXPECT_EQ(read.contents->json, json);
  EXPECT_EQ(read.contents->json_offset, 64u);
  EXPECT_EQ(read.contents->chunk_list.size(), 3u);

  FindingList old_rules;
  check_g4b_json_chunk(read.contents->chunk_list, old_rules);
  ASSERT_EQ(old_rules.list().size(), 1u);
  EXPECT_EQ(old_rules.list()[0].code, "G4MF_BIN_FIRST_CHUNK_NOT_JSON");
  EXPECT_EQ(old_rules.list()[0].offset, 16u);

  const Read none(g4b({chunk("BLOB", "abcd"), chunk("XTRA", "")}));
  EXPECT_THAT(none.findings, ElementsAre("G4MF_BIN_UNKNOWN_CHUNK_TYPE@48", "G4MF_BIN_NO_JSON_CHUNK@16"));
  EXPECT_EQ(none.failed(), "G4MF_BIN_NO_JSON_CHUNK");
}

TEST(G4b, CustomTypesAndCompressions) {
  const Read read(g4b({chunk("JSON", json), chunk("XTRA", ""), chunk("A\1BC", ""), chunk("BLOB", "abcd", "LZMA"),
                       chunk("BLOB", "abcd", "\1\2\3\4"), chunk("BLOB", "abcd", "\xFF\xFF\xFF\xFF"), chunk("BLOB", "abcd", "Zstd")}));
  ASSERT_TRUE(read.contents);
  EXPECT_THAT(read.findings, ElementsAre("G4MF_BIN_UNKNOWN_CHUNK_TYPE@64", "G4MF_BIN_UNKNOWN_CHUNK_TYPE@80",
                                         "G4MF_BIN_CHUNK_TYPE_NOT_PRINTABLE@80", "G4MF_BIN_COMPRESSION_UNSUPPORTED@96",
                                         "G4MF_BIN_COMPRESSION_UNSUPPORTED@128", "G4MF_BIN_COMPRESSION_NOT_PRINTABLE@128",
                                         "G4MF_BIN_COMPRESSION_RESERVED@160", "G4MF_BIN_ZSTD_NO_FRAME_MAGIC@192"));
  EXPECT_EQ(read.contents->chunk_list.size(), 7u) << "they are carried all the same";
}

TEST(G4b, PaddingIsSpacesAfterJsonAndZerosElsewhere) {
  std::string file = g4b({chunk("JSON", json), chunk("BLOB", "abcd"), chunk("BLOB", "efgh")});
  file[58] = '\0';
  file[60] = '\0';
  file[90] = ' ';
  const Read read(file);
  EXPECT_THAT(read.findings, ElementsAre("G4MF_BIN_PADDING_NOT_SPACE@58", "G4MF_BIN_PADDING_NOT_ZERO@90"));
  const Read compressed(g4b({chunk("JSON", zstd_json, "Zstd"), chunk("BLOB", "abcd")}));
  EXPECT_THAT(compressed.findings, IsEmpty()) << "zeros after a compressed JSON chunk";
  std::string last = header(64) + chunk("JSON", json) + "       ";
  EXPECT_THAT(Read(last).findings, IsEmpty()) << "padding after the last chunk is allowed";
  last = header(67) + chunk("JSON", json) + "       abc";
  EXPECT_THAT(Read(last).findings, ElementsAre("G4MF_BIN_TRUNCATED_CHUNK_HEADER@64"));
}

TEST(G4b, ChunksThatAreNotPaddedTo16AreFound) {
  const std::string chunks = chunk("JSON", json) + "   " + chunk("BLOB", "abcdefgh") + chunk("BLOB", "ijkl");
  const Read read(header(16 + chunks.size()) + chunks);
  EXPECT_THAT(read.findings, ElementsAre("G4MF_BIN_CHUNK_UNALIGNED@60", "G4MF_BIN_CHUNK_UNALIGNED@84"));
  ASSERT_TRUE(read.contents);
  ASSERT_EQ(read.contents->chunk_list.size(), 3u);
  EXPECT_EQ(text_of(read.chunk(1).data.view), "abcdefgh");
  EXPECT_EQ(text_of(read.chunk(2).data.view), "ijkl");
}

TEST(G4b, CompressedJsonThatExpandsTooMuch) {
  std::string frame("\x28\xB5\x2F\xFD\x00\x58", 6);                                         // no size, window of 2 MiB
  for (int block = 0; block < 600; ++block) frame += std::string("\x02\x00\x10", 3) + ' ';  // 128 KiB of one byte
  frame += std::string("\x01\x00\x00", 3);                                                  // the last block, empty
  const Read read(g4b({chunk("JSON", frame, "Zstd")}));
  EXPECT_EQ(read.failed(), "SINEW_EXPANSION_LIMIT");
  Limits limits;
  limits.expansion = 1'000'000;
  const Read allowed(g4b({chunk("JSON", frame, "Zstd")}), limits);
  EXPECT_EQ(allowed.failed(), "") << "the text is read later";
}

TEST(G4b, CompressedJson) {
  const std::string file = g4b({chunk("JSON", zstd_json, "Zstd")});
  const Read read(file);
  ASSERT_TRUE(read.contents) << read.contents.error().line();
  EXPECT_THAT(read.findings, IsEmpty());
  EXPECT_EQ(read.contents->json, json);
  EXPECT_EQ(read.contents->json_offset, std::nullopt);
  EXPECT_EQ(text_of(read.chunk(0).data.view), zstd_json) << "as stored";
  FindingList old_rules;
  check_g4b_json_chunk(read.contents->chunk_list, old_rules);
  ASSERT_EQ(old_rules.list().size(), 1u);
  EXPECT_EQ(old_rules.list()[0].code, "G4MF_BIN_JSON_CHUNK_COMPRESSED");

  Limits limits;
  limits.json_size = json.size() - 1;
  const Read large(file, limits);
  EXPECT_EQ(large.failed(), "SINEW_JSON_LIMIT");
  EXPECT_EQ(large.contents.error().failure, Failure::limit);
  EXPECT_EQ(large.contents.error().place.offset, 16u);

  const Read broken(g4b({chunk("JSON", zstd_json.substr(0, zstd_json.size() - 1), "Zstd")}));
  EXPECT_THAT(broken.findings, ElementsAre("G4MF_BIN_ZSTD_INVALID@16"));
  EXPECT_EQ(broken.failed(), "G4MF_BIN_ZSTD_INVALID");
  const Read no_frame(g4b({chunk("JSON", json, "Zstd")}));
  EXPECT_THAT(no_frame.findings, ElementsAre("G4MF_BIN_ZSTD_NO_FRAME_MAGIC@16"));
  EXPECT_EQ(no_frame.failed(), "G4MF_BIN_ZSTD_NO_FRAME_MAGIC");
  EXPECT_EQ(Read(g4b({chunk("JSON", json, "LZMA")})).failed(), "G4MF_BIN_COMPRESSION_UNSUPPORTED");
  EXPECT_EQ(Read(g4b({chunk("JSON", json, "\xFF\xFF\xFF\xFF")})).failed(), "G4MF_BIN_COMPRESSION_RESERVED");
}

TEST(G4b, ManyEmptyChunksStayWithinTheMemoryLimit) {
  std::vector<std::string> chunks(1000, chunk("BLOB", ""));
  chunks[0] = chunk("JSON", json);
  Limits limits;
  limits.memory = 999 * sizeof(Chunk);
  const Read read(g4b(chunks), limits);
  EXPECT_EQ(read.failed(), "SINEW_MEMORY_LIMIT");
  limits.memory += sizeof(Chunk);
  EXPECT_TRUE(Read(g4b(chunks), limits).contents);
}

// For any file content, all returned bytes must lie in the file.
void expect_sound(const Read& read, std::size_t size, std::string_view what) {
  EXPECT_TRUE(read.contents || !read.findings.empty() || read.contents.error().failure == Failure::limit) << what;
  if (!read.contents) return;
  const auto lies_inside = [&](std::span<const std::byte> bytes) {
    return bytes.data() >= read.bytes.get() && bytes.data() + bytes.size() <= read.bytes.get() + size;
  };
  for (const Chunk& chunk : read.contents->chunk_list) EXPECT_TRUE(lies_inside(chunk.data.view)) << what;
  if (read.contents->json_offset) {
    EXPECT_TRUE(lies_inside(std::as_bytes(std::span(read.contents->json)))) << what;
    EXPECT_EQ(read.contents->json.data(), reinterpret_cast<const char*>(read.bytes.get()) + *read.contents->json_offset) << what;
  }
}

TEST(G4b, EveryTruncationIsAnErrorOrASoundDocument) {
  const std::string file = g4b({chunk("JSON", json), chunk("BLOB", "abcdefgh"), chunk("BLOB", zstd_json, "Zstd")});
  for (std::size_t length = 0; length < file.size(); ++length) {
    const Read read(std::string_view(file).substr(0, length));
    EXPECT_FALSE(read.findings.empty()) << length;
    EXPECT_EQ(read.contents.has_value(), length >= 57) << length;
    expect_sound(read, length, std::to_string(length));
  }
}

TEST(G4b, NoChangedByteIsReadAmiss) {
  for (const std::string& file : {g4b({chunk("JSON", json), chunk("BLOB", "abcd"), chunk("BLOB", "efgh")}),
                                  g4b({chunk("BLOB", "abcd"), chunk("JSON", zstd_json, "Zstd")})}) {
    for (std::size_t at = 0; at < file.size(); ++at)
      for (int byte = 0; byte < 256; ++byte) {
        std::string changed = file;
        changed[at] = static_cast<char>(byte);
        expect_sound(Read(changed), file.size(), std::to_string(at) + " = " + std::to_string(byte));
      }
  }
}

// Fields of 4 and 8 bytes at their extremes, in every header.
TEST(G4b, NoChangedFieldIsReadAmiss) {
  const std::string file = g4b({chunk("JSON", json), chunk("BLOB", "abcd")});
  const std::uint64_t values[] = {0,
                                  1,
                                  15,
                                  16,
                                  17,
                                  32,
                                  file.size() - 1,
                                  file.size(),
                                  file.size() + 1,
                                  0x7FFFFFFF,
                                  0xFFFFFFFF,
                                  (std::uint64_t{1} << 63) - 1,
                                  std::uint64_t{1} << 63,
                                  ~std::uint64_t{0} - 15,
                                  ~std::uint64_t{0}};
  for (const std::size_t header : {0u, 16u, 64u})
    for (const std::uint64_t value : values) {
      for (const std::size_t field : {0u, 4u, 8u}) {
        std::string changed = file;
        changed.replace(header + field, 4, number(static_cast<std::uint32_t>(value)));
        expect_sound(Read(changed), file.size(), std::to_string(header + field));
      }
      std::string changed = file;
      changed.replace(header + 8, 8, number(value));
      const Read read(changed);
      expect_sound(read, file.size(), std::to_string(header + 8));
      EXPECT_TRUE(value >> 63 == 0 || !read.contents) << header << " " << value;
    }
}

TEST(OpenG4b, ListsItsChunks) {
  const Folder folder;
  for (const char* name : {"a.g4b", "a.g4tf", "a"}) {
    FindingList findings;
    const auto opened = open(folder.write(name, g4b({chunk("JSON", json), chunk("BLOB", "abcd")})), {}, findings);
    ASSERT_TRUE(opened) << opened.error().line();
    EXPECT_EQ((*opened)->container(), Container::g4b);
    EXPECT_EQ((*opened)->json_offset(), 32u);
    ASSERT_EQ((*opened)->chunk_list().size(), 2u);
    EXPECT_EQ(text_of((*opened)->chunk_list()[1].data.view), "abcd");
    EXPECT_EQ((*opened)->json().root()["asset"]["dimension"].integer(), 4);
    EXPECT_THAT(findings.list(), IsEmpty());
  }
}

TEST(OpenG4b, WrongMagicUnderItsName) {
  const Folder folder;
  FindingList findings;
  const auto opened = open(folder.write("a.g4b", g4b({chunk("JSON", json)}).replace(0, 1, "X")), {}, findings);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, "G4MF_BIN_MAGIC");
  const auto text = open(folder.write("b.g4b", json), {}, findings);
  ASSERT_TRUE(text) << "text in a file named .g4b is read";
  EXPECT_EQ((*text)->container(), Container::json);
}

TEST(OpenG4b, PlacesInTheTextAreThoseOfTheFileOrOfTheDecompressedText) {
  const Folder folder;
  FindingList findings;
  const auto plain = open(folder.write("a.g4b", g4b({chunk("JSON", "{\"a\":}")})), {}, findings);
  ASSERT_FALSE(plain);
  EXPECT_EQ(plain.error().code, "G4MF_JSON_INVALID");
  EXPECT_EQ(plain.error().place.offset, 32u + 5u);
  const auto frame = zstd_compress(std::as_bytes(std::span("{\"a\":}", 6)));
  const auto compressed = open(folder.write("b.g4b", g4b({chunk("JSON", text_of(*frame), "Zstd")})), {}, findings);
  ASSERT_FALSE(compressed);
  EXPECT_EQ(compressed.error().place.offset, 5u);
  EXPECT_THAT(compressed.error().message, testing::EndsWith("(the position refers to the decompressed text)"));
}

}  // namespace
}  // namespace sinew::document
