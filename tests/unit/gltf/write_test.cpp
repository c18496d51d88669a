// SPDX-License-Identifier: MIT
#include "gltf/write/write.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

#include "document/json/json.hpp"
#include "document/json/json_writer.hpp"
#include "gltf/write/write_buffer.hpp"

namespace sinew::gltf::write_test {
namespace {

using document::Json;
using document::JsonKind;
using document::JsonValue;
using document::JsonWriter;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// A parsed text and its memory.
struct Parsed {
  explicit Parsed(std::string json) : text(std::move(json)) {
    auto result = Json::parse(text, {}, 0, findings);
    EXPECT_TRUE(result) << text;
    if (result) tape.emplace(std::move(*result));
    EXPECT_THAT(findings.list(), IsEmpty());
  }
  [[nodiscard]] JsonValue root() const { return tape->root(); }

  std::string text;
  FindingList findings;
  std::optional<Json> tape;
};

Attribute attribute(Semantic semantic, Array values, std::string custom = {}) {
  return {semantic, 0, std::move(custom), std::move(values), {}, {}};
}

/// One node with one mesh: the triangle (0,0,0), (1,0,0), (0,2,-0.1) with u16 indices.
Model triangle() {
  Model model;
  Mesh& mesh = model.meshes.emplace_back();
  VertexBlock& block = mesh.blocks.emplace_back();
  block.vertices = 3;
  block.attributes = {attribute(Semantic::position, Array::own(std::vector<float>{0, 0, 0, 1, 0, 0, 0, 2, -0.1F}, 3))};
  Surface& surface = mesh.surfaces.emplace_back();
  surface.indexed = true;
  surface.elements = Array::own(std::vector<std::uint16_t>{0, 1, 2}, 1);
  model.nodes.emplace_back().mesh = 0;
  model.rest_pose.locals.emplace_back();
  model.rest_pose.amounts.emplace_back();
  model.scenes.emplace_back().roots = {0};
  model.default_scene = 0;
  return model;
}

Attribute& add(Model& model, Attribute added) { return model.meshes[0].blocks[0].attributes.emplace_back(std::move(added)); }

/// Through a vector: g++ 12 warns (wrongly) of a copy beyond the inline values when it sees the length of a list.
void set_basis(LocalTransform& local, const std::vector<double>& basis) { local.basis.assign(std::span<const double>(basis)); }

/// The accessor of an attribute of the first primitive, and its view.
JsonValue accessor(const Parsed& file, std::string_view name) {
  const JsonValue primitive = file.root()["meshes"].at(0)["primitives"].at(0);
  const JsonValue index = name == "indices" ? primitive["indices"] : primitive["attributes"][name];
  return file.root()["accessors"].at(static_cast<std::uint32_t>(index.integer().value()));
}
JsonValue view_of(const Parsed& file, std::string_view name) {
  return file.root()["bufferViews"].at(static_cast<std::uint32_t>(accessor(file, name)["bufferView"].integer().value()));
}

Written written_of(const Model& model, const WriteOptions& options = {}) {
  auto written = write(model, options);
  EXPECT_TRUE(written) << written.error().line();
  return written ? std::move(*written) : Written();
}

TEST(JsonWriter, SeparatesNestsAndEscapes) {
  JsonWriter json;
  json.begin_object();
  json.key("a\"\\\n\x01").begin_array();
  json.integer(7);
  json.string("ü\t");
  json.begin_object();
  json.end_object();
  json.end_array();
  json.key("b").boolean(false);
  json.key("c").raw("[1]");
  json.end_object();
  EXPECT_EQ(std::move(json).take(), R"({"a\"\\\n\u0001":[7,"ü\t",{}],"b":false,"c":[1]})");
}

TEST(JsonWriter, NumbersAreTheShortestThatReadBack) {
  JsonWriter json;
  json.begin_array();
  for (const double value : {0.1, 1e300, -2.0, static_cast<double>(0.1F)}) json.number(value);
  json.end_array();
  EXPECT_EQ(std::move(json).take(), "[0.1,1e+300,-2,0.10000000149011612]");
}

TEST(ContentHash, IsTheSameEverywhere) {
  EXPECT_EQ(document::content_hash({}), document::content_hash({}));
  const std::string_view text = "abcdefghi";
  EXPECT_EQ(document::content_hash(std::as_bytes(std::span(text))), 227234443642681571ULL);
  EXPECT_NE(document::content_hash(std::as_bytes(std::span(text))), document::content_hash(std::as_bytes(std::span(text.substr(1)))));
}

TEST(WriteGltf, ATriangleIsThisText) {
  const Written written = written_of(triangle());
  EXPECT_THAT(written.json, HasSubstr(R"({"asset":{"version":"2.0","generator":"Sinew )"));
  EXPECT_THAT(written.json, HasSubstr(R"("scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],)"
                                      R"("meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],"scene":0,)"
                                      R"("accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3",)"
                                      R"("min":[0,0,-0.10000000149011612],"max":[1,2,0]},)"
                                      R"({"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}],)"
                                      R"("buffers":[{"byteLength":42}],)"
                                      R"("bufferViews":[{"buffer":0,"byteLength":36,"target":34962},)"
                                      R"({"buffer":0,"byteOffset":36,"byteLength":6,"target":34963}]})"));
  const std::vector<float> positions{0, 0, 0, 1, 0, 0, 0, 2, -0.1F};
  const std::vector<std::uint16_t> indices{0, 1, 2};
  ASSERT_EQ(written.buffer.view.size(), 42u);
  EXPECT_EQ(std::memcmp(written.buffer.view.data(), positions.data(), 36), 0);
  EXPECT_EQ(std::memcmp(written.buffer.view.data() + 36, indices.data(), 6), 0);
  EXPECT_THAT(written.notes, IsEmpty());
}

TEST(WriteGltf, TheCallerNamesTheBuffer) {
  WriteOptions options;
  std::size_t size = 0;
  options.name_buffer = [&](std::span<const std::byte> bytes) {
    size = bytes.size();
    return std::string("a.bin");
  };
  EXPECT_THAT(written_of(triangle(), options).json, HasSubstr(R"("buffers":[{"byteLength":42,"uri":"a.bin"}])"));
  EXPECT_EQ(size, 42u);
}

TEST(WriteGltf, WhatIsEmptyIsLeftOut) {
  Model model = triangle();
  model.meshes[0].blocks[0].vertices = 0;
  model.meshes.push_back(triangle().meshes[0]);
  model.meshes.push_back(triangle().meshes[0]);
  model.meshes[2].surfaces[0].elements = Array();
  model.nodes[0].mesh = 1;
  model.nodes.emplace_back().mesh = 0;
  model.rest_pose.locals.emplace_back();
  model.scenes[0].roots = {};
  const Parsed file(written_of(model).json);
  EXPECT_EQ(file.root()["meshes"].size(), 1u);
  EXPECT_EQ(file.root()["nodes"].at(0)["mesh"].integer(), 0);
  EXPECT_FALSE(file.root()["nodes"].at(1)["mesh"]);
  EXPECT_FALSE(file.root()["scenes"].at(0)["nodes"]);
  model.nodes.resize(1);
  model.rest_pose.locals.resize(1);
  model.meshes.resize(1);
  model.nodes[0].mesh = 0;
  const Written nothing = written_of(model);
  EXPECT_THAT(nothing.buffer.view, IsEmpty());
  const Parsed empty(nothing.json);
  for (const char* key : {"meshes", "buffers", "bufferViews", "accessors", "materials", "extensionsUsed"})
    EXPECT_FALSE(empty.root()[key]) << key;
}

TEST(WriteGltf, EqualArraysAreStoredOnce) {
  Model model = triangle();
  model.meshes.push_back(triangle().meshes[0]);
  const Parsed file(written_of(model).json);
  EXPECT_EQ(file.root()["accessors"].size(), 2u);
  EXPECT_EQ(file.root()["meshes"].at(1)["primitives"].at(0)["attributes"]["POSITION"].integer(), 0);
}

TEST(WriteGltf, EqualBytesOfAnotherMeaningGetAViewOfTheirOwn) {
  Model model = triangle();
  add(model, attribute(Semantic::custom, model.meshes[0].blocks[0].attributes[0].values, "_COPY"));
  const Parsed file(written_of(model).json);
  EXPECT_NE(accessor(file, "_COPY")["bufferView"].integer(), accessor(file, "POSITION")["bufferView"].integer());
  EXPECT_FALSE(accessor(file, "_COPY")["min"]);
}

TEST(WriteGltf, RowsThatEndBetweenWordsGetAStride) {
  Model model = triangle();
  add(model, attribute(Semantic::texcoord, Array::own(std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6}, 2, true)));
  add(model, attribute(Semantic::color, Array::own(std::vector<std::uint16_t>{1, 2, 3, 4, 5, 6, 7, 8, 9}, 3, true)));
  const Written written = written_of(model);
  const Parsed file(written.json);
  EXPECT_EQ(view_of(file, "TEXCOORD_0")["byteStride"].integer(), 4);
  EXPECT_EQ(view_of(file, "COLOR_0")["byteStride"].integer(), 8);
  EXPECT_FALSE(view_of(file, "POSITION")["byteStride"]);
  EXPECT_EQ(accessor(file, "TEXCOORD_0")["normalized"].boolean(), true);
  EXPECT_FALSE(file.root()["extensionsUsed"]);
  const auto offset = static_cast<std::size_t>(view_of(file, "TEXCOORD_0")["byteOffset"].integer().value());
  std::vector<int> bytes;
  for (std::size_t i = 0; i < 12; ++i) bytes.push_back(static_cast<int>(written.buffer.view[offset + i]));
  EXPECT_THAT(bytes, ElementsAre(1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 0, 0));
}

TEST(WriteGltf, StridedRowsArePacked) {
  Model model = triangle();
  static const std::vector<float> interleaved{1, 2, -1, 3, 4, -1, 5, 6, -1};
  add(model, attribute(Semantic::texcoord, Array::borrow(interleaved.data(), 3, 2, 12, ComponentType::float32, false, nullptr)));
  const Written written = written_of(model);
  const Parsed file(written.json);
  EXPECT_FALSE(view_of(file, "TEXCOORD_0")["byteStride"]);
  const auto offset = static_cast<std::size_t>(view_of(file, "TEXCOORD_0")["byteOffset"].integer().value());
  std::vector<float> rows(6);
  std::memcpy(rows.data(), written.buffer.view.data() + offset, 24);
  EXPECT_THAT(rows, ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(WriteGltf, ColumnsOfSmallMatricesStartAtWords) {
  Model model = triangle();
  std::vector<std::uint8_t> matrices(27);
  for (std::size_t i = 0; i < matrices.size(); ++i) matrices[i] = static_cast<std::uint8_t>(i + 1);
  add(model, attribute(Semantic::custom, Array::own(matrices, 9), "_M"));
  const Written written = written_of(model);
  const Parsed file(written.json);
  EXPECT_TRUE(accessor(file, "_M")["type"].equals("MAT3"));
  const JsonValue view = view_of(file, "_M");
  EXPECT_EQ(view["byteLength"].integer(), 36);
  EXPECT_FALSE(view["byteStride"]);
  const auto offset = static_cast<std::size_t>(view["byteOffset"].integer().value());
  EXPECT_EQ(static_cast<int>(written.buffer.view[offset + 3]), 0);
  EXPECT_EQ(static_cast<int>(written.buffer.view[offset + 4]), 4);
  EXPECT_EQ(static_cast<int>(written.buffer.view[offset + 12]), 10);
}

TEST(WriteGltf, NoIndexIsTheMaximumOfItsType) {
  const auto component_type = [](auto values) {
    Model model = triangle();
    model.meshes[0].blocks[0].vertices = 70000;
    model.meshes[0].blocks[0].attributes[0].values = Array::own(std::vector<float>(210000), 3);
    model.meshes[0].surfaces[0].elements = Array::own(std::move(values), 1);
    const Parsed file(written_of(model).json);
    return accessor(file, "indices")["componentType"].integer().value();
  };
  EXPECT_EQ(component_type(std::vector<std::uint8_t>{0, 1, 254}), 5121);
  EXPECT_EQ(component_type(std::vector<std::uint8_t>{0, 1, 255}), 5123);
  EXPECT_EQ(component_type(std::vector<std::uint16_t>{0, 1, 65534}), 5123);
  EXPECT_EQ(component_type(std::vector<std::uint16_t>{0, 1, 65535}), 5125);
  EXPECT_EQ(component_type(std::vector<std::uint32_t>{0, 1, 2}), 5125);
}

TEST(WriteGltf, AttributesOutsideTheCoreTypesRequireQuantization) {
  const auto written_with = [](Array texcoords) {
    Model model = triangle();
    add(model, attribute(Semantic::texcoord, std::move(texcoords)));
    return written_of(model).json;
  };
  const auto quantized = HasSubstr(R"("extensionsUsed":["KHR_mesh_quantization"],"extensionsRequired":["KHR_mesh_quantization"])");
  EXPECT_THAT(written_with(Array::own(std::vector<std::int16_t>(6), 2)), quantized);
  EXPECT_THAT(written_with(Array::own(std::vector<std::int8_t>(6), 2, true)), quantized);
  EXPECT_THAT(written_with(Array::own(std::vector<std::uint16_t>(6), 2)), quantized);
  EXPECT_THAT(written_with(Array::own(std::vector<std::uint16_t>(6), 2, true)), Not(HasSubstr("extensions")));
  EXPECT_THAT(written_with(Array::own(std::vector<float>(6), 2)), Not(HasSubstr("extensions")));
}

TEST(WriteGltf, ComponentTypesThatGltfLacksBecomeFloats) {
  Model model = triangle();
  add(model, attribute(Semantic::custom, Array::own(std::vector<double>{1, 2, 3}, 1), "WEIGHT"));
  add(model, attribute(Semantic::custom, Array::own(std::vector<float>(15), 5), "_FIVE"));
  const Written written = written_of(model);
  const Parsed file(written.json);
  EXPECT_EQ(accessor(file, "_WEIGHT")["componentType"].integer(), 5126);
  EXPECT_THAT(written.notes, ElementsAre(HasSubstr("_FIVE")));
}

TEST(WriteGltf, PrimitiveModesHaveTheirNumbers) {
  for (std::uint8_t mode = 0; mode < 7; ++mode) {
    Model model = triangle();
    model.meshes[0].surfaces[0].primitive = static_cast<Primitive>(mode);
    const Parsed file(written_of(model).json);
    EXPECT_EQ(file.root()["meshes"].at(0)["primitives"].at(0)["mode"].integer().value_or(4), mode);
  }
}

TEST(WriteGltf, NodesHaveTheirTransformsNamesAndChildren) {
  Model model = triangle();
  model.nodes[0].name = "a \"b\"";
  model.nodes[0].children = {1};
  model.nodes.emplace_back().parent = 0;
  model.rest_pose.locals[0].translation = {1, 0.1, -2};
  const double half = std::sqrt(0.5);
  model.rest_pose.locals[0].rotor = {half, half, 0, 0};  // 90° from x to y
  model.rest_pose.locals[0].scale = {1, 1, 2};
  set_basis(model.rest_pose.locals.emplace_back(), {0, 2, 0, -3, 0, 0, 0, 0, 1});
  model.rest_pose.locals[1].translation = {7, 8, 9};
  const Written written = written_of(model);
  const Parsed file(written.json);
  EXPECT_EQ(
      file.root()["nodes"].text(),
      R"([{"name":"a \"b\"","children":[1],"translation":[1,0.1,-2],"rotation":[0,0,0.7071067811865476,0.7071067811865476],"scale":[1,1,2],"mesh":0},)"
      R"({"matrix":[0,2,0,0,-3,0,0,0,0,0,1,0,7,8,9,1]}])");
  EXPECT_THAT(written.notes, IsEmpty());
}

TEST(WriteGltf, NeutralTransformsAreLeftOut) {
  Model model = triangle();
  model.rest_pose.locals[0].translation = {0, 0, 0};
  model.rest_pose.locals[0].rotor = {1, 0, 0, 0};
  model.rest_pose.locals[0].scale = {1, 1, 1};
  const Parsed file(written_of(model).json);
  EXPECT_EQ(file.root()["nodes"].text(), R"([{"mesh":0}])");
}

TEST(WriteGltf, RotationsStayAsStoredUnlessAComponentIsTooLarge) {
  Model model = triangle();
  model.rest_pose.locals[0].rotor = {0.8, 0.601, 0, 0};
  EXPECT_THAT(written_of(model).json, HasSubstr(R"("rotation":[0,0,0.601,0.8])"));
  model.rest_pose.locals[0].rotor = {0, 1.00005, 0, 0};
  const Written written = written_of(model);
  EXPECT_THAT(written.json, HasSubstr(R"("rotation":[0,0,1,0])"));
  EXPECT_THAT(written.notes, IsEmpty());
}

TEST(WriteGltf, TransformsThatGltfCannotSayAreMendedWithANote) {
  Model model = triangle();
  model.rest_pose.locals[0].rotor = {2, 0, 0, 0};
  EXPECT_THAT(written_of(model).notes, ElementsAre(HasSubstr("unit length")));

  model.rest_pose.locals[0] = {};
  set_basis(model.rest_pose.locals[0], {2, 0, 0, 1, 3, 0, 0, 0, -4});  // y leans towards x; mirrored along z
  const Written sheared = written_of(model);
  EXPECT_THAT(sheared.notes, ElementsAre(HasSubstr("sheared")));
  const Parsed file(sheared.json);
  EXPECT_EQ(file.root()["nodes"].text(), R"([{"rotation":[0,0,0,1],"scale":[2,3,-4],"mesh":0}])");

  model.rest_pose.locals[0] = {};
  model.rest_pose.locals[0].translation = {std::numeric_limits<double>::quiet_NaN(), 0, 0};
  EXPECT_THAT(written_of(model).notes, ElementsAre(HasSubstr("not finite")));
}

TEST(WriteGltf, HiddenNodesSayIt) {
  Model model = triangle();
  model.nodes[0].visible = false;
  const Parsed file(written_of(model).json);
  EXPECT_EQ(file.root()["nodes"].at(0)["extensions"].text(), R"({"KHR_node_visibility":{"visible":false}})");
  EXPECT_EQ(file.root()["extensionsUsed"].text(), R"(["KHR_node_visibility"])");
}

TEST(WriteGltf, MaterialsFromElsewhereAreNames) {
  Model model = triangle();
  model.materials.resize(2);
  model.materials[1].name = "skin";
  model.meshes[0].surfaces[0].material = 1;
  const Parsed file(written_of(model).json);
  EXPECT_EQ(file.root()["materials"].text(), R"([{},{"name":"skin"}])");
  EXPECT_EQ(file.root()["meshes"].at(0)["primitives"].at(0)["material"].integer(), 1);
}

}  // namespace
}  // namespace sinew::gltf::write_test
