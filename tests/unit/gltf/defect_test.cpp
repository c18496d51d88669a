// SPDX-License-Identifier: MIT
// An unusable entity is marked with its cause, at the place of the cause; the rest of the file stays usable.
#include "base/guard.hpp"
#include "unit/gltf/builder.hpp"

namespace sinew::gltf::test {
namespace {

using testing::Contains;

/// Changes one place of a valid file and expects a defect with a code and a pointer, which is also a finding.
struct Case {
  const char* name;
  Builder (*good)();
  const char* place;
  Json value;
  const char* code;
  const char* pointer;
  enum class Of { node, mesh, skin, clip, scene, skeleton } of;
  std::size_t index = 0;
};

const Entity& entity(const Model& model, const Case& c) {
  switch (c.of) {
    case Case::Of::node:
      return model.nodes[c.index];
    case Case::Of::mesh:
      return model.meshes[c.index];
    case Case::Of::skin:
      return model.skins[c.index];
    case Case::Of::clip:
      return model.clips[c.index];
    case Case::Of::scene:
      return model.scenes[c.index];
    case Case::Of::skeleton:
      break;
  }
  return model.skeletons[c.index];
}

class Defects : public testing::TestWithParam<Case> {};

TEST_P(Defects, AreMarkedWhereTheyCome) {
  const Case& c = GetParam();
  Json json = Json::parse(c.good().text());
  if (c.value == "absent")
    json[Json::json_pointer(c.place).parent_pointer()].erase(Json::json_pointer(c.place).back());
  else
    json[Json::json_pointer(c.place)] = c.value;
  const Outcome outcome = read_text(json.dump());
  ASSERT_TRUE(outcome.model);
  expect_in_range(*outcome);
  EXPECT_THAT(outcome.defect(entity(*outcome, c)), IsError(c.code, c.pointer));
  EXPECT_THAT(outcome.findings, Contains(IsFinding(c.code, c.pointer)));
}

using Of = Case::Of;
const Case cases[] = {
    {"MissingBuffer", &triangle, "/buffers/0/uri", "absent", "GLTF_BUFFER_WITHOUT_DATA", "/buffers/0", Of::mesh},
    {"BufferOutsideTheFolder", &triangle, "/buffers/0/uri", "../x.bin", "SINEW_URI_REFUSED", "/buffers/0/uri", Of::mesh},
    {"MissingFile", &triangle, "/buffers/0/uri", "x.bin", "IO_ERROR", "/buffers/0/uri", Of::mesh},
    {"BufferOfAView", &triangle, "/bufferViews/0/buffer", 7, "UNRESOLVED_REFERENCE", "/bufferViews/0/buffer", Of::mesh},
    {"ViewTooLong", &triangle, "/bufferViews/0/byteLength", 1000, "BUFFER_VIEW_TOO_LONG", "/bufferViews/0/byteLength", Of::mesh},
    {"ViewBeyond", &triangle, "/bufferViews/0/byteOffset", 1000, "BUFFER_VIEW_TOO_LONG", "/bufferViews/0/byteOffset", Of::mesh},
    {"ViewOffsetNegative", &triangle, "/bufferViews/0/byteOffset", -4, "VALUE_NOT_IN_RANGE", "/bufferViews/0/byteOffset", Of::mesh},
    {"ViewLengthMissing", &triangle, "/bufferViews/0/byteLength", "absent", "UNDEFINED_PROPERTY", "/bufferViews/0", Of::mesh},
    {"CountTooLarge", &triangle, "/accessors/0/count", 4, "ACCESSOR_TOO_LONG", "/accessors/0", Of::mesh},
    {"CountOverflows", &triangle, "/accessors/0/count", 9007199254740992, "ACCESSOR_TOO_LONG", "/accessors/0", Of::mesh},
    {"CountBeyond64Bits", &triangle, "/accessors/0/count", 1e300, "VALUE_NOT_IN_RANGE", "/accessors/0/count", Of::mesh},
    {"CountNegative", &triangle, "/accessors/0/count", -1, "VALUE_NOT_IN_RANGE", "/accessors/0/count", Of::mesh},
    {"CountOfWrongType", &triangle, "/accessors/0/count", "3", "TYPE_MISMATCH", "/accessors/0/count", Of::mesh},
    {"OffsetBeyond", &triangle, "/accessors/0/byteOffset", 9007199254740992, "ACCESSOR_TOO_LONG", "/accessors/0/byteOffset", Of::mesh},
    {"ComponentType", &triangle, "/accessors/0/componentType", 5124, "VALUE_NOT_IN_LIST", "/accessors/0/componentType", Of::mesh},
    {"TypeOfPositions", &triangle, "/accessors/0/type", "VEC2", "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT",
     "/meshes/0/primitives/0/attributes/POSITION", Of::mesh},
    {"PositionMissing", &triangle, "/meshes/0/primitives/0/attributes/POSITION", 99, "UNRESOLVED_REFERENCE",
     "/meshes/0/primitives/0/attributes/POSITION", Of::mesh},
    {"PositionOfWrongType", &triangle, "/meshes/0/primitives/0/attributes/POSITION", "x", "INVALID_INDEX",
     "/meshes/0/primitives/0/attributes/POSITION", Of::mesh},
    {"NoPrimitives", &triangle, "/meshes/0/primitives", "absent", "UNDEFINED_PROPERTY", "/meshes/0", Of::mesh},
    {"PrimitivesEmpty", &triangle, "/meshes/0/primitives", Json::array(), "EMPTY_ENTITY", "/meshes/0/primitives", Of::mesh},
    {"IndexTooLarge", &skinned, "/accessors/0/count", 3, "MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT",
     "/meshes/0/primitives/0/attributes/JOINTS_0", Of::mesh},
    {"IndicesOfFloats", &skinned, "/meshes/0/primitives/0/indices", 2, "MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT",
     "/meshes/0/primitives/0/indices", Of::mesh},
    {"JointsOfFloats", &skinned, "/meshes/0/primitives/0/attributes/JOINTS_0", 2, "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT",
     "/meshes/0/primitives/0/attributes/JOINTS_0", Of::mesh},
    {"JointBeyondTheSkin",
     &skinned,
     "/skins/0/joints",
     {1},
     "ACCESSOR_JOINTS_INDEX_OOB",
     "/meshes/0/primitives/0/attributes/JOINTS_0",
     Of::node},
    {"JointMissing", &skinned, "/skins/0/joints/1", 50, "UNRESOLVED_REFERENCE", "/skins/0/joints/1", Of::skin},
    {"JointsEmpty", &skinned, "/skins/0/joints", Json::array(), "EMPTY_ENTITY", "/skins/0/joints", Of::skin},
    {"JointOfWrongType", &skinned, "/skins/0/joints/1", "x", "INVALID_INDEX", "/skins/0/joints/1", Of::skin},
    {"MatricesMissing", &skinned, "/skins/0/inverseBindMatrices", 50, "UNRESOLVED_REFERENCE", "/skins/0/inverseBindMatrices", Of::skin},
    {"MatricesOfVectors", &skinned, "/skins/0/inverseBindMatrices", 2, "SKIN_IBM_INVALID_FORMAT", "/skins/0/inverseBindMatrices", Of::skin},
    {"TooFewMatrices", &skinned, "/accessors/3/count", 1, "INVALID_IBM_ACCESSOR_COUNT", "/skins/0/inverseBindMatrices", Of::skin},
    {"MeshMissing", &triangle, "/nodes/0/mesh", 5, "UNRESOLVED_REFERENCE", "/nodes/0/mesh", Of::node},
    {"MeshNegative", &triangle, "/nodes/0/mesh", -1, "INVALID_INDEX", "/nodes/0/mesh", Of::node},
    {"SkinMissing", &skinned, "/nodes/0/skin", 5, "UNRESOLVED_REFERENCE", "/nodes/0/skin", Of::node},
    {"ChildMissing", &skinned, "/nodes/1/children/0", 9, "UNRESOLVED_REFERENCE", "/nodes/1/children/0", Of::node, 1},
    {"Cycle", &skinned, "/nodes/2/children", {1}, "NODE_LOOP", "/nodes/1", Of::node, 1},
    {"OwnChild", &skinned, "/nodes/0/children", {0}, "NODE_LOOP", "/nodes/0", Of::node, 0},
    {"TwoParents", &skinned, "/nodes/0/children", {2}, "NODE_PARENT_OVERRIDE", "/nodes/1/children/0", Of::node, 2},
    {"SceneRootMissing", &triangle, "/scenes/0/nodes/0", 3, "UNRESOLVED_REFERENCE", "/scenes/0/nodes/0", Of::scene},
    {"SceneMissing", &triangle, "/scene", 3, "UNRESOLVED_REFERENCE", "/scene", Of::scene, 1},
    {"TargetMissing", &animated, "/meshes/0/primitives/0/targets/0/POSITION", 99, "UNRESOLVED_REFERENCE",
     "/meshes/0/primitives/0/targets/0/POSITION", Of::mesh},
    {"TargetCount", &animated, "/accessors/2/count", 2, "MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT",
     "/meshes/0/primitives/0/targets/0/POSITION", Of::mesh},
    {"SparseCount", &animated, "/accessors/3/sparse/count", 4, "ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE", "/accessors/3/sparse/count", Of::mesh},
    {"SparseIndicesType", &animated, "/accessors/3/sparse/indices/componentType", 5126, "VALUE_NOT_IN_LIST",
     "/accessors/3/sparse/indices/componentType", Of::mesh},
    {"SparseView", &animated, "/accessors/3/sparse/values/bufferView", 44, "UNRESOLVED_REFERENCE", "/accessors/3/sparse/values/bufferView",
     Of::mesh},
    {"SparseOffset", &animated, "/accessors/3/sparse/values/byteOffset", 4, "ACCESSOR_TOO_LONG", "/accessors/3/sparse/values", Of::mesh},
    {"SamplerMissing", &animated, "/animations/0/channels/0/sampler", 9, "UNRESOLVED_REFERENCE", "/animations/0/channels/0/sampler",
     Of::clip},
    {"TargetNodeMissing", &animated, "/animations/0/channels/0/target/node", 9, "UNRESOLVED_REFERENCE",
     "/animations/0/channels/0/target/node", Of::clip},
    {"InputMissing", &animated, "/animations/0/samplers/0/input", 99, "UNRESOLVED_REFERENCE", "/animations/0/samplers/0/input", Of::clip},
    {"InputOfVectors", &animated, "/animations/0/samplers/0/input", 0, "ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT",
     "/animations/0/samplers/0/input", Of::clip},
    {"OutputOfWrongWidth", &animated, "/animations/0/samplers/0/output", 5, "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT",
     "/animations/0/channels/0/sampler", Of::clip},
    {"OutputTooShort", &animated, "/accessors/4/count", 2, "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT",
     "/animations/0/channels/0/sampler", Of::clip},
    {"NoChannels", &animated, "/animations/0/channels", "absent", "UNDEFINED_PROPERTY", "/animations/0", Of::clip},
    {"SkeletonRoot", &everything, "/extensions/STAIK_skeletons/skeletons/0/root", 77, "STAIK_ROOT_RANGE",
     "/extensions/STAIK_skeletons/skeletons/0/root", Of::skeleton},
    {"SkeletonJoint", &everything, "/extensions/STAIK_skeletons/skeletons/0/joints/1", 77, "STAIK_JOINT_RANGE",
     "/extensions/STAIK_skeletons/skeletons/0/joints/1", Of::skeleton},
};

INSTANTIATE_TEST_SUITE_P(Places, Defects, testing::ValuesIn(cases), [](const auto& one) { return std::string(one.param.name); });

void put(Builder& b, std::size_t view, std::size_t offset, auto value) {
  std::memcpy(b.bytes.data() + b.json["bufferViews"][view]["byteOffset"].get<std::size_t>() + offset, &value, sizeof value);
}

TEST(DefectsInData, AnIndexBeyondTheVertices) {
  Builder b = skinned();
  put(b, 4, 4, std::uint16_t{4});
  const Outcome outcome = b.read();
  EXPECT_THAT(outcome.defect(outcome->meshes[0]), IsError("ACCESSOR_INDEX_OOB", "/meshes/0/primitives/0/indices"));
  EXPECT_NE(outcome->defects[0].message.find("element 2 has the value 4"), std::string::npos) << outcome->defects[0].message;
}

TEST(DefectsInData, AnIndexThatRestartsThePrimitiveIsTooLarge) {
  Builder b = skinned();
  put(b, 4, 0, std::uint16_t{0xFFFF});
  const Outcome outcome = b.read();
  EXPECT_THAT(outcome.defect(outcome->meshes[0]), IsError("ACCESSOR_INDEX_OOB", "/meshes/0/primitives/0/indices"));
}

TEST(DefectsInData, AJointOfZeroWeightMustExistToo) {
  Builder b = skinned();
  put(b, 1, 3, std::uint8_t{2});
  const Outcome outcome = b.read();
  EXPECT_EQ(outcome->meshes[0].defect, none);
  EXPECT_THAT(outcome.defect(outcome->nodes[0]), IsError("ACCESSOR_JOINTS_INDEX_OOB", "/meshes/0/primitives/0/attributes/JOINTS_0"));
}

TEST(DefectsInData, OnlyTheNodeWhoseSkinIsTooSmallIsBroken) {
  Builder b = skinned();
  b.add("skins", {{"joints", {1}}});
  b.add("nodes", {{"mesh", 0}, {"skin", 1}});
  const Outcome outcome = b.read();
  EXPECT_EQ(outcome->nodes[0].defect, none);
  EXPECT_NE(outcome->nodes[3].defect, none);
}

TEST(DefectsInData, BindMatricesThatAreNotFinite) {
  Builder b = skinned();
  put(b, 3, 64, std::numeric_limits<float>::quiet_NaN());
  const Outcome outcome = b.read();
  EXPECT_THAT(outcome.defect(outcome->skins[0]), IsError("ACCESSOR_INVALID_FLOAT", "/accessors/3"));
}

TEST(DefectsInData, NodeMatricesThatAreNotFinite) {
  std::string text = triangle().text();
  text.replace(text.find("\"mesh\":0}"), 9, "\"mesh\":0,\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,1e999,0,1]}");
  const Outcome outcome = read_text(text);
  ASSERT_TRUE(outcome.model);
  EXPECT_THAT(outcome.defect(outcome->nodes[0]), IsError("VALUE_NOT_IN_RANGE", "/nodes/0/matrix/13"));
}

TEST(DefectsInData, KeysAtOneTimeAreAJump) {
  Builder b = animated();
  put(b, 1, 8, 1.0f);
  const Outcome outcome = b.read();
  EXPECT_EQ(outcome->clips[0].defect, none);
  EXPECT_FALSE(outcome->clips[0].tracks.empty());
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].code, "ACCESSOR_ANIMATION_INPUT_NON_INCREASING");
}

TEST(DefectsInData, KeysThatDescend) {
  for (const float key : {0.5f, std::numeric_limits<float>::quiet_NaN()}) {
    Builder b = animated();
    put(b, 1, 8, key);
    const Outcome outcome = b.read();
    const bool finite = key == key;
    const Error defect = outcome.defect(outcome->clips[0]);
    if (finite)
      EXPECT_THAT(defect, IsError("ACCESSOR_ANIMATION_INPUT_NON_INCREASING", "/animations/0/samplers/0/input"));
    else
      EXPECT_THAT(defect, IsError("ACCESSOR_INVALID_FLOAT", "/accessors/1"));
    EXPECT_TRUE(outcome->clips[0].tracks.empty());
  }
}

TEST(DefectsInData, AnimatedValuesThatAreNotFinite) {
  Builder b = animated();
  put(b, 5, 4, std::numeric_limits<float>::infinity());
  const Outcome outcome = b.read();
  EXPECT_THAT(outcome.defect(outcome->clips[0]), IsError("ACCESSOR_INVALID_FLOAT", "/accessors/4"));
}

TEST(DefectsInData, SparseIndicesThatDoNotAscendOrLieOutside) {
  Builder b = animated();
  put(b, 3, 2, std::uint16_t{0});
  EXPECT_THAT(b.read()->defects.at(0), IsError("ACCESSOR_SPARSE_INDICES_NON_INCREASING", "/accessors/3/sparse"));
  put(b, 3, 2, std::uint16_t{3});
  EXPECT_THAT(b.read()->defects.at(0), IsError("ACCESSOR_SPARSE_INDEX_OOB", "/accessors/3/sparse"));
}

TEST(DefectsInData, ZerosBeyondTheMemoryLimit) {
  Builder b = triangle();
  b.json["accessors"][0].erase("bufferView");
  b.json["accessors"][0]["count"] = 9007199254740992;
  Limits limits;
  limits.memory = 1 << 20;
  const Outcome outcome = b.read(limits);
  EXPECT_THAT(outcome.defect(outcome->meshes[0]), IsError("SINEW_MEMORY_LIMIT", "/accessors/0"));
  EXPECT_EQ(outcome->defects[0].failure, Failure::limit);
}

TEST(DefectsInData, NodesDeeperThanTheLimit) {
  Builder b;
  for (int i = 0; i < 10; ++i) b.add("nodes", i < 9 ? Json{{"children", {i + 1}}} : Json{{"name", "last"}});
  Limits limits;
  limits.node_depth = 9;
  const Outcome outcome = b.read(limits);
  EXPECT_THAT(outcome.defect(outcome->nodes[9]), IsError("SINEW_NODE_DEPTH_LIMIT", "/nodes/9"));
  EXPECT_EQ(outcome->nodes[9].parent, 8u);
  EXPECT_EQ(outcome->nodes[8].defect, none);
}

TEST(Defects, ANodeWithAMissingMeshStaysAnInstance) {
  Builder b = triangle();
  b.json["nodes"][0]["mesh"] = 5;
  const Outcome outcome = b.read();
  const auto list = need(instances(*outcome));
  ASSERT_EQ(list.size(), 1u);
  EXPECT_TRUE(closure_defect(*outcome));
}

TEST(Defects, TheFileIsNamed) {
  Builder b = triangle();
  b.json["nodes"][0]["mesh"] = 5;
  EXPECT_NE(b.read()->defects.at(0).place.file.find("model.gltf"), std::string::npos);
}

TEST(Refusals, WhatIsNoObjectAtAll) {
  const Outcome outcome = read_text("[1, 2]");
  ASSERT_FALSE(outcome.model);
  EXPECT_THAT(outcome.model.error(), IsError("TYPE_MISMATCH", ""));
}

TEST(Refusals, OtherMajorVersions) {
  const Outcome outcome = read_text(R"({"asset": {"version": "1.0"}})");
  ASSERT_FALSE(outcome.model);
  EXPECT_THAT(outcome.model.error(), IsError("UNKNOWN_ASSET_MAJOR_VERSION", "/asset/version"));
  EXPECT_EQ(outcome.model.error().failure, Failure::unsupported);
}

TEST(Refusals, RequiredExtensionsThatAreNotSupported) {
  for (const char* name : {"EXT_lights_ies", "MSFT_audio_emitter", "ACME_unknown"}) {
    Builder b = triangle();
    b.json["extensionsUsed"] = {name};
    const Outcome used = b.read();
    ASSERT_TRUE(used.model);
    EXPECT_THAT(used.findings, Contains(IsFinding("GLTF_EXTENSION_IGNORED", "/extensionsUsed/0")));
    b.json["extensionsRequired"] = {name};
    const Outcome required = b.read();
    ASSERT_FALSE(required.model);
    EXPECT_EQ(required.model.error().failure, Failure::unsupported);
    EXPECT_THAT(required.model.error(), IsError("GLTF_EXTENSION_UNSUPPORTED", "/extensionsRequired/0"));
    EXPECT_NE(required.model.error().message.find(name), std::string::npos);
  }
}

TEST(Refusals, NotForExtensionsThatAreAppliedOrCarried) {
  for (const char* name : {"KHR_mesh_quantization", "EXT_meshopt_compression", "KHR_meshopt_compression", "KHR_draco_mesh_compression",
                           "STAIK_skeletons", "KHR_materials_unlit", "KHR_materials_variants", "KHR_texture_transform", "EXT_texture_webp",
                           "KHR_lights_punctual", "KHR_xmp_json_ld", "VRM", "VRMC_vrm", "MSFT_lod"}) {
    Builder b = triangle();
    b.json["extensionsUsed"] = b.json["extensionsRequired"] = {name};
    const Outcome outcome = b.read();
    EXPECT_TRUE(outcome.model) << name;
    EXPECT_TRUE(outcome.findings.empty()) << name;
  }
}

}  // namespace
}  // namespace sinew::gltf::test
