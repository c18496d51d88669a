// SPDX-License-Identifier: MIT
#include "g4mf/revise/revise.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "document/json/json.hpp"
#include "g4mf/check/check.hpp"
#include "g4mf/revise/revise_binding.hpp"
#include "g4mf/revise/revise_nodes.hpp"
#include "g4mf/write/names.hpp"
#include "unit/g4mf/builder.hpp"

namespace sinew::g4mf::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::shared_ptr<const document::Document> open(const std::string& text) {
  const auto path = std::filesystem::temp_directory_path() / fmt::format("sinew-revise-{}.g4tf", ::getpid());
  std::ofstream(path, std::ios::binary) << text;
  FindingList ignored;
  auto document = document::open(path, {}, ignored);
  std::filesystem::remove(path);
  EXPECT_TRUE(document) << document.error().line();
  return *document;
}

struct Converted {
  Json json;
  Model model;
  std::vector<std::string> losses;
};
Converted revised(const Builder& builder, std::optional<Revision> to, GroupNames names = GroupNames::keep) {
  FindingList losses, found;
  auto done = revise(open(builder.text()), {to, names}, losses);
  EXPECT_TRUE(done) << done.error().line();
  ReadOptions options;
  options.revision = to;
  auto model = check(done->document, found, options);
  EXPECT_TRUE(model) << model.error().line();
  Converted result{Json::parse(done->document->json().text()), std::move(*model), {}};
  for (const Finding& loss : losses.list()) result.losses.push_back(fmt::format("{} {}", loss.code, loss.pointer));
  return result;
}

Builder rig_of_2025_08() {
  Builder b = arm();
  for (Json& accessor : b.json["accessors"]) {
    accessor["primitiveType"] = accessor["componentType"];
    accessor.erase("componentType");
  }
  for (Json& node : b.json["nodes"]) {
    if (node.contains("meshInstance")) node["mesh"] = node["meshInstance"]["mesh"];
    if (node.contains("bone")) node["boneLength"] = node["bone"].value("length", 0.0);
    node.erase("meshInstance");
    node.erase("bone");
  }
  return b;
}

TEST(Revise, ItsOwnRevisionIsTheDocumentItself) {
  FindingList losses;
  const auto document = open(arm().text());
  const auto done = revise(document, {}, losses);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->document, document);
  EXPECT_EQ(done->revision, Revision::r2026_01);
  EXPECT_THAT(losses.list(), IsEmpty());
}

TEST(Revise, FarRevisionsAreTwoSteps) {
  const Converted newest = revised(rig_of_2025_08(), Revision::r2026_07);
  EXPECT_EQ(newest.model.revision, "2026-07");
  EXPECT_THAT(newest.losses, IsEmpty());
  const Outcome old = rig_of_2025_08().read();
  ASSERT_EQ(newest.model.skins.size(), 1u);
  EXPECT_EQ(newest.model.skins[0].slots, old->skins[0].slots);
  EXPECT_EQ(newest.model.meshes[0].blocks[0].influences.slots.read<std::uint32_t>(),
            old->meshes[0].blocks[0].influences.slots.read<std::uint32_t>());
}

TEST(Revise, ValuesOfCornersBecomeABinding) {
  Builder b = simplex(3);
  b.json["meshes"][0]["surfaces"][0]["normals"] = b.accessor<float>({0, 0, 1, 0, 1, 0, 1, 0, 0}, 3);
  const Converted newest = revised(b, Revision::r2026_07);
  const Json binding = newest.json["meshes"][0]["surfaces"][0]["normals"];
  EXPECT_EQ(binding["values"], b.json["meshes"][0]["surfaces"][0]["normals"]);
  EXPECT_EQ(newest.json["accessors"][binding["simplexes"].get<std::size_t>()]["vectorSize"], 3);
  const Attribute& normals = newest.model.meshes[0].surfaces[0].attributes.at(0);
  EXPECT_THAT(normals.index.read<std::uint32_t>(), ElementsAre(0, 1, 2));
  EXPECT_THAT(newest.json["buffers"], SizeIs(2));
}

TEST(Revise, OnlyNewlyForbiddenCharactersOfNamesGo) {
  Builder b = simplex(3);
  b.json["nodes"][0]["name"] = "a.b#c";
  b.json["nodes"][1]["name"] = "a.b_c";
  b.json["nodes"][1]["extensions"]["X_y"]["name"] = "a#";
  const Converted newest = revised(b, Revision::r2026_07);
  EXPECT_EQ(newest.json["nodes"][0]["name"], "a.b_c_2");
  EXPECT_EQ(newest.json["nodes"][0]["extras"]["originalName"], "a.b#c");
  EXPECT_EQ(newest.json["nodes"][1]["name"], "a.b_c");
  EXPECT_EQ(newest.json["nodes"][1]["extensions"]["X_y"]["name"], "a#");
  EXPECT_THAT(newest.losses, ElementsAre("SINEW_REVISE_NAME /nodes/0/name"));
}

TEST(Revise, AMeshThatCannotBeReadIsRefused) {
  Builder b = simplex(3);
  b.json["meshes"][0]["vertices"] = 7;
  FindingList losses;
  const auto done = revise(open(b.text()), {Revision::r2026_07, GroupNames::keep}, losses);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, "G4MF_MESH_VERTICES_RANGE");
  EXPECT_EQ(done.error().place.pointer, "/meshes/0/vertices");
}

TEST(Revise, ABufferWithoutAUriInATextIsNotLookedForInAChunk) {
  Builder b = simplex(3);
  Json json = Json::parse(b.text());
  json["buffers"][0].erase("uri");
  FindingList losses;
  const auto done = revise(open(json.dump()), {Revision::r2026_07, GroupNames::keep}, losses);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, "G4MF_BUFFER_NO_URI_TEXT");
}

TEST(Reviser, EqualArraysAreAddedOnce) {
  const auto document = open(simplex(3).text());
  FindingList losses;
  Reviser reviser(*document, Revision::r2026_01, Revision::r2026_07, losses);
  ASSERT_TRUE(reviser.begin());
  const auto first = reviser.add({1, 2, 3});
  EXPECT_EQ(*first, 2u);
  EXPECT_EQ(*reviser.add({1, 2, 4}), 3u);
  EXPECT_EQ(*reviser.add({1, 2, 3}), *first);
  EXPECT_EQ(*reviser.add({1, 2, 3}, 3), 4u);
  const auto done = reviser.finish();
  ASSERT_TRUE(done);
  const Json json = Json::parse((*done)->json().text());
  EXPECT_EQ(json["buffers"].back(), Json({{"byteLength", 36}, {"chunk", 1}}));
  EXPECT_EQ((*done)->chunk_list().back().data.view.size(), 36u);
}

TEST(Reviser, SignedNumbersAreDeclaredUnsigned) {
  Builder b = simplex(3);
  const std::size_t accessor = b.accessor<std::int16_t>({1, 2});
  const auto document = open(b.text());
  FindingList losses;
  Reviser reviser(*document, Revision::r2026_01, Revision::r2026_07, losses);
  ASSERT_TRUE(reviser.begin());
  const auto added = reviser.as_unsigned(static_cast<Index>(accessor));
  EXPECT_EQ(*added, accessor + 1);
  EXPECT_EQ(*reviser.as_unsigned(static_cast<Index>(accessor)), *added);
  EXPECT_EQ(*reviser.as_unsigned(1), 1u);
  const auto done = reviser.finish();
  const Json json = Json::parse((*done)->json().text());
  EXPECT_EQ(json["accessors"][*added], Json({{"bufferView", json["accessors"][accessor]["bufferView"]}, {"componentType", "uint16"}}));
}

TEST(Joined, ArraysOfOneTypeStayAsStoredOthersAreWidened) {
  const Array a = Array::own(std::vector<float>{1, 2}, 2), b = Array::own(std::vector<double>{3, 4}, 2);
  EXPECT_EQ(joined({a, a}).type(), ComponentType::float32);
  EXPECT_EQ(joined({a, b}).type(), ComponentType::float64);
  EXPECT_THAT(joined({a, b}).read<double>(), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(joined({a, b}).width(), 2u);
}

TEST(Names, ANameIsTakenOnce) {
  const auto document = open(R"({"asset": {"dimension": 3}, "nodes": [{"name": "A", "extras": {"name": "B"}}]})");
  Names names(document->json().root());
  EXPECT_EQ(names.take("A"), "A_2");
  EXPECT_EQ(names.take("A"), "A_3");
  EXPECT_EQ(names.take("B"), "B");
}

TEST(AtPointer, StepsAreUnescaped) {
  const auto document = open(R"({"asset": {"dimension": 3}, "a/b": [0, {"~": 5}]})");
  JsonEdit root(document->json().root());
  EXPECT_EQ(at_pointer(root, "/a~1b/1/~0")->text(), "5");
  EXPECT_EQ(at_pointer(root, ""), &root);
  EXPECT_EQ(at_pointer(root, "/a~1b/2"), nullptr);
  EXPECT_EQ(at_pointer(root, "/asset/dimension/x"), nullptr);
}

TEST(NodeTree, AChildHasTheFirstParentThatNamesIt) {
  const auto document = open(R"({"asset": {"dimension": 3}, "nodes": [{"children": [1, 9]}, {"children": [2, 0], "skeleton": {}},
                                 {"bone": {}}, {"children": [2], "boneLength": -1}]})");
  const NodeTree tree(document::list_of(document->json().root()["nodes"]));
  EXPECT_THAT(tree.parents, ElementsAre(none, 0, 1, none));
  EXPECT_THAT(tree.children[1], ElementsAre(2));
  EXPECT_THAT(tree.bones, ElementsAre(false, false, true, false));
}

}  // namespace
}  // namespace sinew::g4mf::test
