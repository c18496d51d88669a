// SPDX-License-Identifier: MIT
#include <meshoptimizer.h>

#include <cmath>

#include "unit/gltf/builder.hpp"

namespace sinew::gltf::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::FloatNear;
using testing::Pointwise;

template <class T>
std::vector<unsigned char> encode_attributes(const std::vector<T>& values, std::size_t stride) {
  const std::size_t count = values.size() * sizeof(T) / stride;
  std::vector<unsigned char> bytes(meshopt_encodeVertexBufferBound(count, stride));
  bytes.resize(meshopt_encodeVertexBuffer(bytes.data(), bytes.size(), values.data(), count, stride));
  return bytes;
}

/// A view whose data is compressed; its own buffer is a fallback without bytes.
std::size_t compressed_view(Builder& b, const std::vector<unsigned char>& bytes, std::size_t count, std::size_t stride, const char* mode,
                            const char* filter = nullptr) {
  const std::size_t source = b.view(bytes);
  Json extension = {{"buffer", 0},
                    {"byteOffset", b.json["bufferViews"][source]["byteOffset"]},
                    {"byteLength", bytes.size()},
                    {"byteStride", stride},
                    {"count", count},
                    {"mode", mode}};
  if (filter != nullptr) extension["filter"] = filter;
  return b.add("bufferViews", {{"buffer", 1}, {"byteLength", count * stride}, {"extensions", {{"EXT_meshopt_compression", extension}}}});
}

Outcome read_compressed(const Builder& b) {
  Json json = Json::parse(b.text());
  json["buffers"].push_back({{"byteLength", 100000}, {"extensions", {{"EXT_meshopt_compression", {{"fallback", true}}}}}});
  json["extensionsUsed"] = json["extensionsRequired"] = {"EXT_meshopt_compression"};
  return read_text(json.dump());
}

Builder points(std::size_t view, std::size_t count, Builder b) {
  b.add("meshes", {{"primitives", {{{"attributes", {{"POSITION", b.accessor_of(view, 5126, count, "VEC3")}}}, {"mode", 0}}}}});
  return b;
}

TEST(Meshopt, AttributesOfAnyCount) {
  for (const std::size_t count : {1u, 3u, 16u, 257u}) {
    std::vector<float> values(3 * count);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) * 0.25f;
    Builder b;
    const auto view = compressed_view(b, encode_attributes(values, 12), count, 12, "ATTRIBUTES");
    const Outcome outcome = read_compressed(points(view, count, std::move(b)));
    ASSERT_TRUE(outcome.model);
    EXPECT_TRUE(outcome->defects.empty()) << outcome->defects[0].line();
    EXPECT_EQ(outcome->meshes[0].blocks[0].attributes.at(0).values.read<float>(), values);
  }
}

TEST(Meshopt, TrianglesAndIndices) {
  const std::vector<std::uint32_t> triangles = {0, 1, 2, 2, 1, 3};
  const std::vector<std::uint32_t> strip = {0, 1, 2, 3, 1};
  std::vector<unsigned char> buffer(meshopt_encodeIndexBufferBound(triangles.size(), 4));
  buffer.resize(meshopt_encodeIndexBuffer(buffer.data(), buffer.size(), triangles.data(), triangles.size()));
  std::vector<unsigned char> sequence(meshopt_encodeIndexSequenceBound(strip.size(), 4));
  sequence.resize(meshopt_encodeIndexSequence(sequence.data(), sequence.size(), strip.data(), strip.size()));
  for (const bool list : {true, false}) {
    Builder b;
    const auto position = b.accessor<float>(std::vector<float>(12), "VEC3");
    const auto view = list ? compressed_view(b, buffer, 6, 2, "TRIANGLES") : compressed_view(b, sequence, 5, 4, "INDICES");
    const auto indices = b.accessor_of(view, list ? 5123 : 5125, list ? 6 : 5, "SCALAR");
    b.add("meshes", {{"primitives", {{{"attributes", {{"POSITION", position}}}, {"indices", indices}, {"mode", list ? 4 : 5}}}}});
    const Outcome outcome = read_compressed(b);
    ASSERT_TRUE(outcome.model);
    EXPECT_TRUE(outcome->defects.empty());
    const auto read = outcome->meshes[0].surfaces[0].elements.read<std::uint32_t>();
    if (!list)
      EXPECT_EQ(read, strip);
    else
      EXPECT_THAT(read, testing::UnorderedElementsAreArray(triangles));  // the codec may turn triangles
  }
}

TEST(Meshopt, FiltersGiveWhatTheyWereMadeFrom) {
  const std::vector<float> unit = {0.6f, 0, 0.8f, 0, 0, -1, 0, 0, 0, 0.6f, 0.8f, 0};
  std::vector<std::uint32_t> packed(12);
  const auto read = [](Builder b, std::size_t view, int component, const char* type, bool normalized) {
    const auto accessor = b.accessor_of(view, component, 3, type);
    if (normalized) b.json["accessors"][accessor]["normalized"] = true;
    const auto position = b.accessor<float>(std::vector<float>(9), "VEC3");
    b.add("meshes", {{"primitives", {{{"attributes", {{"POSITION", position}, {"_X", accessor}}}}}}});
    const Outcome outcome = read_compressed(b);
    return outcome->meshes.at(0).blocks[0].attributes.at(1).values.read<float>();
  };
  {
    Builder b;
    meshopt_encodeFilterOct(packed.data(), 3, 8, 16, unit.data());
    const auto view = compressed_view(b, encode_attributes(std::vector<std::uint32_t>(packed.begin(), packed.begin() + 6), 8), 3, 8,
                                      "ATTRIBUTES", "OCTAHEDRAL");
    EXPECT_THAT(read(b, view, 5122, "VEC4", true), Pointwise(FloatNear(1e-3f), unit));
  }
  {
    Builder b;
    const std::vector<float> rotations = {0, 0, 0.6f, 0.8f, 0, 0, 0, 1, 0.5f, 0.5f, 0.5f, 0.5f};
    meshopt_encodeFilterQuat(packed.data(), 3, 8, 16, rotations.data());
    const auto view = compressed_view(b, encode_attributes(std::vector<std::uint32_t>(packed.begin(), packed.begin() + 6), 8), 3, 8,
                                      "ATTRIBUTES", "QUATERNION");
    EXPECT_THAT(read(b, view, 5122, "VEC4", true), Pointwise(FloatNear(1e-3f), rotations));
  }
  {
    Builder b;
    meshopt_encodeFilterExp(packed.data(), 3, 16, 15, unit.data());
    const auto view = compressed_view(b, encode_attributes(packed, 16), 3, 16, "ATTRIBUTES", "EXPONENTIAL");
    EXPECT_THAT(read(b, view, 5126, "VEC4", false), Pointwise(FloatNear(1e-3f), unit));
  }
}

TEST(Meshopt, WhatTheDecoderWouldNotSurviveIsRefusedBefore) {
  const std::vector<float> values(12);
  const auto bytes = encode_attributes(values, 12);
  struct Bad {
    const char* member;
    Json value;
    const char* code;
    std::string pointer;
  };
  const std::string at = "/bufferViews/1/extensions/EXT_meshopt_compression";
  const Bad cases[] = {
      {"byteStride", 6, "GLTF_MESHOPT_INVALID", at},
      {"byteStride", 0, "VALUE_NOT_IN_RANGE", at + "/byteStride"},
      {"byteStride", 1024, "VALUE_NOT_IN_RANGE", at + "/byteStride"},
      {"mode", "TRIANGLES", "GLTF_MESHOPT_INVALID", at},
      {"mode", "POINTS", "VALUE_NOT_IN_LIST", at + "/mode"},
      {"filter", "OCTAHEDRAL", "GLTF_MESHOPT_INVALID", at},
      {"filter", "QUATERNION", "GLTF_MESHOPT_INVALID", at},
      {"count", 400, "GLTF_MESHOPT_INVALID", at},
      {"count", 9007199254740992, "SINEW_MEMORY_LIMIT", at},
      {"count", -1, "VALUE_NOT_IN_RANGE", at + "/count"},
      {"byteLength", 3, "GLTF_MESHOPT_INVALID", at},
      {"byteLength", 100000, "BUFFER_VIEW_TOO_LONG", at + "/byteLength"},
      {"buffer", 9, "UNRESOLVED_REFERENCE", at + "/buffer"},
      {"buffer", 1, "BUFFER_VIEW_TOO_LONG", at + "/byteOffset"},  // a fallback has no bytes
  };
  for (const Bad& bad : cases) {
    Builder b;
    const auto view = compressed_view(b, bytes, 4, 12, "ATTRIBUTES");
    b.json["bufferViews"][view]["extensions"]["EXT_meshopt_compression"][bad.member] = bad.value;
    const Outcome outcome = read_compressed(points(view, 4, std::move(b)));
    ASSERT_TRUE(outcome.model);
    EXPECT_THAT(outcome.defect(outcome->meshes[0]), IsError(bad.code, bad.pointer)) << bad.member << " = " << bad.value;
  }
}

TEST(Meshopt, DamagedBytesAreReadSafely) {
  std::vector<float> values(96);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<float>(i));
  const auto bytes = encode_attributes(values, 12);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    auto damaged = bytes;
    damaged[i] = static_cast<unsigned char>(~damaged[i]);
    Builder b;
    const auto view = compressed_view(b, damaged, 32, 12, "ATTRIBUTES");
    const Outcome outcome = read_compressed(points(view, 32, std::move(b)));
    ASSERT_TRUE(outcome.model);
    expect_in_range(*outcome);
  }
}

}  // namespace
}  // namespace sinew::gltf::test
