// SPDX-License-Identifier: MIT
// Buffer views compressed by KHR_meshopt_compression or EXT_meshopt_compression; meshopt_streams_test.cpp is about the streams.
#include <cmath>

#include "unit/gltf/builder.hpp"
#include "unit/meshopt/encoder.hpp"

namespace sinew::gltf::test {
namespace {

constexpr const char* khr = "KHR_meshopt_compression";
constexpr const char* ext = "EXT_meshopt_compression";

template <class T>
Bytes encoded(const std::vector<T>& values, std::size_t stride, unsigned version = 0) {
  return encode_attributes({reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(T)}, stride, {.version = version});
}

/// A view whose data is compressed; its own buffer is a fallback without bytes.
std::size_t compressed_view(Builder& b, const char* name, const Bytes& bytes, std::size_t count, std::size_t stride, const char* mode,
                            const char* filter = nullptr) {
  const std::size_t source = b.view(bytes);
  Json extension = {{"buffer", 0},
                    {"byteOffset", b.json["bufferViews"][source]["byteOffset"]},
                    {"byteLength", bytes.size()},
                    {"byteStride", stride},
                    {"count", count},
                    {"mode", mode}};
  if (filter != nullptr) extension["filter"] = filter;
  return b.add("bufferViews", {{"buffer", 1}, {"byteLength", count * stride}, {"extensions", {{name, extension}}}});
}

std::string compressed_text(const Builder& b, const char* name) {
  Json json = Json::parse(b.text());
  json["buffers"].push_back({{"byteLength", 100000}, {"extensions", {{name, {{"fallback", true}}}}}});
  json["extensionsUsed"] = json["extensionsRequired"] = {name};
  return json.dump();
}

Outcome read_compressed(const Builder& b, const char* name) { return read_text(compressed_text(b, name)); }

Builder points(std::size_t view, std::size_t count, Builder b) {
  b.add("meshes", {{"primitives", {{{"attributes", {{"POSITION", b.accessor_of(view, 5126, count, "VEC3")}}}, {"mode", 0}}}}});
  return b;
}

TEST(Meshopt, AttributesOfAnyCount) {
  for (const char* name : {khr, ext})
    for (const std::size_t count : {1u, 3u, 16u, 257u}) {
      std::vector<float> values(3 * count);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) * 0.25f;
      Builder b;
      const auto view = compressed_view(b, name, encoded(values, 12, name == khr ? 1 : 0), count, 12, "ATTRIBUTES");
      const Outcome outcome = read_compressed(points(view, count, std::move(b)), name);
      ASSERT_TRUE(outcome.model);
      EXPECT_TRUE(outcome->defects.empty());
      EXPECT_EQ(outcome->meshes[0].blocks[0].attributes.at(0).values.read<float>(), values);
    }
}

TEST(Meshopt, TrianglesAndIndices) {
  const Bytes triangles = {0xe1, 0xf0, 0x10, 0x00, 0x76, 0x87, 0x56, 0x67, 0x78, 0xa9, 0x86, 0x65, 0x89, 0x68, 0x98, 0x01, 0x69, 0, 0};
  const Bytes sequence = {0xd1, 0x00, 0x04, 0x04, 0x04, 0, 0, 0, 0};
  for (const char* name : {khr, ext})
    for (const bool list : {true, false}) {
      Builder b;
      const auto position = b.accessor<float>(std::vector<float>(12), "VEC3");
      const auto view = list ? compressed_view(b, name, triangles, 6, 2, "TRIANGLES") : compressed_view(b, name, sequence, 4, 4, "INDICES");
      const auto indices = b.accessor_of(view, list ? 5123 : 5125, list ? 6 : 4, "SCALAR");
      b.add("meshes", {{"primitives", {{{"attributes", {{"POSITION", position}}}, {"indices", indices}, {"mode", list ? 4 : 5}}}}});
      const Outcome outcome = read_compressed(b, name);
      ASSERT_TRUE(outcome.model);
      EXPECT_TRUE(outcome->defects.empty());
      const auto wanted = list ? std::vector<std::uint32_t>{0, 1, 2, 2, 1, 3} : std::vector<std::uint32_t>{0, 1, 2, 3};
      EXPECT_EQ(outcome->meshes[0].surfaces[0].elements.read<std::uint32_t>(), wanted);
    }
}

struct Filtered {
  const char* filter;
  Bytes stored;
  int component;
  std::vector<float> values;  ///< four per element
};

template <class T>
Filtered filtered(const char* filter, const std::vector<T>& stored, int component, const std::vector<float>& values) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(stored.data());
  return {filter, Bytes(bytes, bytes + stored.size() * sizeof(T)), component, values};
}

// Results that the extension's rules give by hand.
TEST(Meshopt, Filters) {
  using Shorts = std::vector<std::int16_t>;
  using Words = std::vector<std::uint16_t>;
  const Filtered cases[] = {
      filtered("OCTAHEDRAL", std::vector<std::int8_t>{64, 0, 127, 2, -64, -63, 127, 3}, 5120, {91, 0, 89, 2, -91, -89, 0, 3}),
      filtered("OCTAHEDRAL", std::vector<std::int8_t>{3, -2, 7, 9, 100, 100, 127, -4}, 5120, {92, -62, 62, 9, 42, 42, -113, -4}),
      filtered("OCTAHEDRAL", Shorts{256, -128, 511, 32767, -400, 300, 511, 0}, 5122,
               {26789, -13394, 13290, 32767, -22725, 11955, -20355, 0}),
      filtered("QUATERNION", Shorts{32767, 0, 0, 32764, 16384, -8192, 4096, 32766}, 5122, {23170, 23170, 0, 0, -5793, 2896, 29959, 11585}),
      filtered("QUATERNION", Shorts{511, 0, 0, 509, 100, -200, 300, 511}, 5122, {0, 23170, 23170, 0, 4534, -9068, 13603, 28033}),
      filtered("EXPONENTIAL", std::vector<std::uint32_t>{0x00000001, 0xff000003, 0xfeffffff, 0x05fffffd}, 5126, {1, 1.5f, -0.25f, -96}),
      filtered("COLOR", Bytes{128, 64, 0xe0, 0xc0, 64, 63, 0, 0x80}, 5121, {224, 96, 96, 128, 127, 64, 1, 0}),
      filtered("COLOR", Bytes{7, 3, 0xfe, 15, 7, 0, 0, 8}, 5121, {204, 85, 102, 255, 119, 119, 119, 0}),
      filtered("COLOR", Words{512, 100, 65476, 767, 512, 0, 0, 512}, 5123, {43049, 28956, 30237, 32735, 32800, 32800, 32800, 0}),
  };
  for (const Filtered& one : cases)
    for (const char* name : {khr, ext}) {
      const std::size_t count = one.values.size() / 4, stride = one.stored.size() / count;
      Builder b = triangle();
      const auto view = compressed_view(b, name, encoded(one.stored, stride), count, stride, "ATTRIBUTES", one.filter);
      const auto accessor = b.accessor_of(view, one.component, count, "VEC4");
      b.add("meshes", {{"primitives", {{{"attributes", {{"POSITION", 0}, {"_X", accessor}}}}}}});
      b.json["accessors"][0]["count"] = count;
      const Outcome outcome = read_compressed(b, name);
      ASSERT_TRUE(outcome.model);
      if (name == ext && one.filter == std::string("COLOR")) {
        const std::string at = "/bufferViews/" + std::to_string(view) + "/extensions/EXT_meshopt_compression";
        EXPECT_THAT(outcome->defects, testing::Contains(IsError("GLTF_MESHOPT_INVALID", at)));
        EXPECT_THAT(outcome.findings, testing::Contains(IsFinding("VALUE_NOT_IN_LIST", at + "/filter")));
        continue;
      }
      EXPECT_EQ(outcome->meshes.at(1).blocks[0].attributes.at(1).values.read<float>(), one.values) << one.filter;
    }
}

// Decoders may round differently, so only bounds of views without a filter are compared.
TEST(Meshopt, BoundsOfFilteredViewsAreNotCompared) {
  for (const std::string filter : {"EXPONENTIAL", "NONE"}) {
    Builder b;
    const auto view =
        compressed_view(b, khr, encoded(std::vector<std::uint32_t>(12, 0xff000003), 12, 1), 4, 12, "ATTRIBUTES", filter.c_str());
    Builder file = points(view, 4, std::move(b));
    file.json["accessors"][0]["min"] = file.json["accessors"][0]["max"] = {1.49, 1.5, 1.51};
    std::size_t mismatches = 0;
    for (const Finding& finding : check_text(compressed_text(file, khr))) mismatches += finding.code.find("_MISMATCH") != std::string::npos;
    EXPECT_EQ(mismatches, filter == "NONE" ? 6u : 0u);
  }
}

struct Bad {
  const char* member;
  Json value;
  const char* code;
  std::string pointer;
};

// Reads four points whose stream has `version`, with one member changed.
void expect_bad(const Bad& bad, const char* name, unsigned version) {
  Builder b;
  const auto view = compressed_view(b, name, encoded(std::vector<float>(12), 12, version), 4, 12, "ATTRIBUTES");
  b.json["bufferViews"][view]["extensions"][name][bad.member] = bad.value;
  const Outcome outcome = read_compressed(points(view, 4, std::move(b)), name);
  ASSERT_TRUE(outcome.model);
  const Error defect = outcome.defect(outcome->meshes[0]);
  EXPECT_THAT(defect, IsError(bad.code, std::string("/bufferViews/1/extensions/") + name + bad.pointer))
      << name << ", " << bad.member << " = " << bad.value << ": " << defect.message;
}

TEST(Meshopt, BadObjectsAndStreamsHaveAPlace) {
  const Bad cases[] = {
      {"byteStride", 6, "GLTF_MESHOPT_INVALID", ""},
      {"byteStride", 0, "VALUE_NOT_IN_RANGE", "/byteStride"},
      {"byteStride", 1024, "VALUE_NOT_IN_RANGE", "/byteStride"},
      {"mode", "TRIANGLES", "GLTF_MESHOPT_INVALID", ""},
      {"mode", "POINTS", "VALUE_NOT_IN_LIST", "/mode"},
      {"filter", "SPHERICAL", "GLTF_MESHOPT_INVALID", ""},
      {"filter", 1, "GLTF_MESHOPT_INVALID", ""},
      {"filter", "OCTAHEDRAL", "GLTF_MESHOPT_INVALID", ""},
      {"filter", "QUATERNION", "GLTF_MESHOPT_INVALID", ""},
      {"count", 400, "GLTF_MESHOPT_INVALID", ""},
      {"count", 9007199254740992, "SINEW_MEMORY_LIMIT", ""},
      {"count", -1, "VALUE_NOT_IN_RANGE", "/count"},
      {"byteLength", 0, "GLTF_MESHOPT_INVALID", ""},
      {"byteLength", 3, "GLTF_MESHOPT_INVALID", ""},
      {"byteLength", 100000, "BUFFER_VIEW_TOO_LONG", "/byteLength"},
      {"buffer", 9, "UNRESOLVED_REFERENCE", "/buffer"},
      {"buffer", 1, "BUFFER_VIEW_TOO_LONG", "/byteOffset"},  // a fallback has no bytes
  };
  for (const Bad& bad : cases) {
    expect_bad(bad, khr, 1);
    expect_bad(bad, ext, 0);
  }
  expect_bad({"filter", "COLOR", "GLTF_MESHOPT_INVALID", ""}, khr, 1);  // of a stride of 12
  expect_bad({"mode", "ATTRIBUTES", "GLTF_MESHOPT_INVALID", ""}, ext, 1);
}

}  // namespace
}  // namespace sinew::gltf::test
