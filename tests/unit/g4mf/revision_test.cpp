// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "unit/g4mf/builder.hpp"

namespace sinew::g4mf::test::revision_test {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

void rename(Json& object, const char* from, const char* to) {
  if (!object.contains(from)) return;
  object[to] = object[from];
  object.erase(from);
}

/// The arm, skinned over simplexes, under the names of 2026-01.
Builder rig() {
  Builder b = arm();
  b.json["meshes"][0]["surfaces"][0]["simplexes"] = b.accessor<std::uint8_t>({0, 1, 2, 0}, 4);
  b.json["meshes"][0]["surfaces"][0]["polytopeSimplexes"] = true;
  return b;
}
Builder rig_of_2025_08() {
  Builder b = rig();
  for (Json& accessor : b.json["accessors"]) rename(accessor, "componentType", "primitiveType");
  rename(b.json["meshes"][0]["surfaces"][0], "simplexes", "cells");
  rename(b.json["meshes"][0]["surfaces"][0], "polytopeSimplexes", "polytopeCells");
  for (Json& node : b.json["nodes"]) {
    if (node.contains("meshInstance")) node["mesh"] = node["meshInstance"]["mesh"];
    if (node.contains("bone")) node["boneLength"] = node["bone"]["length"];
    node.erase("meshInstance");
    node.erase("bone");
  }
  return b;
}
Builder rig_of_2026_07() {
  Builder b = rig();
  b.json["files"] = Json::array();
  return b;
}

std::string text(const Array& array) { return fmt::format("{}: {}", array.width(), fmt::join(array.read<double>(), " ")); }

/// Everything of a model that a rig uses, except its revision.
std::string summary(const Model& model) {
  Json out;
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    const Node& node = model.nodes[i];
    const auto& position = model.rest_pose.locals[i].translation;
    out["nodes"].push_back({node.name, node.parent, node.children, node.mesh, node.skin, node.visible,
                            node.bone ? node.bone->length.value_or(-1) : -2, std::vector<double>(position.begin(), position.end())});
  }
  for (const Mesh& mesh : model.meshes) {
    const VertexBlock& block = mesh.blocks.at(0);
    const Surface& surface = mesh.surfaces.at(0);
    out["meshes"].push_back({mesh.name, text(block.attributes.at(0).values), block.influences.first, text(block.influences.slots),
                             text(block.influences.weights), static_cast<int>(surface.primitive), text(surface.elements),
                             text(surface.edges), surface.polytope_simplexes, mesh.group_names});
  }
  for (const Skin& skin : model.skins) out["skins"].push_back({skin.slots, skin.frame, static_cast<int>(skin.bind)});
  for (const Skeleton& skeleton : model.skeletons) out["skeletons"].push_back({skeleton.node, skeleton.joints});
  return out.dump();
}

TEST(Revision, AllThreeGiveTheSameModel) {
  const Outcome first = rig_of_2025_08().read(), second = rig().read(), third = rig_of_2026_07().read();
  EXPECT_THAT(first.findings, IsEmpty());
  EXPECT_THAT(second.findings, IsEmpty());
  EXPECT_THAT(third.findings, IsEmpty());
  EXPECT_EQ(first->revision, "2025-08");
  EXPECT_EQ(second->revision, "2026-01");
  EXPECT_EQ(third->revision, "2026-07");
  EXPECT_EQ(summary(*first), summary(*second));
  EXPECT_EQ(summary(*third), summary(*second));
  EXPECT_EQ(first->skins.size(), 1U);
}

TEST(Revision, IsTheNewestOfAMixture) {
  Builder b = rig();
  b.json["accessors"][0]["primitiveType"] = b.json["accessors"][0]["componentType"];
  b.json["accessors"][0].erase("componentType");
  b.json["nodes"][4]["boneLength"] = 1;
  b.json["nodes"][4].erase("bone");
  const Outcome outcome = b.read();
  EXPECT_EQ(outcome->revision, "2026-01");
  EXPECT_EQ(summary(*outcome), summary(*rig().read()));
  EXPECT_THAT(outcome.findings,
              UnorderedElementsAre(IsFinding("G4MF_JSON_OLD_PROPERTY", "/accessors/0/primitiveType"),
                                   IsFinding("G4MF_JSON_OLD_PROPERTY", "/nodes/4/boneLength"), IsFinding("G4MF_JSON_MIXED_REVISIONS", "")));
  const auto message = [&](std::size_t place) { return outcome.findings[place].message; };
  EXPECT_THAT((std::vector{message(0), message(1)}),
              UnorderedElementsAre("\"primitiveType\" is from before revision 2026-01; use \"componentType\"",
                                   "\"boneLength\" is from before revision 2026-01; use \"bone\""));
}

// Objects without a successor of the same name have one of another name or type.
TEST(Revision, OldPropertiesNameTheirSuccessor) {
  Builder b = rig();
  b.json["files"] = Json::array();
  b.json["models"] = Json::array();
  b.json["nodes"][4]["boneLength"] = 1;
  b.json["meshes"][0]["surfaces"][0]["normals"] = 0;
  std::vector<std::string> messages;
  const Outcome outcome = b.read();
  for (const Finding& finding : outcome.findings)
    if (finding.code == "G4MF_JSON_OLD_PROPERTY") messages.push_back(finding.message);
  EXPECT_THAT(messages, UnorderedElementsAre("\"models\" is from before revision 2026-07; use \"files\"",
                                             "\"boneLength\" is from before revision 2026-07; use \"bone\"",
                                             "\"normals\" is from before revision 2026-07; its value is now an object"));
}

TEST(Revision, CanBeTold) {
  const auto of = [](Json json) {
    json["asset"]["dimension"] = 3;
    return read_text(json.dump())->revision;
  };
  EXPECT_EQ(of(Json::object()), "2026-01");
  EXPECT_EQ(of({{"nodes", {Json::object()}}}), "2026-01");
  EXPECT_EQ(of({{"models", Json::array()}}), "2026-01");
  EXPECT_EQ(of({{"lights", Json::array()}}), "2025-08");
  EXPECT_EQ(of({{"lights", Json::array()}, {"models", Json::array()}}), "2025-08");
  EXPECT_EQ(of({{"files", Json::array()}, {"lights", Json::array()}}), "2026-07");
  EXPECT_EQ(of({{"nodes", {{{"light", 0}}}}}), "2025-08");
  EXPECT_EQ(of({{"nodes", {{{"light", Json::object()}}}}}), "2026-01");
  EXPECT_EQ(of({{"materials", {{{"baseColor", {{"elementMap", {{"values", 0}}}}}}}}}), "2026-07");
  EXPECT_EQ(of({{"materials", {{{"baseColor", {{"perCell", 0}}}}}}}), "2025-08");
  EXPECT_EQ(of({{"extras", {{"files", 1}}}}), "2026-01");
  How how;
  how.options.revision = Revision::r2025_08;
  EXPECT_EQ(rig().read(how)->revision, "2025-08");
}

TEST(Revision, DecidesWhichRulesApply) {
  Builder broken = rig_of_2025_08();
  broken.json["nodes"][3].erase("boneLength");
  How all;
  all.check = true;
  EXPECT_THAT(broken.read(all).findings, Contains(IsFinding("G4MF_BONE_CHAIN_BROKEN", "/nodes/4/boneLength")));
  Builder unsorted = rig_of_2025_08();
  unsorted.json["nodes"][1]["skeleton"]["joints"] = {4, 3};
  EXPECT_THAT(unsorted.read(all).findings,
              testing::Not(Contains(IsFinding("G4MF_SKELETON_JOINTS_NOT_INCREASING", "/nodes/1/skeleton/joints"))));
  Builder negative = rig_of_2025_08();
  negative.json["nodes"][2]["boneLength"] = -1;
  EXPECT_THAT(negative.read().findings, Contains(IsFinding("G4MF_BONE_LENGTH_DEFAULT_WRITTEN", "/nodes/2/boneLength")));
  EXPECT_FALSE(negative.read()->nodes[2].bone);
  Builder several = rig();
  several.json["nodes"][3]["camera"] = Json::object();
  EXPECT_THAT(several.read().findings, ElementsAre(IsFinding("G4MF_NODE_COMPONENTS_EXCLUSIVE", "/nodes/3")));
}

}  // namespace
}  // namespace sinew::g4mf::test::revision_test
