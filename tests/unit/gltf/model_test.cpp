// SPDX-License-Identifier: MIT
// The contents of the model after reading valid files.
#include <cmath>

#include "base/guard.hpp"
#include "gltf/schema/source.hpp"
#include "unit/gltf/builder.hpp"

namespace sinew::gltf::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

void expect_clean(const Outcome& outcome) {
  ASSERT_TRUE(outcome.model);
  for (const Finding& finding : outcome.findings) ADD_FAILURE() << finding.pointer << ": " << finding.message;
  EXPECT_TRUE(outcome->defects.empty());
}

TEST(Mesh, EveryModeHasItsPrimitive) {
  const Primitive expected[] = {Primitive::points,    Primitive::lines,         Primitive::line_loop,  Primitive::line_strip,
                                Primitive::simplexes, Primitive::simplex_strip, Primitive::simplex_fan};
  for (int mode = 0; mode < 7; ++mode) {
    Builder b = triangle();
    b.json["meshes"][0]["primitives"][0]["mode"] = mode;
    EXPECT_EQ(b.read()->meshes[0].surfaces[0].primitive, expected[mode]);
  }
  EXPECT_EQ(triangle().read()->meshes[0].surfaces[0].primitive, Primitive::simplexes);
}

template <class T>
class EveryIndexType : public testing::Test {};
using IndexTypes = testing::Types<std::uint8_t, std::uint16_t, std::uint32_t>;
TYPED_TEST_SUITE(EveryIndexType, IndexTypes);

TYPED_TEST(EveryIndexType, IsKeptAsStored) {
  Builder b = triangle();
  b.json["meshes"][0]["primitives"][0]["indices"] = b.accessor<TypeParam>({2, 1, 0}, "SCALAR");
  const Outcome outcome = b.read();
  expect_clean(outcome);
  const Surface& surface = outcome->meshes[0].surfaces[0];
  EXPECT_TRUE(surface.indexed);
  EXPECT_EQ(surface.elements.type(), component_type_of<TypeParam>);
  EXPECT_THAT(surface.elements.template read<std::uint32_t>(), ElementsAre(2, 1, 0));
}

TEST(Mesh, EachPrimitiveHasABlockOfItsOwn) {
  Builder b = triangle();
  auto& primitives = b.json["meshes"][0]["primitives"];
  primitives.push_back({{"attributes", {{"POSITION", b.accessor<float>(std::vector<float>(6), "VEC3")}}}, {"mode", 1}});
  const Outcome outcome = b.read();
  const Mesh& mesh = outcome->meshes[0];
  ASSERT_EQ(mesh.blocks.size(), 2u);
  EXPECT_EQ(mesh.blocks[1].vertices, 2u);
  EXPECT_EQ(mesh.surfaces[1].block, 1u);
}

TEST(Mesh, AttributesKeepTheirSetsAndNames) {
  Builder b = triangle();
  auto& attributes = b.json["meshes"][0]["primitives"][0]["attributes"];
  const auto uv = b.accessor<float>(std::vector<float>(6), "VEC2");
  const auto color = b.accessor<std::uint8_t>(std::vector<std::uint8_t>(12), "VEC4");
  b.json["meshes"][0]["primitives"][0]["attributes"] = {{"TEXCOORD_12", uv}, {"POSITION", 0}, {"COLOR_0", color}, {"_HEAT", uv}};
  static_cast<void>(attributes);
  const Outcome outcome = b.read();
  const auto& list = outcome->meshes[0].blocks[0].attributes;
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(list[0].semantic, Semantic::position);  // first, wherever the file has it
  EXPECT_EQ(list[1].semantic, Semantic::texcoord);
  EXPECT_EQ(list[1].set, 12u);
  EXPECT_EQ(list[2].semantic, Semantic::color);
  EXPECT_EQ(list[3].custom, "_HEAT");
}

TEST(Mesh, NamesWithLeadingZerosOrHugeNumbersAreCustom) {
  for (const char* name : {"TEXCOORD_01", "TEXCOORD_", "TEXCOORD_4294967295", "TEXCOORD_99999999999", "TEXCOORD_-1", "MYSTERY"}) {
    Builder b = triangle();
    b.json["meshes"][0]["primitives"][0]["attributes"][name] = b.accessor<float>(std::vector<float>(6), "VEC2");
    const Outcome outcome = b.read();
    EXPECT_EQ(outcome->meshes[0].blocks[0].attributes.at(1).custom, name);
    EXPECT_THAT(outcome.findings,
                testing::Contains(IsFinding("MESH_PRIMITIVE_INVALID_ATTRIBUTE", std::string("/meshes/0/primitives/0/attributes/") + name)));
  }
}

TEST(Mesh, InfluencesComeInSetsInAscendingOrder) {
  Builder b = skinned();
  auto& attributes = b.json["meshes"][0]["primitives"][0]["attributes"];
  const auto joints = b.accessor<std::uint16_t>({1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC4");
  const auto weights = b.accessor<std::uint8_t>(std::vector<std::uint8_t>(16, 255), "VEC4");
  b.json["accessors"][weights]["normalized"] = true;
  const std::size_t first_joints = attributes["JOINTS_0"], first_weights = attributes["WEIGHTS_0"];
  attributes = {{"POSITION", 0}, {"WEIGHTS_1", first_weights}, {"JOINTS_1", first_joints}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}};
  const Outcome outcome = b.read();
  expect_clean(outcome);
  const auto& sets = outcome->meshes[0].blocks[0].influences.sets;
  ASSERT_EQ(sets.size(), 2u);
  EXPECT_EQ(sets[0].joints.type(), ComponentType::uint16);
  EXPECT_EQ(sets[0].weights.read<double>()[0], 1);
  EXPECT_EQ(sets[1].joints.type(), ComponentType::uint8);
}

TEST(Mesh, QuantisedPositionsAndTargetsAreDecodedAsStored) {
  Builder b;
  b.json["extensionsUsed"] = b.json["extensionsRequired"] = {"KHR_mesh_quantization"};
  const std::vector<std::int16_t> rows = {1, -2, 3, 0, 32767, 0, 0, 0};
  const auto position = b.accessor_of(b.view(rows, 8), 5122, 2, "VEC3");
  b.json["accessors"][position]["min"] = b.json["accessors"][position]["max"] = {0, 0, 0};
  const auto normal = b.accessor_of(b.view<std::int8_t>({0, 0, 127, 0, 127, 0, 0, 0}, 4), 5120, 2, "VEC3");
  b.json["accessors"][normal]["normalized"] = true;
  b.add("meshes",
        {{"primitives", {{{"attributes", {{"POSITION", position}, {"NORMAL", normal}}}, {"targets", {{{"POSITION", position}}}}}}}});
  const Outcome outcome = b.read();
  expect_clean(outcome);
  const auto& attributes = outcome->meshes[0].blocks[0].attributes;
  EXPECT_THAT(attributes[0].values.read<double>(), ElementsAre(1, -2, 3, 32767, 0, 0));
  EXPECT_THAT(attributes[1].values.read<double>(), ElementsAre(0, 0, 1, 1, 0, 0));
  EXPECT_THAT(attributes[0].offsets.at(0).values.read<double>(), ElementsAre(1, -2, 3, 32767, 0, 0));
}

TEST(Mesh, SparseTargetsStaySparse) {
  const Outcome outcome = animated().read();
  expect_clean(outcome);
  const Mesh& mesh = outcome->meshes[0];
  const auto& offsets = mesh.blocks[0].attributes[0].offsets;
  ASSERT_EQ(offsets.size(), 2u);
  EXPECT_FALSE(offsets[0].sparse());
  EXPECT_TRUE(offsets[1].sparse());
  EXPECT_THAT(offsets[1].indices.read<std::uint32_t>(), ElementsAre(0, 2));
  EXPECT_THAT(offsets[1].values.read<double>(), ElementsAre(0, 5, 0, 0, 7, 0));
  ASSERT_EQ(mesh.shapes.size(), 2u);
  EXPECT_EQ(mesh.shapes[0].name, "up");
  EXPECT_EQ(mesh.shapes[1].name, "side");
  EXPECT_EQ(mesh.shapes[1].amount, 0.5);
}

TEST(Mesh, ATargetWithoutPositionsIsATarget) {
  Builder b = animated();
  const auto normal = b.accessor<float>({0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3");
  auto& primitive = b.json["meshes"][0]["primitives"][0];
  primitive["attributes"]["NORMAL"] = normal;
  primitive["targets"][0] = {{"NORMAL", normal}};
  const Outcome outcome = b.read();
  expect_clean(outcome);
  const auto& attributes = outcome->meshes[0].blocks[0].attributes;
  EXPECT_EQ(attributes[0].offsets.at(0).shape, 1u);
  EXPECT_EQ(attributes[1].offsets.at(0).shape, 0u);
}

TEST(Mesh, ATangentsOffsetsHaveThreeComponents) {
  Builder b = animated();
  auto& primitive = b.json["meshes"][0]["primitives"][0];
  primitive["attributes"]["TANGENT"] = b.accessor<float>({1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, -1}, "VEC4");
  primitive["targets"][0]["TANGENT"] = b.accessor<float>(std::vector<float>(9), "VEC3");
  const Outcome outcome = b.read();
  expect_clean(outcome);
  EXPECT_EQ(outcome->meshes[0].blocks[0].attributes[1].offsets.at(0).values.width(), 3u);
}

TEST(Node, TransformsAreKeptAsTheFileSaysThem) {
  Builder b;
  b.add("nodes", {{"rotation", {0.1, 0.2, 0.3, 0.9}}, {"translation", {1, 2, 3}}});
  b.add("nodes", {{"matrix", {1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 10, 11, 12, 1}}});
  b.add("nodes", {{"scale", {2, 0, -1}}});
  const Outcome outcome = b.read();
  expect_clean(outcome);
  const auto& locals = outcome->rest_pose.locals;
  EXPECT_THAT(locals[0].rotor, ElementsAre(0.9, 0.3, -0.2, 0.1));  // not normalised
  EXPECT_THAT(locals[0].translation, ElementsAre(1, 2, 3));
  EXPECT_THAT(locals[0].scale, IsEmpty());
  EXPECT_THAT(locals[0].basis, IsEmpty());
  EXPECT_THAT(locals[1].basis, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9));
  EXPECT_THAT(locals[1].translation, ElementsAre(10, 11, 12));
  EXPECT_THAT(locals[2].scale, ElementsAre(2, 0, -1));
}

TEST(Node, WeightsReplaceThoseOfTheMesh) {
  Builder b = animated();
  b.add("nodes", {{"mesh", 0}, {"weights", {0, 1}}});
  const Outcome outcome = b.read();
  expect_clean(outcome);
  EXPECT_THAT(outcome->rest_pose.amounts, ElementsAre(ElementsAre(0.25, 0.5), ElementsAre(0, 1)));
}

TEST(Node, MayBeHidden) {
  Builder b = triangle();
  b.json["nodes"][0]["extensions"]["KHR_node_visibility"]["visible"] = false;
  EXPECT_FALSE(b.read()->nodes[0].visible);
  b.json["nodes"][0]["extensions"]["KHR_node_visibility"] = Json::object();
  EXPECT_TRUE(b.read()->nodes[0].visible);
}

TEST(Skin, HasMatricesOrIdentities) {
  Builder b = skinned();
  const Outcome with = b.read();
  expect_clean(with);
  EXPECT_EQ(with->skins[0].bind, Skin::Bind::matrices);
  EXPECT_EQ(with->skins[0].joint_from_mesh.at(1).translation(1), -1);
  EXPECT_THAT(with->skins[0].slots, ElementsAre(1, 2));
  b.json["skins"][0].erase("inverseBindMatrices");
  const Outcome without = b.read();
  EXPECT_EQ(without->skins[0].bind, Skin::Bind::identity);
  EXPECT_THAT(without->skins[0].joint_from_mesh, IsEmpty());
}

TEST(Skin, OfAnExplicitSkeletonWithoutMatricesIsBoundToTheStoredPose) {
  Builder b = everything();
  b.json["skins"][0].erase("inverseBindMatrices");
  b.add("nodes", {{"children", {2}}});
  b.json["scenes"][0]["nodes"] = {0, 1, 4};
  const Outcome outcome = b.read();
  EXPECT_EQ(outcome->skins[0].bind, Skin::Bind::stored_pose);
  EXPECT_EQ(outcome->skins[0].frame, 4u);  // the parent of the skeleton's root
  EXPECT_THAT(outcome.findings, testing::Contains(IsFinding("STAIK_SKIN_IBM_MISSING", "/skins/0")));
}

TEST(Skeleton, IsReadFromItsExtension) {
  const Outcome outcome = everything().read();
  ASSERT_EQ(outcome->skeletons.size(), 1u);
  EXPECT_EQ(outcome->skeletons[0].root, 2u);
  EXPECT_THAT(outcome->skeletons[0].joints, ElementsAre(2, 3));
  EXPECT_EQ(outcome->skeletons[0].joint_from_mesh.size(), 2u);
  EXPECT_EQ(outcome->skins[0].bind, Skin::Bind::matrices);  // its own matrices count
}

TEST(Scene, IsTheChosenOneElseTheFirstElseNone) {
  Builder b = triangle();
  b.add("scenes", {{"name", "second"}});
  EXPECT_EQ(b.read()->default_scene, 0u);
  b.json["scene"] = 1;
  EXPECT_EQ(b.read()->default_scene, 1u);
  b.json.erase("scene");
  b.json.erase("scenes");
  EXPECT_EQ(b.read()->default_scene, none);
  EXPECT_EQ(need(instances(*b.read())).size(), 1u);
}

TEST(Animation, TracksHoldWhatTheirChannelsSay) {
  const Outcome outcome = animated().read();
  expect_clean(outcome);
  const Clip& clip = outcome->clips.at(0);
  EXPECT_EQ(clip.name, "all");
  EXPECT_EQ(clip.duration, 2);
  ASSERT_EQ(clip.tracks.size(), 4u);
  EXPECT_EQ(clip.tracks[0].path, TrackPath::translation);
  EXPECT_EQ(clip.tracks[0].interpolation, Interpolation::linear);
  EXPECT_TRUE(clip.tracks[1].quaternions);
  EXPECT_EQ(clip.tracks[1].interpolation, Interpolation::step);
  EXPECT_EQ(clip.tracks[1].values.read<double>()[6], 1);  // quantised
  EXPECT_EQ(clip.tracks[2].interpolation, Interpolation::cubic_spline);
  EXPECT_EQ(clip.tracks[2].values.size(), 9u);
  EXPECT_EQ(clip.tracks[3].path, TrackPath::amounts);
  EXPECT_EQ(clip.tracks[3].values.size(), 6u);
}

TEST(Animation, ChannelsWithoutNodeAreIgnoredAndDoNotCountForTheDuration) {
  Builder b = animated();
  auto& clip = b.json["animations"][0];
  const auto late = b.accessor<float>({0, 1, 50}, "SCALAR");
  clip["samplers"].push_back({{"input", late}, {"output", 4}});
  clip["channels"].push_back({{"sampler", 4}, {"target", {{"path", "translation"}}}});
  const Outcome ignored = b.read();
  EXPECT_EQ(ignored->clips[0].tracks.size(), 4u);
  EXPECT_EQ(ignored->clips[0].duration, 2);
  clip["channels"][4]["target"]["node"] = 0;
  EXPECT_EQ(b.read()->clips[0].duration, 50);
}

TEST(Animation, ChannelsOfUnknownPathsAreIgnored) {
  Builder b = animated();
  b.json["animations"][0]["channels"][0]["target"]["path"] = "pointer";
  const Outcome outcome = b.read();
  EXPECT_EQ(outcome->clips[0].defect, none);
  EXPECT_EQ(outcome->clips[0].tracks.size(), 3u);
}

TEST(Model, NamesAndSourcesLeadBackToTheFile) {
  Builder b = everything();
  b.json["asset"]["generator"] = "by hand";
  b.json["nodes"][1]["name"] = "n\u00e9e";
  const Outcome outcome = b.read();
  EXPECT_EQ(outcome->format, "glTF");
  EXPECT_EQ(outcome->revision, "2.0");
  EXPECT_EQ(outcome->generator, "by hand");
  EXPECT_EQ(outcome->nodes[1].name, "n\u00e9e");
  EXPECT_EQ(outcome->materials.at(0).name, "red");
  const auto pointer = [&](const Entity& entity) { return outcome->source->pointer(entity.source); };
  EXPECT_EQ(pointer(outcome->nodes[1]), "/nodes/1");
  EXPECT_EQ(pointer(outcome->meshes[1]), "/meshes/1");
  EXPECT_EQ(pointer(outcome->meshes[1].surfaces[0]), "/meshes/1/primitives/0");
  EXPECT_EQ(pointer(outcome->meshes[0].shapes[1]), "/meshes/0/primitives/0/targets/1");
  EXPECT_EQ(pointer(outcome->skins[0]), "/skins/0");
  EXPECT_EQ(pointer(outcome->clips[0]), "/animations/0");
  EXPECT_EQ(pointer(outcome->scenes[0]), "/scenes/0");
  EXPECT_EQ(pointer(outcome->materials[0]), "/materials/0");
  EXPECT_EQ(pointer(outcome->skeletons[0]), "/extensions/STAIK_skeletons/skeletons/0");
  EXPECT_EQ(outcome->source->pointer(outcome->clips[0].tracks[2].source), "/animations/0/channels/2");
  const auto& source = dynamic_cast<const Source&>(*outcome->source);
  EXPECT_EQ(source.value(outcome->materials[0].source).text(), R"({"name":"red"})");
}

}  // namespace
}  // namespace sinew::gltf::test
