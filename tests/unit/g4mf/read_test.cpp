// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include "base/guard.hpp"
#include "unit/g4mf/builder.hpp"

namespace sinew::g4mf::test::read_test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::vector<double> numbers(const Array& array) { return array.read<double>(); }
std::vector<double> list(std::span<const double> values) { return {values.begin(), values.end()}; }

TEST(Read, SimplexesOfEveryDimension) {
  for (std::size_t dimension = 2; dimension <= 16; ++dimension) {
    SCOPED_TRACE(dimension);
    const Outcome outcome = simplex(dimension).read();
    ASSERT_TRUE(outcome.model);
    EXPECT_THAT(outcome.findings, IsEmpty());
    EXPECT_EQ(outcome->dimension, dimension);
    EXPECT_EQ(outcome->format, "G4MF");
    EXPECT_EQ(outcome->revision, "2026-01");
    const Mesh& mesh = outcome->meshes.at(0);
    EXPECT_EQ(mesh.blocks.at(0).vertices, std::max<std::size_t>(dimension, 3));
    EXPECT_EQ(mesh.surfaces.at(0).primitive, Primitive::simplexes);
    EXPECT_EQ(mesh.surfaces[0].elements.width(), std::max<std::size_t>(dimension, 3));
    EXPECT_EQ(need(elements_of(mesh, mesh.surfaces[0], dimension)).indices.size(), std::max<std::size_t>(dimension, 3));
    ASSERT_EQ(need(instances(*outcome)).size(), 1U);
    EXPECT_EQ(need(instances(*outcome))[0].node, 1U);
  }
}

TEST(Read, PointsInDimensionsWithoutSimplexes) {
  for (const std::size_t dimension : {0U, 1U}) {
    Builder b(dimension);
    b.accessor<float>({1, 2}, 1);
    b.add("meshes", {{"vertices", 0}, {"surfaces", {Json::object()}}});
    b.add_node({{"meshInstance", {{"mesh", 0}}}});
    const Outcome outcome = b.read();
    ASSERT_TRUE(outcome.model);
    EXPECT_TRUE(outcome->defects.empty());
    expect_in_range(*outcome);
    EXPECT_EQ(outcome->meshes[0].surfaces.at(0).primitive, Primitive::points);
  }
  Builder flat = simplex(3);
  flat.json["asset"]["dimension"] = 1;
  EXPECT_THAT(flat.read().findings, Contains(IsFinding("G4MF_SURFACE_SIMPLEXES_DIMENSION", "/meshes/0/surfaces/0/simplexes")));
}

TEST(Dimension, MustBeAUsableInteger) {
  const auto code = [](Json dimension) {
    Builder b(3);
    b.json["asset"]["dimension"] = std::move(dimension);
    const Outcome outcome = b.read();
    return outcome.model ? std::string("read") : outcome.model.error().code + " " + outcome.model.error().place.pointer.value_or("?");
  };
  EXPECT_EQ(code(-1), "G4MF_ASSET_DIMENSION_NEGATIVE /asset/dimension");
  EXPECT_EQ(code(2.5), "G4MF_ASSET_DIMENSION_NOT_INTEGER /asset/dimension");
  EXPECT_EQ(code("3"), "G4MF_ASSET_DIMENSION_NOT_INTEGER /asset/dimension");
  EXPECT_EQ(code(1000000000), "G4MF_ASSET_DIMENSION_UNSUPPORTED /asset/dimension");
  EXPECT_EQ(code(17), "G4MF_ASSET_DIMENSION_UNSUPPORTED /asset/dimension");
  EXPECT_EQ(code(16), "read");
  EXPECT_EQ(code(4.0), "read");
  EXPECT_EQ(read_text(R"({"asset": {}})").model.error().code, "G4MF_ASSET_DIMENSION_MISSING");
  EXPECT_EQ(read_text(R"({})").model.error().code, "G4MF_ASSET_MISSING");
  Builder b(1000000000);
  EXPECT_EQ(b.read().model.error().failure, Failure::limit);
}

TEST(Extensions, ThatAreRequiredAreRefused) {
  Builder b = simplex(3);
  b.json["asset"]["extensionsUsed"] = {"ACME_thing"};
  EXPECT_TRUE(b.read().model);
  b.json["asset"]["extensionsRequired"] = {"ACME_thing"};
  const Outcome outcome = b.read();
  ASSERT_FALSE(outcome.model);
  EXPECT_EQ(outcome.model.error().failure, Failure::unsupported);
  EXPECT_THAT(outcome.model.error(), IsError("G4MF_ASSET_EXTENSION_REQUIRED_UNSUPPORTED", "/asset/extensionsRequired/0"));
  How all;
  all.check = true;
  EXPECT_TRUE(b.read(all).model);
}

TEST(Scene, IsWhatDescendsFromNodeZero) {
  Builder b = simplex(3);
  b.add("nodes", {{"meshInstance", {{"mesh", 0}}}});
  const Outcome outcome = b.read();
  ASSERT_EQ(need(instances(*outcome)).size(), 1U);
  const Outcome library = Builder(4).read();
  EXPECT_TRUE(need(instances(*library)).empty());
  EXPECT_THAT(library.findings, ElementsAre(IsFinding("SINEW_NO_SCENE", "")));
}

TEST(Nodes, FormTreesBelowTheRoot) {
  Builder b = simplex(3);
  b.json["nodes"][1]["children"] = {0};
  EXPECT_EQ(b.read().defect(b.read()->nodes[1]).code, "G4MF_NODE_ROOT_IS_CHILD");

  Builder two = simplex(3);
  two.add_node(Json::object());
  two.json["nodes"][2]["children"] = {1};
  EXPECT_THAT(two.read().findings, Contains(IsFinding("G4MF_NODE_TWO_PARENTS", "/nodes/2/children/0")));

  Builder cycle = simplex(3);
  cycle.add("nodes", {{"children", {3}}});
  cycle.add("nodes", {{"children", {2}}});
  const Outcome outcome = cycle.read();
  EXPECT_THAT(outcome.findings, Contains(IsFinding("G4MF_NODE_CYCLE", "/nodes/2")));
  EXPECT_FALSE(closure_defect(*outcome));

  Builder range = simplex(3);
  range.json["nodes"][0]["children"] = {1, 9, 1};
  const Outcome outside = range.read();
  EXPECT_THAT(outside.defect(outside->nodes[0]), IsError("G4MF_NODE_CHILD_RANGE", "/nodes/0/children/1"));
  EXPECT_THAT(outside.findings, Contains(IsFinding("G4MF_NODE_CHILD_DUPLICATE", "/nodes/0/children/2")));

  Builder moved = simplex(3);
  moved.json["nodes"][0]["position"] = {1, 2, 3};
  EXPECT_THAT(moved.read().findings, ElementsAre(IsFinding("G4MF_NODE_ROOT_TRANSFORM", "/nodes/0")));
}

TEST(Nodes, BelowTheLimitOfDepthCannotBeUsed) {
  Builder b = simplex(3);
  b.add_node({{"meshInstance", {{"mesh", 0}}}}, 1);
  b.add_node({{"meshInstance", {{"mesh", 0}}}}, 2);
  How how;
  how.limits.node_depth = 2;
  const Outcome outcome = b.read(how);
  ASSERT_EQ(need(instances(*outcome)).size(), 3U);
  EXPECT_THAT(outcome.findings, ElementsAre(IsFinding("SINEW_NODE_DEPTH_LIMIT", "/nodes/2")));
  EXPECT_EQ(outcome->nodes[1].defect, none);
  EXPECT_EQ(outcome->nodes[3].defect, outcome->nodes[2].defect);
}

TEST(Nodes, ThatAreNoObjectsAreInstancesThatCannotBeUsed) {
  Builder b = simplex(3);
  b.json["nodes"][1] = "x";
  const Outcome outcome = b.read();
  EXPECT_EQ(closure_defect(*outcome)->code, "G4MF_JSON_TYPE_MISMATCH");
}

Outcome with_transform(std::size_t dimension, Json transform, bool force = false) {
  Builder b(dimension);
  b.add_node(std::move(transform));
  How how;
  how.options.force = force;
  return b.read(how);
}

TEST(Transform, TakesPositionBasisAndScale) {
  const Outcome outcome = with_transform(2, {{"position", {1, 2}}, {"scale", {3}}});
  EXPECT_THAT(list(outcome->rest_pose.locals[1].translation), ElementsAre(1, 2));
  EXPECT_THAT(list(outcome->rest_pose.locals[1].scale), ElementsAre(3, 3));
  const Outcome basis = with_transform(2, {{"basis", {0, 1, 2, 3}}, {"rotor", {1, 0}}, {"scale", {2}}});
  EXPECT_THAT(list(basis->rest_pose.locals[1].basis), ElementsAre(0, 1, 2, 3));
  EXPECT_TRUE(basis->rest_pose.locals[1].scale.empty());
  EXPECT_THAT(basis.findings,
              ElementsAre(IsFinding("G4MF_NODE_BASIS_WITH_ROTOR", "/nodes/1"), IsFinding("G4MF_NODE_BASIS_WITH_SCALE", "/nodes/1")));
  EXPECT_THAT(with_transform(2, {{"basis", {1, 2, 2, 4}}}).findings, ElementsAre(IsFinding("G4MF_NODE_BASIS_SINGULAR", "/nodes/1/basis")));
  EXPECT_THAT(with_transform(3, {{"scale", {1, 0, 1}}}).findings,
              ElementsAre(IsFinding("G4MF_NODE_SCALE_NOT_POSITIVE", "/nodes/1/scale/1")));
  for (const auto& [name, code] : {std::pair("position", "G4MF_NODE_POSITION_LENGTH"), std::pair("basis", "G4MF_NODE_BASIS_LENGTH"),
                                   std::pair("scale", "G4MF_NODE_SCALE_LENGTH"), std::pair("rotor", "G4MF_NODE_ROTOR_LENGTH")}) {
    const Outcome wrong = with_transform(4, {{name, {1, 0, 0}}});
    EXPECT_THAT(wrong.defect(wrong->nodes[1]), IsError(code, std::string("/nodes/1/") + name));
  }
}

TEST(Rotor, HasEveryLegalLength) {
  for (const auto& [dimension, lengths] : std::vector<std::pair<std::size_t, std::vector<std::size_t>>>{
           {0, {1}}, {1, {1}}, {2, {2}}, {3, {4}}, {4, {7, 8}}, {5, {11, 16}}, {6, {16, 31, 32}}, {7, {22, 57, 64}}})
    for (std::size_t length = 0; length <= 66; ++length) {
      std::vector<double> rotor(length, 0.0);
      if (length != 0) rotor[0] = 1;
      const bool legal = std::ranges::find(lengths, length) != lengths.end();
      const Outcome outcome = with_transform(dimension, {{"rotor", rotor}});
      EXPECT_EQ(outcome->defects.empty(), legal) << dimension << " " << length;
    }
}

TEST(Rotor, TurnsAsTheSpecificationSaysAndIsNormalised) {
  const double half = std::numbers::sqrt2;  // any length: the direction counts
  const Outcome outcome = with_transform(4, {{"rotor", {half / 2, 0, 0, 0, half / 2, 0, 0}}});
  const Affine map = affine_of(4, outcome->rest_pose.locals[1]);
  EXPECT_NEAR(map(3, 0), 1, 1e-12);  // X to +W
  EXPECT_NEAR(map(0, 3), -1, 1e-12);
  const Outcome longer = with_transform(3, {{"rotor", {0.5, 0.5, 0, 0}}});
  EXPECT_THAT(longer.findings, ElementsAre(IsFinding("G4MF_NODE_ROTOR_NOT_UNIT", "/nodes/1/rotor")));
  EXPECT_NEAR(affine_of(3, longer->rest_pose.locals[1])(1, 0), 1, 1e-12);  // X to +Y
  EXPECT_THAT(with_transform(3, {{"rotor", {2, 0, 0, 0}}}).findings, Contains(IsFinding("G4MF_NODE_ROTOR_RANGE", "/nodes/1/rotor/0")));
}

TEST(Rotor, ThatIsNoRotationIsRefusedOrMadeOne) {
  const Json twisted = {{"rotor", {0.8, 0.4, 0, 0, 0, 0, 0.4, 0}}};  // two planes without the pseudoscalar
  const Outcome refused = with_transform(4, twisted);
  EXPECT_THAT(refused.defect(refused->nodes[1]), IsError("G4MF_NODE_ROTOR_NOT_ROTATION", "/nodes/1/rotor"));
  const Outcome forced = with_transform(4, twisted, true);
  ASSERT_TRUE(forced->defects.empty());
  const Affine map = affine_of(4, forced->rest_pose.locals[1]);
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = 0; b < 4; ++b) {
      double dot = 0;
      for (std::size_t i = 0; i < 4; ++i) dot += map(i, a) * map(i, b);
      EXPECT_NEAR(dot, a == b ? 1 : 0, 1e-12);
    }
  const Json zero = {{"rotor", {0, 0, 0, 0}}};
  EXPECT_THAT(with_transform(3, zero)->defects, SizeIs(1));
  EXPECT_TRUE(with_transform(3, zero, true)->defects.empty());
}

template <class T>
Builder typed_points(const std::vector<T>& values, const std::string& type, std::size_t bytes) {
  Builder b(1);
  b.accessor_of(b.view(values.data(), bytes), type);
  b.add("meshes", {{"vertices", 0}, {"surfaces", {Json::object()}}});
  b.add_node({{"meshInstance", {{"mesh", 0}}}});
  return b;
}

TEST(Accessor, ReadsEveryComponentType) {
  const auto check = [](const Builder& b, const std::string& type, const std::vector<double>& expected) {
    SCOPED_TRACE(type);
    const Outcome outcome = b.read();
    ASSERT_TRUE(outcome.model);
    ASSERT_TRUE(outcome->defects.empty()) << outcome->defects[0].line();
    EXPECT_EQ(numbers(outcome->meshes[0].blocks[0].attributes[0].values), expected);
  };
  const auto plain = [&]<class T>(T, const std::vector<double>& expected) {
    const std::vector<T> values(expected.begin(), expected.end());
    check(typed_points(values, component<T>(), values.size() * sizeof(T)), component<T>(), expected);
  };
  plain(std::int8_t{}, {-128, 5});
  plain(std::uint8_t{}, {255, 5});
  plain(std::int16_t{}, {-32768, 7});
  plain(std::uint16_t{}, {65535, 7});
  plain(std::int32_t{}, {-2147483648.0, 9});
  plain(std::uint32_t{}, {4294967295.0, 9});
  plain(std::int64_t{}, {-9007199254740992.0, 3});
  plain(std::uint64_t{}, {9007199254740992.0, 3});
  plain(float{}, {0.5, -2});
  plain(double{}, {0.1, 1e300});
  const std::vector<std::uint64_t> minus_two = {~std::uint64_t{1}, ~std::uint64_t{0}, 3, 0};
  check(typed_points(minus_two, "int128", 32), "int128", {-2, 3});
  check(typed_points(minus_two, "uint128", 32), "uint128", {0x1p128, 3});
  check(typed_points(std::vector<std::uint8_t>{0x38, 0x77, 0x01, 0xB8}, "float8", 4), "float8", {1, 240, 0.001953125, -1});
  check(typed_points(std::vector<std::uint16_t>{0x3C00, 0xC000, 0x0001}, "float16", 6), "float16", {1, -2, 0x1p-24});
  const std::vector<std::uint64_t> quads = {0, 0x3FFF000000000000, 0, 0xC000800000000000};  // 1 and −3
  check(typed_points(quads, "float128", 32), "float128", {1, -3});
}

TEST(Accessor, CountsElementsByDivision) {
  Builder b = simplex(3);
  b.json["bufferViews"][0]["byteLength"] = 35;
  const Outcome outcome = b.read();
  EXPECT_THAT(outcome.defect(outcome->meshes[0]), IsError("G4MF_ACCESSOR_LENGTH_NOT_MULTIPLE", "/accessors/0"));
  Builder empty = simplex(3);
  empty.json["bufferViews"][0]["byteLength"] = 0;
  empty.json["bufferViews"][1]["byteLength"] = 0;
  empty.json["accessors"][1]["vectorSize"] = 3;
  EXPECT_TRUE(empty.read()->defects.empty());
  EXPECT_EQ(empty.read()->meshes[0].blocks[0].vertices, 0U);
}

TEST(Accessor, AtAnOddOffsetIsReportedAndCopied) {
  Builder b = simplex(3);
  const Outcome even = b.read();
  b.bytes.insert(b.bytes.begin(), std::byte{0});
  b.json["bufferViews"][0]["byteOffset"] = 1;
  b.json["bufferViews"][1]["byteOffset"] = b.json["bufferViews"][1]["byteOffset"].get<int>() + 1;
  const Outcome odd = b.read();
  EXPECT_THAT(odd.findings, ElementsAre(IsFinding("G4MF_ACCESSOR_OFFSET_UNALIGNED", "/accessors/0"),
                                        IsFinding("G4MF_ACCESSOR_OFFSET_UNALIGNED", "/accessors/1")));
  EXPECT_EQ(numbers(odd->meshes[0].blocks[0].attributes[0].values), numbers(even->meshes[0].blocks[0].attributes[0].values));
}

TEST(Buffer, MustHoldWhatItSays) {
  Builder b = simplex(3);
  b.json["buffers"] = {{{"byteLength", b.bytes.size() + 16}, {"uri", "data:application/octet-stream;base64," + base64(b.bytes)}}};
  EXPECT_THAT(b.read().findings, ElementsAre(IsFinding("G4MF_BUFFER_TOO_SHORT", "/buffers/0")));
  EXPECT_TRUE(b.read()->defects.empty());
  b.json["buffers"][0]["byteLength"] = 20;
  const Outcome outcome = b.read();
  EXPECT_THAT(outcome.defect(outcome->meshes[0]), IsError("G4MF_BUFFER_VIEW_TOO_LONG", "/bufferViews/0/byteLength"));
  b.json["buffers"][0].erase("uri");
  const Outcome none_there = b.read();
  EXPECT_THAT(none_there.defect(none_there->meshes[0]), IsError("G4MF_BUFFER_NO_URI_TEXT", "/buffers/0"));
  b.json["buffers"][0] = {{"byteLength", b.bytes.size()}, {"uri", "absent.bin"}};
  const Outcome absent = b.read();
  EXPECT_THAT(absent.defect(absent->meshes[0]), IsError("G4MF_BUFFER_URI_NOT_FOUND", "/buffers/0/uri"));
}

TEST(Buffer, TakesAnotherDataUriOnlyWhenForced) {
  Builder b = simplex(3);
  b.json["buffers"] = {{{"byteLength", b.bytes.size()}, {"uri", "data:application/gltf-buffer;base64," + base64(b.bytes)}}};
  const Outcome refused = b.read();
  EXPECT_THAT(refused.defect(refused->meshes[0]), IsError("G4MF_BUFFER_DATA_URI_PREFIX", "/buffers/0/uri"));
  How force;
  force.options.force = true;
  EXPECT_TRUE(b.read(force)->defects.empty());
  EXPECT_THAT(b.read(force).findings, ElementsAre(IsFinding("G4MF_BUFFER_DATA_URI_PREFIX", "/buffers/0/uri")));
}

TEST(Buffer, OfHugeLengthIsRefusedAtOnce) {
  Builder b = simplex(3);
  b.json["buffers"] = {
      {{"byteLength", 9223372036854775807}, {"uri", "data:application/octet-stream;base64,KLUv/SAA"}, {"compression", "Zstd"}}};
  b.json["bufferViews"][0]["byteLength"] = 9223372036854775807;
  const Outcome outcome = b.read();
  ASSERT_TRUE(outcome.model);
  EXPECT_NE(outcome->meshes[0].defect, none);
}

}  // namespace
}  // namespace sinew::g4mf::test::read_test
