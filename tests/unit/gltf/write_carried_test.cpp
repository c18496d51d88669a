// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "document/json/json.hpp"
#include "gltf/read/read.hpp"
#include "gltf/write/write.hpp"
#include "unit/document/files.hpp"

#include "sinew/document.hpp"

namespace sinew::gltf {
namespace {

using document::JsonKind;
using document::JsonMember;
using document::JsonValue;
using testing::AllOf;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

// A static file with one of everything that writers copy. Its buffer: 36 bytes of positions, 12 of texture coordinates (u16n), 3 indices
// (u8), one byte of padding, then 5 bytes in place of a PNG.
constexpr std::string_view source = R"({
  "asset": {"version": "2.0", "minVersion": "2.0", "generator": "other", "copyright": "© someone", "extras": {"a": [1.50, 1e2]}},
  "extensionsUsed": ["KHR_lights_punctual", "KHR_materials_variants", "KHR_mesh_quantization", "ACME_thing", "STAIK_skeletons",
                     "EXT_mesh_gpu_instancing", "KHR_materials_unlit"],
  "extensionsRequired": ["KHR_mesh_quantization", "KHR_materials_unlit"],
  "extensions": {
    "KHR_lights_punctual": {"lights": [{"type": "point"}]},
    "KHR_materials_variants": {"variants": [{"name": "v"}]},
    "ACME_thing": {"accessor": 0}
  },
  "extras": {"root": true},
  "scene": 1,
  "scenes": [{"name": "empty"}, {"name": "main", "nodes": [0, 1], "extras": 7}],
  "nodes": [
    {"name": "thing", "mesh": 0, "translation": [1, 2, 3], "extras": {"n": 1},
     "extensions": {"ACME_thing": {"mesh": 0}, "EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 0}}}},
    {"camera": 0, "extensions": {"KHR_lights_punctual": {"light": 0}}}
  ],
  "cameras": [{"type": "perspective", "perspective": {"yfov": 0.50, "znear": 0.1}}],
  "meshes": [{"name": "m", "extras": {"m": 2}, "primitives": [
    {"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 2, "material": 1, "extras": "p",
     "extensions": {"KHR_materials_variants": {"mappings": [{"material": 0, "variants": [0]}]}}}]}],
  "materials": [{"name": "plain"}, {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}, "extensions": {"KHR_materials_unlit": {}}}],
  "textures": [{"source": 1, "sampler": 0}],
  "samplers": [{"magFilter": 9728}],
  "images": [{"uri": "folder/a%20b.png"}, {"bufferView": 3, "mimeType": "image/png", "name": "inner"}],
  "accessors": [
    {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
    {"bufferView": 1, "componentType": 5123, "normalized": true, "count": 3, "type": "VEC2"},
    {"bufferView": 2, "componentType": 5121, "count": 3, "type": "SCALAR"}],
  "bufferViews": [
    {"buffer": 0, "byteLength": 36, "target": 34962}, {"buffer": 0, "byteOffset": 36, "byteLength": 12, "target": 34962},
    {"buffer": 0, "byteOffset": 48, "byteLength": 3, "target": 34963}, {"buffer": 0, "byteOffset": 52, "byteLength": 5}],
  "buffers": [{"byteLength": 57, "uri": "in.bin"}]
})";

constexpr float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
constexpr std::uint16_t texcoords[] = {0, 65535, 1, 2, 3, 4};
constexpr std::string_view image = "\x89PNG\n";

class WriteCarried : public testing::Test {
 protected:
  WriteCarried() {
    std::string buffer(57, '\0');
    std::memcpy(buffer.data(), positions, 36);
    std::memcpy(buffer.data() + 36, texcoords, 12);
    std::memcpy(buffer.data() + 48, "\x02\x01\x00", 3);
    std::memcpy(buffer.data() + 52, image.data(), image.size());
    folder_.write("in.bin", buffer);
  }

  /// Returns the model of a text that is stored in a file of the folder.
  Model read_text(std::string_view json, std::string_view name = "in.gltf") {
    FindingList findings;
    auto opened = document::open(folder_.write(name, json), {}, findings);
    EXPECT_TRUE(opened) << opened.error().line();
    auto model = read(*opened, findings);
    EXPECT_TRUE(model) << model.error().line();
    return model ? std::move(*model) : Model();
  }
  /// Returns the result of reading `written`.
  Model read_back(const Written& written) {
    folder_.write("out.bin", document::text_of(written.buffer.view));
    return read_text(written.json, "out.gltf");
  }

  document::Folder folder_;
};

Written write_named(const Model& model) {
  WriteOptions options;
  options.name_buffer = [](std::span<const std::byte>) { return std::string("out.bin"); };
  auto written = write(model, options);
  EXPECT_TRUE(written) << written.error().line();
  return written ? std::move(*written) : Written();
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

/// A parsed text and its memory.
struct Parsed {
  explicit Parsed(std::string json) : text(std::move(json)) {
    auto result = document::Json::parse(text, {}, 0, findings);
    EXPECT_TRUE(result) << text;
    if (result) tape.emplace(std::move(*result));
  }
  [[nodiscard]] JsonValue root() const { return tape->root(); }

  std::string text;
  FindingList findings;
  std::optional<document::Json> tape;
};

TEST_F(WriteCarried, ReadsBackAsTheSameGeometry) {
  const Model back = read_back(write_named(read_text(source)));
  ASSERT_EQ(back.meshes.size(), 1u);
  const VertexBlock& block = back.meshes[0].blocks.at(0);
  EXPECT_THAT(find_attribute(block.attributes, Semantic::position)->values.read<float>(), ElementsAreArray(positions));
  const Array& uv = find_attribute(block.attributes, Semantic::texcoord)->values;
  EXPECT_TRUE(uv.normalized());
  EXPECT_EQ(uv.type(), ComponentType::uint16);
  EXPECT_THAT(uv.read<std::uint32_t>(), ElementsAreArray(texcoords));
  const Array& elements = back.meshes[0].surfaces.at(0).elements;
  EXPECT_EQ(elements.type(), ComponentType::uint8);
  EXPECT_THAT(elements.read<std::uint32_t>(), ElementsAre(2, 1, 0));
  EXPECT_EQ(back.meshes[0].surfaces[0].material, 1u);
  EXPECT_EQ(back.nodes.at(0).mesh, 0u);
  EXPECT_THAT(std::vector<double>(back.rest_pose.locals.at(0).translation.begin(), back.rest_pose.locals[0].translation.end()),
              ElementsAre(1, 2, 3));
  EXPECT_EQ(back.default_scene, 1u);
}

TEST_F(WriteCarried, WritingAgainChangesNothing) {
  const Written once = write_named(read_text(source));
  const Written twice = write_named(read_back(once));
  EXPECT_EQ(once.json, twice.json);
  EXPECT_EQ(document::text_of(once.buffer.view), document::text_of(twice.buffer.view));
}

TEST_F(WriteCarried, WhatTheModelDoesNotInterpretStaysAsItsTextWas) {
  const Parsed file(write_named(read_text(source)).json);
  const JsonValue root = file.root();
  EXPECT_EQ(root["asset"]["copyright"].string(), "© someone");
  EXPECT_EQ(root["asset"]["extras"].text(), R"({"a": [1.50, 1e2]})");
  EXPECT_THAT(root["asset"]["generator"].string(), HasSubstr("Sinew"));
  EXPECT_EQ(root["asset"]["minVersion"].string(), "2.0");
  EXPECT_EQ(root["extras"].text(), R"({"root": true})");
  EXPECT_EQ(root["scenes"].at(0).text(), R"({"name":"empty"})");
  EXPECT_EQ(root["scenes"].at(1).text(), R"({"extras":7,"name":"main","nodes":[0,1]})");
  EXPECT_EQ(root["cameras"].text(), R"([{"type": "perspective", "perspective": {"yfov": 0.50, "znear": 0.1}}])");
  EXPECT_EQ(root["textures"].text(), R"([{"source": 1, "sampler": 0}])");
  EXPECT_EQ(root["samplers"].text(), R"([{"magFilter": 9728}])");
  EXPECT_EQ(root["materials"].at(1).text(),
            R"({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}, "extensions": {"KHR_materials_unlit": {}}})");
  EXPECT_EQ(root["nodes"].at(0)["extras"].text(), R"({"n": 1})");
  EXPECT_EQ(root["nodes"].at(1).text(), R"({"camera":0,"extensions":{"KHR_lights_punctual":{"light": 0}}})");
  EXPECT_EQ(root["meshes"].at(0)["extras"].text(), R"({"m": 2})");
  const JsonValue primitive = root["meshes"].at(0)["primitives"].at(0);
  EXPECT_EQ(primitive["extras"].text(), R"("p")");
  EXPECT_EQ(primitive["extensions"].text(), R"({"KHR_materials_variants":{"mappings": [{"material": 0, "variants": [0]}]}})");
}

TEST_F(WriteCarried, ExtensionsThatEndedAreGoneAndUnknownOnesAreNamed) {
  const Written written = write_named(read_text(source));
  const Parsed file(written.json);
  const JsonValue root = file.root();
  EXPECT_EQ(root["extensionsUsed"].text(), R"(["KHR_lights_punctual","KHR_materials_variants","ACME_thing","KHR_materials_unlit"])");
  EXPECT_EQ(root["extensionsRequired"].text(), R"(["KHR_materials_unlit"])");
  EXPECT_EQ(root["extensions"]["ACME_thing"].text(), R"({"accessor": 0})");
  EXPECT_TRUE(root["extensions"]["KHR_lights_punctual"]);
  EXPECT_EQ(root["nodes"].at(0)["extensions"].text(), R"({"ACME_thing":{"mesh": 0}})");
  EXPECT_THAT(written.notes, UnorderedElementsAre(HasSubstr("ACME_thing"), HasSubstr("copies")));
}

TEST_F(WriteCarried, ImagesInBufferViewsMoveWithTheirBytes) {
  const Written written = write_named(read_text(source));
  const Parsed file(written.json);
  EXPECT_EQ(file.root()["images"].at(0).text(), R"({"uri": "folder/a%20b.png"})");
  EXPECT_THAT(written.relative_uris, ElementsAre("folder/a%20b.png"));
  const JsonValue moved = file.root()["images"].at(1);
  EXPECT_EQ(moved["name"].string(), "inner");
  EXPECT_EQ(moved["mimeType"].string(), "image/png");
  const JsonValue view = file.root()["bufferViews"].at(static_cast<std::uint32_t>(moved["bufferView"].integer().value()));
  EXPECT_FALSE(view["target"]);
  const auto offset = static_cast<std::size_t>(view["byteOffset"].integer().value_or(0));
  EXPECT_EQ(offset % 4, 0u);
  EXPECT_EQ(document::text_of(written.buffer.view).substr(offset, static_cast<std::size_t>(view["byteLength"].integer().value())), image);
}

TEST_F(WriteCarried, ImagesOfOneViewShareItAndLostOnesAreNamed) {
  const Model model = read_text(replaced(std::string(source), R"({"uri": "folder/a%20b.png"})",
                                         R"({"bufferView": 3, "mimeType": "image/png"}, {"bufferView": 99, "mimeType": "image/png"})"));
  const Written written = write_named(model);
  const Parsed file(written.json);
  EXPECT_EQ(file.root()["images"].at(0)["bufferView"].integer(), file.root()["images"].at(2)["bufferView"].integer());
  EXPECT_FALSE(file.root()["images"].at(1)["bufferView"]);
  EXPECT_THAT(written.notes, testing::Contains(HasSubstr("/images/1")));
  EXPECT_THAT(written.relative_uris, IsEmpty());
}

TEST_F(WriteCarried, DataUrisAreNotRelative) {
  const Model model = read_text(replaced(std::string(source), "folder/a%20b.png", "data:image/png;base64,iVBORwo="));
  const Written written = write_named(model);
  EXPECT_THAT(written.json, HasSubstr("data:image/png;base64,iVBORwo="));
  EXPECT_THAT(written.relative_uris, IsEmpty());
}

TEST_F(WriteCarried, HiddenNodesOfTheSourceAreNotSaidTwice) {
  const Model model =
      read_text(replaced(std::string(source), R"({"ACME_thing": {"mesh": 0}, )", R"({"KHR_node_visibility": {"visible": false}, )"));
  ASSERT_FALSE(model.nodes[0].visible);
  const Parsed file(write_named(model).json);
  EXPECT_EQ(file.root()["nodes"].at(0)["extensions"].text(), R"({"KHR_node_visibility":{"visible": false}})");
}

/// Returns whether some array below is empty, which glTF forbids.
bool has_empty_array(JsonValue value) {
  if (value.is(JsonKind::array) && value.size() == 0) return true;
  for (const JsonValue element : value.elements())
    if (has_empty_array(element)) return true;
  for (const JsonMember member : value.members())
    if (has_empty_array(member.value)) return true;
  return false;
}

TEST_F(WriteCarried, NoArrayIsEmpty) {
  for (const std::string_view json :
       {std::string_view(source),
        std::string_view(R"({"asset":{"version":"2.0"},"materials":[],"images":[],"nodes":[{}],"scenes":[{}]})")}) {
    const Parsed file(write_named(read_text(json)).json);
    EXPECT_FALSE(has_empty_array(file.root())) << file.text;
  }
  EXPECT_TRUE(has_empty_array(Parsed(R"({"a":[{"b":[]}]})").root()));
}

}  // namespace
}  // namespace sinew::gltf
