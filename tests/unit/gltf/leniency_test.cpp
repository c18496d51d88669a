// SPDX-License-Identifier: MIT
// Defects of real files that are no reason to reject them: each is read, and each is a finding.
#include "unit/gltf/builder.hpp"

namespace sinew::gltf::test {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

void expect_usable(const Outcome& outcome) {
  ASSERT_TRUE(outcome.model);
  for (const Error& defect : outcome->defects) ADD_FAILURE() << defect.line();
  expect_in_range(*outcome);
}

TEST(Leniency, AWrongTypedInterpolationIsLinear) {
  Builder b = animated();
  b.json["animations"][0]["samplers"][1]["interpolation"] = 0;
  const Outcome outcome = b.read();
  expect_usable(outcome);
  EXPECT_EQ(outcome->clips[0].tracks[1].interpolation, Interpolation::linear);
  EXPECT_THAT(outcome.findings, Contains(IsFinding("TYPE_MISMATCH", "/animations/0/samplers/1/interpolation")));
}

TEST(Leniency, AnUnknownInterpolationIsLinear) {
  Builder b = animated();
  b.json["animations"][0]["samplers"][1]["interpolation"] = "EASE";
  const Outcome outcome = b.read();
  expect_usable(outcome);
  EXPECT_EQ(outcome->clips[0].tracks[1].interpolation, Interpolation::linear);
  EXPECT_THAT(outcome.findings, Contains(IsFinding("VALUE_NOT_IN_LIST", "/animations/0/samplers/1/interpolation")));
}

TEST(Leniency, AnUnknownModeIsTriangles) {
  Builder b = triangle();
  b.json["meshes"][0]["primitives"][0]["mode"] = 9;
  const Outcome outcome = b.read();
  expect_usable(outcome);
  EXPECT_EQ(outcome->meshes[0].surfaces[0].primitive, Primitive::simplexes);
  EXPECT_THAT(outcome.findings, Contains(IsFinding("VALUE_NOT_IN_RANGE", "/meshes/0/primitives/0/mode")));
}

TEST(Leniency, WrongTypedOptionalValuesCountAsAbsent) {
  Builder b = skinned();
  b.json["nodes"][2]["translation"] = "up";
  b.json["nodes"][1]["scale"] = {1, 2};
  b.json["skins"][0]["skeleton"] = "hips";
  b.json["skins"][0]["name"] = 3;
  b.json["accessors"][0]["normalized"] = "no";
  const Outcome outcome = b.read();
  expect_usable(outcome);
  EXPECT_TRUE(outcome->rest_pose.locals[2].translation.empty());
  EXPECT_TRUE(outcome->rest_pose.locals[1].scale.empty());
  EXPECT_EQ(outcome->skins[0].root_hint, none);
  EXPECT_THAT(outcome.findings, Contains(IsFinding("TYPE_MISMATCH", "/nodes/2/translation")));
  EXPECT_THAT(outcome.findings, Contains(IsFinding("ARRAY_LENGTH_NOT_IN_LIST", "/nodes/1/scale")));
  EXPECT_THAT(outcome.findings, Contains(IsFinding("TYPE_MISMATCH", "/skins/0/skeleton")));
  EXPECT_THAT(outcome.findings, Contains(IsFinding("TYPE_MISMATCH", "/skins/0/name")));
  EXPECT_THAT(outcome.findings, Contains(IsFinding("TYPE_MISMATCH", "/accessors/0/normalized")));
}

TEST(Leniency, TheFourthRowOfABindMatrixIsTakenAsThatOfAnAffineMap) {
  Builder b = skinned();
  const float wrong[] = {0.5f, 0, 0, 2};
  for (std::size_t column = 0; column < 4; ++column)
    std::memcpy(b.bytes.data() + b.json["bufferViews"][3]["byteOffset"].get<std::size_t>() + 64 + column * 16 + 12, &wrong[column], 4);
  const Outcome outcome = b.read();
  expect_usable(outcome);
  EXPECT_EQ(outcome->skins[0].joint_from_mesh[1].translation(1), -1);
  EXPECT_THAT(outcome.findings, Contains(IsFinding("ACCESSOR_INVALID_IBM", "/skins/0/inverseBindMatrices")));
}

TEST(Leniency, JointsMayHaveNoCommonRoot) {
  Builder b = skinned();
  b.json["nodes"][1].erase("children");
  const Outcome outcome = b.read();
  expect_usable(outcome);
  EXPECT_THAT(outcome.findings, Contains(IsFinding("SKIN_NO_COMMON_ROOT", "/skins/0/joints")));
}

TEST(Leniency, JointsMayStandOutsideTheScene) {
  Builder b = skinned();
  b.json["scenes"][0]["nodes"] = {0};
  const Outcome outcome = b.read();
  expect_usable(outcome);
  EXPECT_THAT(outcome.findings, Contains(IsFinding("NODE_SKIN_NO_SCENE", "/nodes/0")));
}

TEST(Leniency, AWrongSkeletonHintIsNotUsed) {
  Builder b = skinned();
  b.json["skins"][0]["skeleton"] = 2;
  const Outcome below = b.read();
  expect_usable(below);
  EXPECT_THAT(below.findings, Contains(IsFinding("SKIN_SKELETON_INVALID", "/skins/0/skeleton")));
  b.json["skins"][0]["skeleton"] = 99;
  const Outcome missing = b.read();
  expect_usable(missing);
  EXPECT_EQ(missing->skins[0].root_hint, none);
  EXPECT_THAT(missing.findings, Contains(IsFinding("UNRESOLVED_REFERENCE", "/skins/0/skeleton")));
}

TEST(Leniency, PositionsNeedNoBounds) {
  Builder b = triangle();
  b.json["accessors"][0].erase("min");
  const Outcome outcome = b.read();
  expect_usable(outcome);
  EXPECT_EQ(outcome->meshes[0].blocks[0].vertices, 3u);
  EXPECT_THAT(outcome.findings,
              Contains(IsFinding("MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS", "/meshes/0/primitives/0/attributes/POSITION")));
}

TEST(Leniency, OfChannelsWithOneTargetTheLastWins) {
  Builder b = animated();
  auto& clip = b.json["animations"][0];
  clip["channels"].push_back({{"sampler", 4}, {"target", {{"node", 0}, {"path", "translation"}}}});
  const auto other = b.accessor<float>({9, 9, 9, 8, 8, 8, 7, 7, 7}, "VEC3");
  clip["samplers"].push_back({{"input", 1}, {"output", other}});
  const Outcome outcome = b.read();
  expect_usable(outcome);
  ASSERT_EQ(outcome->clips[0].tracks.size(), 4u);
  EXPECT_EQ(outcome->clips[0].tracks[0].values.read<double>()[0], 9);
  EXPECT_THAT(outcome.findings, Contains(IsFinding("ANIMATION_DUPLICATE_TARGETS", "/animations/0/channels/0/target")));
}

TEST(Leniency, SamplerAndBindMatrixViewsMayHaveAStride) {
  Builder b = skinned();
  b.json["bufferViews"][3]["byteStride"] = 64;
  const std::vector<float> keys = {0, -1, 1, -1, 2, -1};
  const auto times = b.accessor_of(b.view(keys, 8), 5126, 3, "SCALAR");
  const auto values = b.accessor<float>({0, 0, 0, 1, 0, 0, 2, 0, 0}, "VEC3");
  b.add("animations", {{"samplers", {{{"input", times}, {"output", values}}}},
                       {"channels", {{{"sampler", 0}, {"target", {{"node", 1}, {"path", "translation"}}}}}}});
  const Outcome outcome = b.read();
  expect_usable(outcome);
  EXPECT_THAT(outcome->clips[0].tracks[0].times.read<double>(), ElementsAre(0, 1, 2));
  EXPECT_EQ(outcome->skins[0].joint_from_mesh[1].translation(1), -1);
  EXPECT_THAT(outcome.findings, Contains(IsFinding("ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE", "/animations/0/samplers/0/input")));
  EXPECT_THAT(outcome.findings, Contains(IsFinding("SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE", "/skins/0/inverseBindMatrices")));
}

TEST(Leniency, AnOffsetWithoutViewIsIgnored) {
  Builder b = triangle();
  b.json["accessors"][0].erase("bufferView");
  b.json["accessors"][0]["byteOffset"] = 12;
  const Outcome outcome = b.read();
  expect_usable(outcome);
  EXPECT_THAT(outcome->meshes[0].blocks[0].attributes[0].values.read<double>(), Each(0.0));
  EXPECT_THAT(outcome.findings, Contains(IsFinding("UNSATISFIED_DEPENDENCY", "/accessors/0/byteOffset")));
}

TEST(Leniency, JointsWithoutASkinMoveWithTheirNode) {
  Builder b = skinned();
  b.json["nodes"][0].erase("skin");
  const Outcome outcome = b.read();
  expect_usable(outcome);
  EXPECT_EQ(outcome->nodes[0].skin, none);
  EXPECT_THAT(outcome.findings, Contains(IsFinding("NODE_SKINNED_MESH_WITHOUT_SKIN", "/nodes/0")));
}

TEST(Leniency, ASkinWithoutJointsInTheMeshMovesNothing) {
  Builder b = skinned();
  b.json["meshes"][0]["primitives"][0]["attributes"].erase("JOINTS_0");
  b.json["meshes"][0]["primitives"][0]["attributes"].erase("WEIGHTS_0");
  const Outcome outcome = b.read();
  expect_usable(outcome);
  EXPECT_TRUE(outcome->meshes[0].blocks[0].influences.empty());
  EXPECT_THAT(outcome.findings, Contains(IsFinding("NODE_SKIN_WITH_NON_SKINNED_MESH", "/nodes/0")));
}

TEST(Leniency, ScaleZeroIsLegal) {
  Builder b = triangle();
  b.json["nodes"][0]["scale"] = {0, 0, 0};
  const Outcome outcome = b.read();
  expect_usable(outcome);
  EXPECT_THAT(outcome.findings, IsEmpty());
}

TEST(Leniency, APrimitiveWithoutPositionHasNoVertices) {
  Builder b = skinned();
  b.json["meshes"][0]["primitives"][0]["attributes"].erase("POSITION");
  const Outcome outcome = b.read();
  expect_usable(outcome);
  EXPECT_EQ(outcome->meshes[0].blocks[0].vertices, 0u);
  EXPECT_FALSE(outcome->meshes[0].surfaces[0].indexed);
  EXPECT_THAT(outcome.findings, Contains(IsFinding("MESH_PRIMITIVE_NO_POSITION", "/meshes/0/primitives/0/attributes")));
}

TEST(Leniency, WeightsShorterThanTheTargetsAreZeroAndLongerOnesIgnored) {
  Builder b = animated();
  b.json["meshes"][0]["weights"] = {0.25};
  const Outcome mesh = b.read();
  expect_usable(mesh);
  EXPECT_THAT(mesh->rest_pose.amounts[0], ElementsAre(0.25, 0));
  EXPECT_THAT(mesh.findings, Contains(IsFinding("MESH_INVALID_WEIGHTS_COUNT", "/meshes/0/weights")));
  b.json["nodes"][0]["weights"] = {1, 2, 3};
  const Outcome node = b.read();
  expect_usable(node);
  EXPECT_THAT(node->rest_pose.amounts[0], ElementsAre(1, 2));
  EXPECT_THAT(node.findings, Contains(IsFinding("NODE_WEIGHTS_INVALID", "/nodes/0/weights")));
}

TEST(Leniency, AForbiddenStrideIsUsed) {
  Builder b = triangle();
  std::vector<float> values(3 * 80);
  values[80] = 5;
  values[160] = 7;
  b.json["accessors"][0]["bufferView"] = b.view(values, 320);
  const Outcome outcome = b.read();
  expect_usable(outcome);
  EXPECT_THAT(outcome->meshes[0].blocks[0].attributes[0].values.read<double>(), ElementsAre(0, 0, 0, 5, 0, 0, 7, 0, 0));
  EXPECT_THAT(outcome.findings, Contains(IsFinding("VALUE_NOT_IN_RANGE", "/bufferViews/1/byteStride")));
}

TEST(Leniency, AMissingMaterialIsNothing) {
  Builder b = triangle();
  b.json["meshes"][0]["primitives"][0]["material"] = 4;
  const Outcome outcome = b.read();
  expect_usable(outcome);
  EXPECT_EQ(outcome->meshes[0].surfaces[0].material, none);
  EXPECT_THAT(outcome.findings, Contains(IsFinding("UNRESOLVED_REFERENCE", "/meshes/0/primitives/0/material")));
}

TEST(Leniency, ATargetWithoutBaseAttributeIsIgnored) {
  Builder b = animated();
  b.json["meshes"][0]["primitives"][0]["targets"][0]["NORMAL"] = 2;
  const Outcome outcome = b.read();
  expect_usable(outcome);
  EXPECT_THAT(outcome.findings,
              Contains(IsFinding("MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR", "/meshes/0/primitives/0/targets/0/NORMAL")));
}

TEST(Leniency, UnpairedJointsAreNotUsed) {
  Builder b = skinned();
  auto& attributes = b.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["JOINTS_1"] = attributes["JOINTS_0"];
  const Outcome outcome = b.read();
  expect_usable(outcome);
  EXPECT_EQ(outcome->meshes[0].blocks[0].influences.sets.size(), 1u);
  EXPECT_THAT(outcome.findings, Contains(IsFinding("MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH", "/meshes/0/primitives/0/attributes")));
}

TEST(Leniency, AnUnneededBufferMayBeMissing) {
  Builder b = triangle();
  const Json whole = Json::parse(b.text());
  b.json["buffers"] = whole["buffers"];
  b.json["buffers"].push_back({{"byteLength", 10}, {"uri", "not_there.bin"}});
  b.add("bufferViews", {{"buffer", 1}, {"byteLength", 10}});
  const Outcome outcome = b.read();
  ASSERT_TRUE(outcome.model);
  EXPECT_EQ(outcome->meshes[0].defect, none);
  ASSERT_EQ(outcome->defects.size(), 1u);
  EXPECT_THAT(outcome->defects[0], IsError("IO_ERROR", "/buffers/1/uri"));
}

TEST(Leniency, AShortBufferServesTheViewsThatItHolds) {
  Builder b = skinned();
  Json whole = Json::parse(b.text());
  whole["buffers"][0]["byteLength"] = b.bytes.size() + 100;
  whole["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", b.bytes.size()}, {"byteLength", 100}});
  const Outcome outcome = read_text(whole.dump());
  ASSERT_TRUE(outcome.model);
  EXPECT_EQ(outcome->meshes[0].defect, none);
  EXPECT_THAT(outcome.findings, Contains(IsFinding("BUFFER_BYTE_LENGTH_MISMATCH", "/buffers/0")));
  EXPECT_THAT(outcome.findings, Contains(IsFinding("BUFFER_VIEW_TOO_LONG", "/bufferViews/5/byteOffset")));
}

}  // namespace
}  // namespace sinew::gltf::test
