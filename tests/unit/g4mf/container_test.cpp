// SPDX-License-Identifier: MIT
#include "document/container/write_container.hpp"
#include "document/container/zstd.hpp"
#include "unit/g4mf/builder.hpp"

namespace sinew::g4mf::test {
namespace {

using document::Chunk;
using document::StoredChunk;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

/// The tetrahedron with its buffer in chunks, and its expected contents.
struct Binary {
  Builder b = simplex(4);
  std::vector<StoredChunk> chunks;

  explicit Binary(Json buffer = Json::object()) {
    buffer["byteLength"] = b.bytes.size();
    b.json["buffers"] = Json::array({buffer});  // {buffer} would be an array to one compiler, a copy to the other
  }
  [[nodiscard]] Outcome read(bool force = false) const {
    std::string file;
    const auto append = [&](std::span<const std::byte> bytes) -> Result<> {
      file.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      return {};
    };
    EXPECT_TRUE(document::write_g4b(b.json.dump(), chunks, append));
    How how;
    how.name = "model.g4b";
    how.options.force = force;
    return read_text(file, how);
  }
  /// Returns "" if it is the tetrahedron, else the reason why not.
  [[nodiscard]] std::string problem() const {
    const Outcome outcome = read();
    if (!outcome.model) return outcome.model.error().code;
    if (outcome->meshes.at(0).defect != none) return outcome.defect(outcome->meshes[0]).code;
    const auto expected = simplex(4).read();
    return outcome->meshes[0].blocks.at(0).attributes.at(0).values.read<double>() ==
                   expected->meshes[0].blocks[0].attributes[0].values.read<double>()
               ? ""
               : "other values";
  }
};

TEST(Chunks, FollowTheBuffersWithoutUri) {
  Binary file;
  file.chunks = {{file.b.bytes}};
  EXPECT_EQ(file.problem(), "");
  EXPECT_THAT(file.read().findings, IsEmpty());
  file.chunks = {};
  EXPECT_EQ(file.problem(), "G4MF_BIN_BUFFER_CHUNK_MISSING");
}

TEST(Chunks, AreNamedSince202607) {
  const std::vector<std::byte> other(3);
  Binary file(Json::object({{"chunk", 2}}));
  file.chunks = {{other}, {file.b.bytes}};
  EXPECT_EQ(file.problem(), "");
  EXPECT_EQ(file.read()->revision, "2026-07");
  file.b.json["buffers"][0]["chunk"] = 3;
  EXPECT_EQ(file.problem(), "G4MF_BUFFER_CHUNK_RANGE");
}

TEST(Chunks, BehindABufferWithUriAreReportedAndRead) {
  Binary file;
  const Json own = file.b.json["buffers"][0];
  const std::vector<std::byte> other(3);
  file.b.json["buffers"] = {{{"byteLength", 0}, {"uri", "data:application/octet-stream;base64,"}}, own};
  for (Json& view : file.b.json["bufferViews"]) view["buffer"] = 1;
  file.chunks = {{other}, {file.b.bytes}};
  EXPECT_EQ(file.problem(), "");
  EXPECT_THAT(file.read().findings, ElementsAre(IsFinding("G4MF_BUFFER_URI_WITH_CHUNK", "/buffers/0/uri"),
                                                IsFinding("G4MF_BIN_BUFFER_CHUNKS_NOT_CONTIGUOUS", "/buffers/1")));
}

TEST(Zstd, BuffersAreDecompressed) {
  Binary file(Json::object({{"compression", "Zstd"}}));
  const auto frame = document::zstd_compress(file.b.bytes);
  ASSERT_TRUE(frame);
  file.chunks = {{*frame, Chunk::zstd}};
  EXPECT_EQ(file.problem(), "");
  EXPECT_THAT(file.read().findings, IsEmpty());
  file.b.json["buffers"][0] = {{"byteLength", file.b.bytes.size()}, {"chunk", 1}, {"encoding", "Zstd"}};
  EXPECT_EQ(file.problem(), "");

  Builder text = simplex(4);
  text.json["buffers"] = {
      {{"byteLength", text.bytes.size()}, {"compression", "Zstd"}, {"uri", "data:application/octet-stream;base64," + base64(*frame)}}};
  EXPECT_TRUE(text.read()->defects.empty());
  text.json["buffers"][0]["byteLength"] = text.bytes.size() + 1;
  EXPECT_THAT(text.read().findings, ElementsAre(IsFinding("G4MF_BUFFER_TOO_SHORT", "/buffers/0")));
}

TEST(Zstd, OfAnotherKindThanTheChunkIsReported) {
  Binary file(Json::object({{"compression", "Zstd"}}));
  file.chunks = {{file.b.bytes}};
  EXPECT_EQ(file.problem(), "");  // the chunk decides
  EXPECT_THAT(file.read().findings, Contains(IsFinding("G4MF_BIN_COMPRESSION_MISMATCH", "/buffers/0/compression")));
  file.b.json["buffers"][0]["compression"] = "LZMA";
  EXPECT_EQ(file.problem(), "G4MF_BUFFER_COMPRESSION_UNSUPPORTED");
  file.b.json["buffers"][0]["compression"] = "Zst";
  EXPECT_EQ(file.problem(), "G4MF_BUFFER_COMPRESSION_FORMAT");
}

// A frame of a few bytes that claims to hold 2^60 bytes, or more than the limit.
TEST(Zstd, BombsAreRefusedAtOnce) {
  const auto frame = document::zstd_compress(std::vector<std::byte>(50'000'000));
  ASSERT_TRUE(frame);
  ASSERT_LT(frame->size(), 10'000U);
  Builder b(1);
  b.json["buffers"] = {
      {{"byteLength", 50'000'000}, {"compression", "Zstd"}, {"uri", "data:application/octet-stream;base64," + base64(*frame)}}};
  b.json["bufferViews"] = {{{"buffer", 0}, {"byteLength", 4}}};
  b.accessor_of(0, "float32");
  b.add("meshes", {{"vertices", 0}, {"surfaces", {Json::object()}}});
  How how;
  how.limits.memory = 1'000'000;
  const Outcome outcome = b.read(how);
  EXPECT_THAT(outcome.defect(outcome->meshes[0]), IsError("SINEW_MEMORY_LIMIT", "/buffers/0/compression"));
  b.json["buffers"][0]["byteLength"] = 4;  // only these bytes are needed
  EXPECT_TRUE(b.read(how)->defects.empty());
}

}  // namespace
}  // namespace sinew::g4mf::test
