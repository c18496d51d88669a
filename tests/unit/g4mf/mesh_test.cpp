// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include "base/guard.hpp"
#include "unit/g4mf/builder.hpp"

namespace sinew::g4mf::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::vector<double> numbers(const Array& array) { return array.read<double>(); }

TEST(Mesh, VerticesOfAnotherSizeAreCutOrFilled) {
  Builder b(4);
  b.accessor<std::int16_t>({1, 2, 3, 4, 5, 6}, 3);
  b.add("meshes", {{"vertices", 0}, {"surfaces", {Json::object()}}});
  b.add_node({{"meshInstance", {{"mesh", 0}}}});
  const Outcome filled = b.read();
  EXPECT_THAT(numbers(filled->meshes[0].blocks[0].attributes[0].values), ElementsAre(1, 2, 3, 0, 4, 5, 6, 0));
  EXPECT_THAT(filled.findings, ElementsAre(IsFinding("G4MF_MESH_VERTICES_NOT_FLOAT", "/meshes/0/vertices"),
                                           IsFinding("G4MF_MESH_VERTICES_VECTOR_SIZE", "/meshes/0/vertices")));
  EXPECT_EQ(filled.findings[1].severity, Severity::warning);
  b.json["asset"]["dimension"] = 2;
  EXPECT_THAT(numbers(b.read()->meshes[0].blocks[0].attributes[0].values), ElementsAre(1, 2, 4, 5));
  b.json["meshes"][0]["surfaces"][0]["simplexes"] = b.accessor<std::uint8_t>({0, 1, 1}, 3);
  EXPECT_EQ(b.read().findings[1].severity, Severity::warning);
  EXPECT_TRUE(b.read()->defects.empty());
}

TEST(Surface, IndicesMustBeInRangeAndNotNegative) {
  const auto defect = [](const char* row, std::size_t width, const auto& values) {
    Builder b = simplex(3);
    b.json["meshes"][0]["surfaces"][0][row] = b.accessor(values, width);
    const Outcome outcome = b.read();
    return outcome.defect(outcome->meshes[0]).code;
  };
  using Signed = std::vector<std::int32_t>;
  EXPECT_EQ(defect("simplexes", 3, Signed{0, 1, 2}), "");
  EXPECT_EQ(defect("simplexes", 3, Signed{0, 1, -1}), "G4MF_SURFACE_SIMPLEXES_INDEX_RANGE");
  EXPECT_EQ(defect("simplexes", 3, Signed{0, 1, 3}), "G4MF_SURFACE_SIMPLEXES_INDEX_RANGE");
  EXPECT_EQ(defect("simplexes", 4, Signed{0, 1, 2, 0}), "G4MF_SURFACE_SIMPLEXES_VECTOR_SIZE");
  EXPECT_EQ(defect("simplexes", 3, std::vector<float>{0, 1, 2}), "G4MF_SURFACE_SIMPLEXES_NOT_INTEGER");
  EXPECT_EQ(defect("edges", 2, std::vector<std::uint64_t>{0, 1, 2, std::uint64_t{1} << 40}), "G4MF_SURFACE_EDGES_INDEX_RANGE");
  EXPECT_EQ(defect("edges", 2, std::vector<std::uint64_t>{0, 1, 2, 1}), "");
  EXPECT_EQ(defect("edges", 1, Signed{0, 1}), "G4MF_SURFACE_EDGES_VECTOR_SIZE");
}

TEST(Surface, ValuesPerInstance) {
  const Outcome outcome = blended().read();
  const Mesh& mesh = outcome->meshes[0];
  const Surface& faces = mesh.surfaces.at(0);
  EXPECT_EQ(find_attribute(faces.attributes, Semantic::normal)->values.size(), 6U);
  EXPECT_EQ(find_attribute(faces.attributes, Semantic::texcoord)->values.width(), 2U);
  EXPECT_EQ(faces.material, 0U);
  EXPECT_TRUE(faces.polytope_simplexes);
  EXPECT_EQ(mesh.surfaces.at(1).primitive, Primitive::lines);
  EXPECT_EQ(find_attribute(mesh.surfaces[1].attributes, Semantic::texcoord)->values.size(), 8U);

  Builder few = blended();
  few.json["meshes"][0]["surfaces"][0]["normals"] = few.accessor<float>(std::vector<float>(15, 1.0F), 3);
  EXPECT_THAT(few.read().findings, Contains(IsFinding("G4MF_SURFACE_NORMALS_COUNT", "/meshes/0/surfaces/0/normals")));
  EXPECT_NE(few.read()->meshes[0].defect, none);
  Builder many = blended();
  many.json["meshes"][0]["surfaces"][0]["textureMap"] = many.accessor<float>(std::vector<float>(20, 1.0F), 2);
  EXPECT_THAT(many.read().findings, IsEmpty());
  EXPECT_EQ(find_attribute(many.read()->meshes[0].surfaces[0].attributes, Semantic::texcoord)->values.size(), 6U);
}

TEST(Instance, HasAmountsMaterialsAndVisibility) {
  const Outcome outcome = blended().read();
  EXPECT_THAT(outcome->rest_pose.amounts.at(1), ElementsAre(0.25, 2));
  EXPECT_THAT(outcome->rest_pose.amounts.at(2), ElementsAre(0.5, 0));
  EXPECT_THAT(outcome->nodes[1].materials, ElementsAre(none, 0U));
  EXPECT_TRUE(outcome->nodes[1].visible);
  EXPECT_FALSE(outcome->nodes[2].visible);
  EXPECT_EQ(outcome->materials.at(0).name, "Red");

  Builder wrong = blended();
  wrong.json["nodes"][1]["meshInstance"]["blendAmounts"] = {1};
  const Outcome refused = wrong.read();
  EXPECT_THAT(refused.defect(refused->nodes[1]), IsError("G4MF_MESH_INSTANCE_BLEND_AMOUNTS_LENGTH", "/nodes/1/meshInstance/blendAmounts"));
  How force;
  force.options.force = true;
  EXPECT_THAT(wrong.read(force)->rest_pose.amounts.at(1), ElementsAre(1, 0));
  wrong.json["meshes"][0]["blend"]["amounts"] = {0.5, 0, 1};
  const Outcome surplus = wrong.read();
  EXPECT_THAT(surplus.defect(surplus->meshes[0]), IsError("G4MF_BLEND_AMOUNTS_LENGTH", "/meshes/0/blend/amounts"));
  EXPECT_THAT(wrong.read(force)->rest_pose.amounts.at(2), ElementsAre(0.5, 0));
  wrong.json["meshes"][0]["blend"]["amounts"] = {0.5, 0};
  wrong.json["nodes"][1]["meshInstance"]["mesh"] = 5;
  const Outcome missing = wrong.read();
  ASSERT_EQ(need(instances(*missing)).size(), 2U);
  EXPECT_EQ(closure_defect(*missing)->code, "G4MF_MESH_INSTANCE_MESH_RANGE");
}

TEST(Blend, TargetsAreSplitByTheInstancesOfTheSurfaces) {
  const Outcome outcome = blended().read();
  const Mesh& mesh = outcome->meshes[0];
  ASSERT_THAT(mesh.shapes, SizeIs(2));
  EXPECT_EQ(mesh.shapes[0].name, "Near");
  EXPECT_EQ(mesh.shapes[0].amount, 0.5);
  const Attribute& positions = mesh.blocks[0].attributes[0];
  ASSERT_THAT(positions.offsets, SizeIs(1));
  EXPECT_EQ(positions.offsets[0].shape, 0U);
  EXPECT_THAT(numbers(positions.offsets[0].indices), ElementsAre(3));
  EXPECT_THAT(numbers(positions.offsets[0].values), ElementsAre(0, 0, 5));
  const Attribute& normals = *find_attribute(mesh.surfaces[0].attributes, Semantic::normal);
  EXPECT_THAT(numbers(normals.offsets.at(0).indices), ElementsAre(5, 0));
  const Attribute& map = *find_attribute(mesh.surfaces[1].attributes, Semantic::texcoord);
  EXPECT_EQ(map.offsets.at(0).shape, 1U);
  EXPECT_THAT(numbers(map.offsets[0].indices), ElementsAre(0, 7));  // after the six corners of the first surface
  EXPECT_THAT(numbers(map.offsets[0].values), ElementsAre(8, 9));
  EXPECT_TRUE(find_attribute(mesh.surfaces[0].attributes, Semantic::texcoord)->offsets.empty());
}

Outcome with_target(const char* target, Json indices, Json offsets, bool force = false) {
  Builder b = blended();
  b.json["meshes"][0]["blend"]["shapes"][0][target] = {{"indices", b.accessor(indices.get<std::vector<std::uint8_t>>())},
                                                       {"offsets", b.accessor(offsets.get<std::vector<float>>(), 3)}};
  How how;
  how.options.force = force;
  return b.read(how);
}

TEST(Blend, RefusesWhatLiesOutside) {
  EXPECT_THAT(with_target("position", {4}, {1, 2, 3}).findings,
              Contains(IsFinding("G4MF_BLEND_INDEX_OUT_OF_RANGE", "/meshes/0/blend/shapes/0/position/indices")));
  EXPECT_THAT(with_target("normal", {14}, {1, 2, 3}).findings,
              Contains(IsFinding("G4MF_BLEND_INDEX_OUT_OF_RANGE", "/meshes/0/blend/shapes/0/normal/indices")));
  EXPECT_THAT(with_target("normal", {13}, {1, 2, 3}).findings,
              ElementsAre(IsFinding("G4MF_BLEND_NORMAL_WITHOUT_NORMALS", "/meshes/0/blend/shapes/0/normal")));
  EXPECT_THAT(with_target("textureMap", {0}, {1, 2, 3}).findings,
              Contains(IsFinding("G4MF_BLEND_TEXTURE_MAP_MIXED_DIMENSIONS", "/meshes/0/blend/shapes/0/textureMap")));
  EXPECT_THAT(with_target("topologyNormal", Json::array(), Json::array()).findings,
              ElementsAre(IsFinding("G4MF_BLEND_TOPOLOGY_WITHOUT_TOPOLOGY", "/meshes/0/blend/shapes/0/topologyNormal")));
}

TEST(Blend, OfNormalsWithoutNormalsMovesTheFlatOnes) {
  const Outcome outcome = with_target("normal", {13}, {1, 2, 3});
  const Attribute& normals = *find_attribute(outcome->meshes[0].surfaces.at(1).attributes, Semantic::normal);
  EXPECT_TRUE(normals.values.empty());
  EXPECT_THAT(numbers(normals.offsets.at(0).indices), ElementsAre(7));  // after the six corners of the first surface
  EXPECT_THAT(numbers(normals.offsets[0].values), ElementsAre(1, 2, 3));
}

TEST(Blend, OfUnequalLengthsUsesTheShorterWhenForced) {
  const Outcome refused = with_target("position", {0, 1}, {1, 2, 3});
  EXPECT_THAT(refused.defect(refused->meshes[0]), IsError("G4MF_BLEND_OFFSETS_COUNT", "/meshes/0/blend/shapes/0/position"));
  const Outcome forced = with_target("position", {0, 1}, {1, 2, 3}, true);
  EXPECT_TRUE(forced->defects.empty());
  EXPECT_THAT(numbers(forced->meshes[0].blocks[0].attributes[0].offsets.at(0).indices), ElementsAre(0));
}

TEST(Skin, GroupsInfluencesByVertex) {
  const Outcome outcome = arm().read();
  const Influences& influences = outcome->meshes[0].blocks[0].influences;
  EXPECT_THAT(influences.first, ElementsAre(0, 1, 3, 4));
  EXPECT_THAT(numbers(influences.slots), ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(numbers(influences.weights), ElementsAre(1, 0.75, 0.25, 1));
  EXPECT_TRUE(influences.divide_by_sum);
  EXPECT_THAT(outcome->meshes[0].group_names, ElementsAre("Upper", "Lower"));
}

TEST(Skin, BringsUnsortedEntriesTogether) {
  Builder b = arm();
  b.json["meshes"][0]["skin"]["vertices"] = b.accessor<std::uint16_t>({2, 1, 1, 0});
  b.json["meshes"][0]["skin"]["groupNames"] = {"A", "A", ""};
  const Outcome outcome = b.read();
  const Influences& influences = outcome->meshes[0].blocks[0].influences;
  EXPECT_THAT(influences.first, ElementsAre(0, 1, 3, 4));
  EXPECT_THAT(numbers(influences.slots), ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(numbers(influences.weights), ElementsAre(1, 0.75, 0.25, 1));
  EXPECT_THAT(outcome.findings, IsEmpty());
  How all;
  all.check = true;
  const auto findings = b.read(all).findings;
  EXPECT_THAT(findings, Contains(IsFinding("G4MF_SKIN_VERTICES_NOT_ASCENDING", "/meshes/0/skin/vertices")));
  EXPECT_THAT(findings, Contains(IsFinding("G4MF_SKIN_GROUP_NAME_DUPLICATE", "/meshes/0/skin/groupNames/1")));
  EXPECT_THAT(findings, Contains(IsFinding("G4MF_SKIN_GROUP_NAME_EMPTY", "/meshes/0/skin/groupNames/2")));
  EXPECT_THAT(outcome->meshes[0].group_names, ElementsAre("A", "A", ""));
}

TEST(Skin, RefusesWhatCannotBeUsed) {
  const auto defect = [](const char* row, const auto& values, std::size_t width = 1) {
    Builder b = arm();
    b.json["meshes"][0]["skin"][row] = b.accessor(values, width);
    const Outcome outcome = b.read();
    return outcome.defect(outcome->meshes[0]).code;
  };
  EXPECT_EQ(defect("vertices", std::vector<std::uint8_t>{0, 1, 1, 3}), "G4MF_SKIN_VERTEX_OUT_OF_RANGE");
  EXPECT_EQ(defect("vertices", std::vector<std::uint8_t>{0, 1, 1}), "G4MF_SKIN_COUNT_MISMATCH");
  EXPECT_EQ(defect("vertices", std::vector<std::int8_t>{0, 1, 1, 2}), "G4MF_SKIN_VERTICES_NOT_UNSIGNED");
  EXPECT_EQ(defect("groups", std::vector<std::int8_t>{0, 1, 1, 2}), "G4MF_SKIN_GROUPS_NOT_UNSIGNED");
  EXPECT_EQ(defect("groups", std::vector<std::uint8_t>{0, 1, 1, 2}, 2), "G4MF_SKIN_GROUPS_VECTOR_SIZE");
  EXPECT_EQ(defect("groups", std::vector<std::uint8_t>{0, 200, 1, 0}), "");  // a group without a joint does nothing
  EXPECT_EQ(defect("weights", std::vector<std::uint8_t>{1, 1, 1, 1}), "G4MF_SKIN_WEIGHTS_NOT_FLOAT");
  EXPECT_EQ(defect("weights", std::vector<double>{1, std::nan(""), 1, 1}), "G4MF_SKIN_WEIGHT_NOT_FINITE");
}

TEST(Skin, ReportsOddWeightsWhenAllIsChecked) {
  Builder b = arm();
  b.json["meshes"][0]["skin"]["weights"] = b.accessor<float>({2, 0.25F, 0.75F, -1});
  How all;
  all.check = true;
  const auto findings = b.read(all).findings;
  EXPECT_THAT(findings, Contains(IsFinding("G4MF_SKIN_WEIGHTS_NOT_DESCENDING", "/meshes/0/skin/weights")));
  EXPECT_THAT(findings, Contains(IsFinding("G4MF_SKIN_WEIGHT_NEGATIVE", "/meshes/0/skin/weights")));
  EXPECT_THAT(findings, Contains(IsFinding("G4MF_SKIN_WEIGHTS_SUM", "/meshes/0/skin/weights")));
  EXPECT_THAT(b.read().findings, IsEmpty());
}

TEST(Skeleton, BindsTheSkinnedMeshesThatAreItsChildren) {
  Builder b = arm();
  b.add_node({{"meshInstance", {{"mesh", 0}}}});     // elsewhere: not deformed
  b.add_node({{"meshInstance", {{"mesh", 0}}}}, 1);  // a second one
  b.json["nodes"][1]["skeleton"]["joints"] = {3, -1, 4, 4};
  const Outcome outcome = b.read();
  ASSERT_THAT(outcome->skeletons, SizeIs(1));
  EXPECT_EQ(outcome->skeletons[0].node, 1U);
  EXPECT_EQ(outcome->skeletons[0].name, "Arm");
  EXPECT_THAT(outcome->skeletons[0].joints, ElementsAre(3U, none, 4U, 4U));
  ASSERT_THAT(outcome->skins, SizeIs(2));
  EXPECT_EQ(outcome->nodes[2].skin, 0U);
  EXPECT_EQ(outcome->nodes[5].skin, none);
  EXPECT_EQ(outcome->nodes[6].skin, 1U);
  for (const Skin& skin : outcome->skins) {
    EXPECT_EQ(skin.bind, Skin::Bind::skeleton_pose);
    EXPECT_EQ(skin.frame, 1U);
    EXPECT_THAT(skin.slots, ElementsAre(3U, none, 4U, 4U));
  }
  EXPECT_EQ(outcome->nodes[3].bone->length, 1.0);
  EXPECT_FALSE(outcome->nodes[2].bone);
}

TEST(Skeleton, ReportsJointsThatAreNotItsBones) {
  const auto read = [](Json joints, auto edit) {
    Builder b = arm();
    b.add_node({{"bone", Json::object()}});
    b.json["nodes"][1]["skeleton"]["joints"] = std::move(joints);
    edit(b);
    How all;
    all.check = true;
    return b.read(all);
  };
  const auto same = [](Builder&) {};
  const auto refused = [](const Outcome& outcome) { return outcome.defect(outcome->skins.at(0)).code; };
  EXPECT_EQ(refused(read({3, 99}, same)), "G4MF_SKELETON_JOINT_RANGE");
  EXPECT_EQ(refused(read({3, -2}, same)), "G4MF_SKELETON_JOINT_BELOW_MINUS_ONE");
  EXPECT_EQ(refused(read({3, 0.5}, same)), "G4MF_ID_NOT_INTEGER");
  EXPECT_EQ(refused(read({3, 5}, same)), "G4MF_SKELETON_JOINT_NOT_DESCENDANT");
  EXPECT_EQ(refused(read({1}, same)), "G4MF_SKELETON_JOINT_NOT_DESCENDANT");
  EXPECT_THAT(read({3}, same).findings, Contains(IsFinding("G4MF_BONE_PARENT", "/nodes/5/bone")));
  const Outcome order = read({4, 3}, same);
  EXPECT_THAT(order.findings, Contains(IsFinding("G4MF_SKELETON_JOINTS_NOT_INCREASING", "/nodes/1/skeleton/joints")));
  EXPECT_THAT(order->skins.at(0).slots, ElementsAre(4U, 3U));
  EXPECT_THAT(read({2}, same).findings, Contains(IsFinding("G4MF_SKELETON_JOINT_NOT_BONE", "/nodes/1/skeleton/joints/0")));
  EXPECT_THAT(read({4}, [](Builder& b) { b.json["nodes"][3].erase("bone"); }).findings,
              Contains(IsFinding("G4MF_SKELETON_JOINT_CHAIN_BROKEN", "/nodes/1/skeleton/joints/0")));
  const Outcome flat = read({4}, [](Builder& b) { b.json["nodes"][3]["basis"] = std::vector<int>(16, 0); });
  EXPECT_THAT(flat.findings, Contains(IsFinding("G4MF_BONE_SINGULAR", "/nodes/4")));
  EXPECT_EQ(flat->skins.at(0).defect, none);
}

TEST(Topology, OfACubeHasItsInstancesInOrder) {
  const Outcome outcome = cube().read();
  const Surface& surface = outcome->meshes[0].surfaces[0];
  ASSERT_TRUE(surface.topology);
  EXPECT_THAT(surface.topology->tiers, SizeIs(2));
  EXPECT_THAT(numbers(surface.topology->seams), ElementsAre(0, 5));
  // The edges of face 0 in order, then those that faces 2, 1, … add: 0 1 3 2, then 5 4, then 7 6.
  EXPECT_THAT(numbers(surface.topology->instances), ElementsAre(0, 1, 3, 2, 5, 4, 7, 6));
  const Attribute& normals = surface.topology->attributes.at(0);
  EXPECT_EQ(normals.semantic, Semantic::normal);
  EXPECT_THAT(numbers(normals.offsets.at(0).indices), ElementsAre(7));
}

TEST(Topology, FacesBeginAsTheyAreOriented) {
  Builder b(3);
  b.accessor<float>({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, 3);
  b.accessor<std::uint8_t>({1, 0, 1, 2, 2, 3, 3, 0}, 2);  // the first edge is stored against the direction of the face
  b.accessor<std::uint8_t>({4, 0, 1, 2, 3, 4, 1, 2, 3, 0});
  b.add("meshes", {{"vertices", 0}, {"surfaces", {{{"edges", 1}, {"topology", {{"geometry", {2}}}}}}}});
  const Outcome outcome = b.read();
  EXPECT_THAT(numbers(outcome->meshes[0].surfaces[0].topology->instances), ElementsAre(0, 1, 2, 3, 1, 2, 3, 0));
  EXPECT_THAT(outcome.findings, Contains(IsFinding("G4MF_TOPOLOGY_INSTANCE_ORDER_AMBIGUOUS", "/meshes/0/surfaces/0/topology/geometry/0")));
}

TEST(Topology, RefusesWhatIsCutShortOrOutOfRange) {
  const auto defect = [](std::size_t tier, const std::vector<std::uint32_t>& words) {
    Builder b = cube();
    b.json["meshes"][0]["surfaces"][0]["topology"]["geometry"][tier] = b.accessor(words);
    const Outcome outcome = b.read();
    return outcome.defect(outcome->meshes[0]).code;
  };
  EXPECT_EQ(defect(1, {6, 0, 2, 1, 3, 4}), "G4MF_TOPOLOGY_GEOMETRY_TRUNCATED");
  EXPECT_EQ(defect(1, {0xFFFFFFFF}), "G4MF_TOPOLOGY_GEOMETRY_TRUNCATED");
  EXPECT_EQ(defect(1, {6, 0, 2, 1, 3, 4, 6}), "G4MF_TOPOLOGY_GEOMETRY_INDEX_RANGE");
  EXPECT_EQ(defect(0, {4, 0, 1, 2, 12}), "G4MF_TOPOLOGY_GEOMETRY_INDEX_RANGE");
  EXPECT_EQ(defect(1, {4, 0, 2, 1, 3}), "");  // open, and with all vertices
  Builder seams = cube();
  seams.json["meshes"][0]["surfaces"][0]["topology"]["seams"] = seams.accessor<std::uint8_t>({6});
  EXPECT_THAT(seams.read().findings, Contains(IsFinding("G4MF_TOPOLOGY_SEAMS_INDEX_RANGE", "/meshes/0/surfaces/0/topology/seams")));
  Builder unsorted = cube();
  unsorted.json["meshes"][0]["surfaces"][0]["topology"]["seams"] = unsorted.accessor<std::uint8_t>({5, 0, 5});
  EXPECT_THAT(numbers(unsorted.read()->meshes[0].surfaces[0].topology->seams), ElementsAre(0, 5));
}

// A million cells that share one face of many vertices would have a trillion instances.
TEST(Topology, ThatGrowsBeyondMemoryIsRefusedAtOnce) {
  constexpr std::uint32_t many = 20000;
  Builder b(4);
  b.accessor<float>(std::vector<float>(4 * (many + 1), 0.0F), 4);
  std::vector<std::uint32_t> edges, face = {many}, cells;
  for (std::uint32_t i = 0; i < many; ++i) {
    edges.insert(edges.end(), {i, i + 1});
    face.push_back(i);
    cells.insert(cells.end(), {1, 0});
  }
  b.accessor(edges, 2);
  b.accessor(face);
  b.accessor(cells);
  b.add("meshes", {{"vertices", 0}, {"surfaces", {{{"edges", 1}, {"topology", {{"geometry", {2, 3}}}}}}}});
  How how;
  how.limits.memory = 100'000'000;
  const Outcome outcome = b.read(how);
  EXPECT_THAT(outcome.defect(outcome->meshes[0]), IsError("SINEW_MEMORY_LIMIT", "/meshes/0/surfaces/0/topology/geometry/1"));
}

TEST(Binding, KeepsItsIndex) {
  const Outcome outcome = bound().read();
  EXPECT_EQ(outcome->revision, "2026-07");
  const Surface& surface = outcome->meshes[0].surfaces[0];
  const Attribute& normals = *find_attribute(surface.attributes, Semantic::normal);
  EXPECT_EQ(normals.values.size(), 2U);
  EXPECT_THAT(numbers(normals.index), ElementsAre(0, 0, 1, 0, 1, 1));
  EXPECT_THAT(numbers(normals.offsets.at(0).indices), ElementsAre(1));
  const Attribute& map = *find_attribute(surface.attributes, Semantic::texcoord);
  EXPECT_THAT(numbers(map.index), ElementsAre(1, 1, 1, 0, 0, 0));  // one per simplex
  ASSERT_TRUE(surface.topology);
  EXPECT_THAT(numbers(surface.topology->seams), ElementsAre(1, 3));
  const Attribute& around = surface.topology->attributes.at(0);
  EXPECT_THAT(numbers(around.index), ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(around.offsets, SizeIs(1));

  Builder wrong = bound();
  wrong.json["meshes"][0]["surfaces"][0]["normals"]["simplexes"] = wrong.accessor<std::uint8_t>({0, 0, 1, 0, 1, 2}, 3);
  EXPECT_THAT(wrong.read().findings, Contains(IsFinding("G4MF_BINDING_INDEX_RANGE", "/meshes/0/surfaces/0/normals/simplexes")));
}

}  // namespace
}  // namespace sinew::g4mf::test
