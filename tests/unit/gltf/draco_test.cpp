// SPDX-License-Identifier: MIT
#include <draco/compression/encode.h>
#include <draco/mesh/triangle_soup_mesh_builder.h>

#include <array>

#include "unit/gltf/builder.hpp"

namespace sinew::gltf::test {
namespace {

using testing::Contains;

/// Two triangles with joints and weights, compressed without quantisation. Unique ids: 0 positions, 1 joints, 2 weights.
/// `wide`: with an attribute of 127 numbers that nothing uses.
std::string encode(int method, bool wide = false) {
  ::draco::TriangleSoupMeshBuilder builder;
  builder.Start(2);
  const int position = builder.AddAttribute(::draco::GeometryAttribute::POSITION, 3, ::draco::DT_FLOAT32);
  const int joints = builder.AddAttribute(::draco::GeometryAttribute::GENERIC, 4, ::draco::DT_UINT8);
  const int weights = builder.AddAttribute(::draco::GeometryAttribute::GENERIC, 4, ::draco::DT_FLOAT32);
  const int unused = wide ? builder.AddAttribute(::draco::GeometryAttribute::GENERIC, 127, ::draco::DT_INT32) : 0;
  const std::array<std::int32_t, 127> zeros{};
  const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0.5f}};
  const std::uint8_t slots[4][4] = {{0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}};
  const float amounts[4][4] = {{1, 0, 0, 0}, {1, 0, 0, 0}, {0.5f, 0.5f, 0, 0}, {1, 0, 0, 0}};
  const int faces[2][3] = {{0, 1, 2}, {2, 1, 3}};
  for (int f = 0; f < 2; ++f) {
    const auto* c = faces[f];
    const ::draco::FaceIndex face(static_cast<std::uint32_t>(f));
    builder.SetAttributeValuesForFace(position, face, corners[c[0]], corners[c[1]], corners[c[2]]);
    builder.SetAttributeValuesForFace(joints, face, slots[c[0]], slots[c[1]], slots[c[2]]);
    builder.SetAttributeValuesForFace(weights, face, amounts[c[0]], amounts[c[1]], amounts[c[2]]);
    if (wide) builder.SetAttributeValuesForFace(unused, face, zeros.data(), zeros.data(), zeros.data());
  }
  const auto mesh = builder.Finalize();
  ::draco::Encoder encoder;
  encoder.SetEncodingMethod(method);
  ::draco::EncoderBuffer buffer;
  EXPECT_TRUE(encoder.EncodeMeshToBuffer(*mesh, &buffer).ok());
  return {buffer.data(), buffer.size()};
}

Builder compressed(const std::string& bytes) {
  Builder b;
  const auto view = b.view(bytes.data(), bytes.size());
  const auto plain = [&](int component, std::size_t count, const char* type) {
    return b.add("accessors", {{"componentType", component}, {"count", count}, {"type", type}, {"min", {0}}, {"max", {1}}});
  };
  const auto position = plain(5126, 4, "VEC3"), joints = plain(5121, 4, "VEC4"), weights = plain(5126, 4, "VEC4"),
             indices = plain(5123, 6, "SCALAR");
  b.add("meshes", {{"primitives",
                    {{{"attributes", {{"POSITION", position}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}}},
                      {"indices", indices},
                      {"extensions",
                       {{"KHR_draco_mesh_compression",
                         {{"bufferView", view}, {"attributes", {{"POSITION", 0}, {"JOINTS_0", 1}, {"WEIGHTS_0", 2}}}}}}}}}}});
  b.add("skins", {{"joints", {1, 2}}});
  b.add("nodes", {{"mesh", 0}, {"skin", 0}});
  b.add("nodes", {{"children", {2}}});
  b.add("nodes", Json::object());
  b.json["extensionsUsed"] = b.json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
  return b;
}

class DracoMethod : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Methods, DracoMethod, testing::Values(::draco::MESH_SEQUENTIAL_ENCODING, ::draco::MESH_EDGEBREAKER_ENCODING));

TEST_P(DracoMethod, IsCheckedByWhatItsAccessorsSay) {
  const std::vector<Finding> checked = check_text(compressed(encode(GetParam())).text());
  for (const Finding& finding : checked) EXPECT_NE(finding.code, "MESH_PRIMITIVE_INCOMPATIBLE_MODE");  // 6 indices of 4 vertices
}

TEST_P(DracoMethod, GivesBackTheGeometry) {
  const Outcome outcome = compressed(encode(GetParam())).read();
  ASSERT_TRUE(outcome.model);
  ASSERT_TRUE(outcome->defects.empty()) << outcome->defects[0].line();
  expect_in_range(*outcome);
  const VertexBlock& block = outcome->meshes[0].blocks[0];
  EXPECT_EQ(block.vertices, 4u);
  ASSERT_EQ(block.influences.sets.size(), 1u);
  EXPECT_EQ(block.influences.sets[0].joints.type(), ComponentType::uint8);
  // The codec may renumber vertices: each is known by its position.
  const auto positions = block.attributes[0].values.read<float>();
  const auto joints = block.influences.sets[0].joints.read<std::uint32_t>();
  const auto weights = block.influences.sets[0].weights.read<float>();
  for (std::size_t v = 0; v < 4; ++v) {
    const bool upper = positions[v * 3 + 1] == 1, corner = upper && positions[v * 3] == 1;
    EXPECT_EQ(joints[v * 4], upper ? 1u : 0u);
    EXPECT_EQ(weights[v * 4], upper && !corner ? 0.5f : 1.0f);
  }
  EXPECT_EQ(outcome->meshes[0].surfaces[0].elements.size(), 6u);
  double area = 0;  // of the projection, with its sign: triangles keep their facing
  const auto elements = outcome->meshes[0].surfaces[0].elements.read<std::uint32_t>();
  for (std::size_t t = 0; t < 6; t += 3) {
    const auto x = [&](std::size_t k) { return positions[elements[t + k] * 3]; };
    const auto y = [&](std::size_t k) { return positions[elements[t + k] * 3 + 1]; };
    area += ((x(1) - x(0)) * (y(2) - y(0)) - (x(2) - x(0)) * (y(1) - y(0))) / 2;
  }
  EXPECT_DOUBLE_EQ(area, 1);
}

TEST_P(DracoMethod, DamagedBytesAreReadSafely) {
  const std::string good = encode(GetParam());
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string damaged = good;
    damaged[i] = static_cast<char>(~damaged[i]);
    const Outcome outcome = compressed(damaged).read();
    ASSERT_TRUE(outcome.model);
    expect_in_range(*outcome);
    const Outcome cut = compressed(good.substr(0, i)).read();
    ASSERT_TRUE(cut.model);
    EXPECT_NE(cut->meshes[0].defect, none) << i;
  }
}

TEST_P(DracoMethod, CountsOfTheStreamAreUsed) {
  Builder b = compressed(encode(GetParam()));
  const Outcome right = b.read();
  for (const auto& [accessor, count] : {std::pair{3u, 9}, {3u, 3}, {0u, 5}, {0u, 3}}) {
    Builder other = b;
    other.json["accessors"][accessor]["count"] = count;
    const Outcome outcome = other.read();
    EXPECT_THAT(outcome->defects, testing::IsEmpty());
    EXPECT_EQ(outcome->meshes[0].blocks[0].vertices, right->meshes[0].blocks[0].vertices);
    EXPECT_EQ(outcome->meshes[0].surfaces[0].elements.read<std::uint32_t>(), right->meshes[0].surfaces[0].elements.read<std::uint32_t>());
    EXPECT_THAT(outcome.findings, testing::SizeIs(right.findings.size() + 1));
    EXPECT_THAT(outcome.findings, testing::Contains(testing::Field(&Finding::code, "GLTF_DRACO_COUNT")));
  }
}

TEST(Draco, MoreFacesThanMemoryAreRefusedBeforeDecoding) {
  std::string bytes("DRACO\x02\x02\x01\x00\x00\x00", 11);  // sequential; then the counts of faces and points
  bytes += std::string("\xff\xff\xff\xff\x04\xff\xff\xff\xff\x04", 10);
  Builder b = compressed(bytes);
  b.json["meshes"][0]["primitives"][0].erase("indices");
  EXPECT_THAT(b.read()->defects.at(0), IsError("SINEW_MEMORY_LIMIT", "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression"));
}

/// Returns the smallest memory limit with which it can be read.
std::uint64_t memory_for(const std::string& bytes) {
  std::uint64_t refused = 0, read = 1 << 20;
  while (read - refused > 1) {
    Limits limits;
    limits.memory = (refused + read) / 2;
    const Outcome outcome = compressed(bytes).read(limits);
    (outcome.model && outcome->defects.empty() ? read : refused) = limits.memory;
  }
  return read;
}

TEST_P(DracoMethod, ValuesCountBeforeTheyAreDecoded) {
  const std::string narrow = encode(GetParam()), wide = encode(GetParam(), true);
  constexpr std::uint64_t unused_values = 4 * 508;  // no part of the file is as large as its header claims
  ASSERT_LT(wide.size(), narrow.size() + unused_values / 2);
  EXPECT_GE(memory_for(wide), memory_for(narrow) + unused_values);
}

TEST(Draco, WhatItLacksIsADefect) {
  const std::string at = "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression";
  Builder b = compressed(encode(::draco::MESH_EDGEBREAKER_ENCODING));
  auto& extension = b.json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"];
  extension["attributes"]["JOINTS_0"] = 9;
  EXPECT_THAT(b.read()->defects.at(0), IsError("GLTF_DRACO_INVALID", at));
  extension["bufferView"] = 4;
  EXPECT_THAT(b.read()->defects.at(0), IsError("UNRESOLVED_REFERENCE", at + "/bufferView"));
}

}  // namespace
}  // namespace sinew::gltf::test
