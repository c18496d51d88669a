// SPDX-License-Identifier: MIT
#include "g4mf/write/write.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/guard.hpp"
#include "document/files/uri.hpp"
#include "unit/g4mf/builder.hpp"
#include "unit/model/attributes.hpp"

namespace sinew::g4mf {
namespace {

using sinew::test::add_instance;
using sinew::test::attribute;
using test::Json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

VertexBlock block_of(std::vector<float> positions, std::size_t dimension) {
  VertexBlock block;
  block.vertices = positions.size() / dimension;
  block.attributes = {attribute(Semantic::position, std::move(positions), dimension)};
  return block;
}

Surface surface_of(Primitive primitive, std::vector<std::uint16_t> indices, Index block = 0) {
  Surface made;
  made.primitive = primitive;
  made.block = block;
  made.indexed = !indices.empty();
  if (made.indexed) made.elements = Array::own(std::move(indices), 1);
  return made;
}

Mesh mesh_of(std::vector<VertexBlock> blocks, std::vector<Surface> surfaces) {
  Mesh mesh;
  mesh.blocks = std::move(blocks);
  mesh.surfaces = std::move(surfaces);
  return mesh;
}

/// The written text, and the result of reading it; there must be no findings.
struct Again {
  Json json;
  Model model;
  std::vector<std::string> notes;
};
Again again(const Model& model) {
  auto written = write(model, {document::octet_stream_uri});
  EXPECT_TRUE(written) << written.error().line();
  if (!written) return {};
  test::Outcome outcome = test::read_text(written->json);
  EXPECT_TRUE(outcome.model) << outcome.model.error().line();
  EXPECT_THAT(outcome.findings, IsEmpty()) << written->json;
  return {Json::parse(written->json), outcome.model ? *outcome.model : Model(), written->notes};
}

std::vector<float> positions(const Mesh& mesh) { return mesh.blocks.at(0).attributes.at(0).values.read<float>(); }

TEST(WriteModel, EveryDimensionReadsBackAsItWas) {
  for (std::size_t dimension = 1; dimension <= 7; ++dimension) {
    const std::size_t corners = std::max<std::size_t>(dimension, 3);
    std::vector<float> values(corners * dimension);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * i) / 3;
    std::vector<std::uint16_t> simplex(corners);
    for (std::size_t i = 0; i < corners; ++i) simplex[i] = static_cast<std::uint16_t>(corners - 1 - i);
    Model model;
    model.dimension = dimension;
    const bool line = dimension == 1;
    add_instance(model, mesh_of({block_of(values, dimension)}, {surface_of(line ? Primitive::line_strip : Primitive::simplexes, simplex)}),
                 "Cell");
    const Again read = again(model);
    EXPECT_EQ(read.model.dimension, dimension);
    EXPECT_EQ(read.model.revision, "2026-01");
    EXPECT_EQ(positions(read.model.meshes.at(0)), values);
    const Surface& surface = read.model.meshes[0].surfaces.at(0);
    EXPECT_EQ(surface.primitive, line ? Primitive::lines : Primitive::simplexes);
    EXPECT_EQ(need(elements_of(read.model.meshes[0], surface, dimension)).indices,
              need(elements_of(model.meshes[0], model.meshes[0].surfaces[0], dimension)).indices);
  }
}

TEST(WriteModel, BlocksBecomeOneListOfVertices) {
  Model model;
  VertexBlock second = block_of({5, 0, 0, 6, 0, 0, 5, 1, 0}, 3);
  second.attributes.push_back(attribute(Semantic::normal, {1, 0, 0, 0, 1, 0, 0, 0, 1}, 3));
  second.attributes.push_back(attribute(Semantic::texcoord, {0, 0, 1, 0, 0, 1}, 2));
  add_instance(model,
               mesh_of({block_of({0, 0, 0, 1, 0, 0, 0, 1, 0}, 3), second},
                       {surface_of(Primitive::simplexes, {}), surface_of(Primitive::simplexes, {2, 0, 1, 2, 1, 0}, 1)}),
               "Two");
  const Again read = again(model);
  const Mesh& mesh = read.model.meshes.at(0);
  EXPECT_THAT(positions(mesh), ElementsAre(0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 0, 0, 6, 0, 0, 5, 1, 0));
  EXPECT_THAT(mesh.surfaces.at(1).elements.read<std::uint32_t>(), ElementsAre(5, 3, 4, 5, 4, 3));
  EXPECT_THAT(mesh.surfaces[0].attributes, IsEmpty());
  EXPECT_THAT(find_attribute(mesh.surfaces[1].attributes, Semantic::normal)->values.read<float>(),
              ElementsAre(0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0));
  EXPECT_THAT(find_attribute(mesh.surfaces[1].attributes, Semantic::texcoord)->values.read<float>(),
              ElementsAre(0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0));
}

TEST(WriteModel, PointsBesideOtherSurfacesGetAMeshOfTheirOwn) {
  Model model;
  add_instance(
      model,
      mesh_of({block_of({0, 0, 0}, 3), block_of({1, 0, 0, 2, 0, 0}, 3), block_of({3, 0, 0, 4, 0, 0}, 3)},
              {surface_of(Primitive::lines, {0, 0}, 0), surface_of(Primitive::points, {1}, 1), surface_of(Primitive::line_loop, {}, 2)}),
      "Body");
  const Again read = again(model);
  ASSERT_THAT(read.model.meshes, SizeIs(3));
  EXPECT_THAT(positions(read.model.meshes[1]), ElementsAre(1, 0, 0, 2, 0, 0));
  EXPECT_EQ(read.model.meshes[1].surfaces.at(0).primitive, Primitive::points);
  EXPECT_THAT(read.model.meshes[2].surfaces.at(0).elements.read<std::uint32_t>(), ElementsAre(0, 1, 1, 0));
  EXPECT_EQ(read.model.nodes.at(2).name, "Body_2");
  EXPECT_THAT(read.notes, ElementsAre(HasSubstr("1 more")));
}

TEST(WriteModel, NamesAreLegalAndUniqueAmongAllItems) {
  Model model;
  for (const char* name : {"a.b/c", "a:b\"c", "a\nb", "a\xC2\x85", "Gr\xC3\xBC\xC3\x9F", "", ""})
    add_instance(model, mesh_of({block_of({0, 0, 0}, 3)}, {surface_of(Primitive::points, {})}), name);
  model.meshes[0].name = "a_b_c";
  model.materials.resize(2);
  const Again read = again(model);
  std::vector<std::string> nodes;
  for (const Node& node : read.model.nodes) nodes.push_back(node.name);
  EXPECT_THAT(nodes, ElementsAre("", "a_b_c", "a_b_c_2", "a_b", "a_", "Gr\xC3\xBC\xC3\x9F", "", ""));
  EXPECT_EQ(read.model.meshes.at(0).name, "a_b_c_3");
  EXPECT_EQ(read.model.materials.at(1).name, "Material_2");
}

TEST(WriteModel, EqualSurfacesDifferByTheirNames) {
  Model model;
  const Surface line = surface_of(Primitive::lines, {0, 0});
  add_instance(model, mesh_of({block_of({0, 0, 0}, 3)}, {line, line, line}), "");
  EXPECT_EQ(again(model).json["meshes"][0]["surfaces"],
            Json::parse(R"([{"edges": 1}, {"edges": 1, "name": "Surface"}, {"edges": 1, "name": "Surface_2"}])"));
}

TEST(WriteModel, EqualDataAreStoredOnce) {
  Model model;
  for (int i = 0; i < 3; ++i) add_instance(model, mesh_of({block_of({0, 0, 0}, 3)}, {surface_of(Primitive::lines, {0, 0})}), "");
  const Again read = again(model);
  EXPECT_THAT(read.json["accessors"], SizeIs(2));
  EXPECT_THAT(read.json["bufferViews"], SizeIs(2));
  EXPECT_THAT(read.model.meshes, SizeIs(3));
}

TEST(WriteModel, WithoutInstancesOrVerticesIsAFileAllTheSame) {
  Model model;
  EXPECT_THAT(again(model).json, SizeIs(2));
  add_instance(model, mesh_of({}, {}), "None");
  add_instance(model, mesh_of({VertexBlock()}, {surface_of(Primitive::simplexes, {})}), "Empty");
  model.nodes[1].visible = false;
  const Again read = again(model);
  ASSERT_THAT(read.model.meshes, SizeIs(2));
  for (const Mesh& mesh : read.model.meshes) EXPECT_EQ(mesh.blocks.at(0).vertices, 0u);
  EXPECT_FALSE(read.model.nodes.at(2).visible);
}

TEST(WriteModel, TopologyStays) {
  const test::Outcome cube = test::cube().read();
  Model model = *cube;
  model.rest_pose.locals.assign(model.nodes.size(), {});
  const Topology& before = *cube->meshes[0].surfaces.at(0).topology;
  const Again read = again(model);
  const Surface& surface = read.model.meshes.at(0).surfaces.at(0);
  ASSERT_TRUE(surface.topology);
  ASSERT_EQ(surface.topology->tiers.size(), before.tiers.size());
  for (std::size_t i = 0; i < before.tiers.size(); ++i)
    EXPECT_EQ(surface.topology->tiers[i].read<std::uint32_t>(), before.tiers[i].read<std::uint32_t>());
  EXPECT_EQ(surface.topology->seams.read<std::uint32_t>(), before.seams.read<std::uint32_t>());
  EXPECT_EQ(surface.topology->instances.read<std::uint32_t>(), before.instances.read<std::uint32_t>());
  EXPECT_EQ(find_attribute(surface.topology->attributes, Semantic::normal)->values.read<float>(),
            find_attribute(before.attributes, Semantic::normal)->values.read<float>());
}

TEST(WriteModel, CamerasLightsExtrasAndFactorsComeAlong) {
  test::Builder b = test::simplex(3);
  b.json["nodes"][0]["extras"] = {{"of", "root"}};
  b.json["nodes"][0]["name"] = "Scene";
  b.json["meshes"][0]["extras"] = {{"of", "mesh"}};
  const std::size_t arm = b.add_node({{"name", "Arm"}, {"position", {1, 2, 3}}, {"visible", false}});
  b.add_node({{"name", "Eye"}, {"basis", {0, 2, 0, -2, 0, 0, 0, 0, 2}}, {"position", {0, 0, 1}}, {"camera", {{"type", "perspective"}}}},
             arm);
  b.add_node({{"name", "Lamp"}, {"light", {{"type", "point"}, {"name", "Bulb"}}}});
  b.add("materials", {{"name", "Skin"}, {"baseColor", {{"factor", {1, 0.5, 0}}, {"texture", 0}}}});
  b.add("textures", {{"size", {1, 1}}, {"placeholder", {1}}});
  b.json["meshes"][0]["surfaces"][0]["material"] = 0;
  const test::Outcome outcome = b.read();
  ASSERT_TRUE(outcome.model);
  Model model = *outcome;
  model.meshes[0].name = "Bulb";
  const Again read = again(model);
  EXPECT_EQ(read.json["nodes"][0], Json::parse(R"({"extras": {"of": "root"}, "name": "Scene", "children": [1, 2, 3]})"));
  EXPECT_EQ(
      read.json["nodes"][2],
      Json::parse(
          R"({"camera": {"type": "perspective"}, "name": "Eye", "visible": false, "position": [1, 2, 4], "basis": [0, 2, 0, -2, 0, 0, 0, 0, 2]})"));
  EXPECT_EQ(read.json["nodes"][3], Json::parse(R"({"light": {"type": "point", "name": "Bulb"}, "name": "Lamp"})"));
  EXPECT_EQ(read.json["meshes"][0]["name"], "Bulb_2");
  EXPECT_EQ(read.json["meshes"][0]["extras"]["of"], "mesh");
  EXPECT_EQ(read.json["materials"][0], Json::parse(R"({"baseColor": {"factor": [1, 0.5, 0]}, "name": "Skin"})"));
  EXPECT_THAT(read.notes, ElementsAre(HasSubstr("textures")));
}

TEST(WriteModel, WhatHasNoPlaceIsANote) {
  Model model;
  VertexBlock block = block_of({0, 0, 0}, 3);
  block.attributes.push_back(attribute(Semantic::color, {1, 1, 1}, 3));
  block.attributes.push_back(attribute(Semantic::texcoord, {1, 1}, 2));
  block.attributes.back().set = 1;
  add_instance(model, mesh_of({block}, {surface_of(Primitive::points, {})}), "");
  model.materials.resize(1);
  EXPECT_THAT(again(model).notes,
              ElementsAre("materials keep only their names", "G4MF cannot store colours of vertices, further texture coordinates"));
}

}  // namespace
}  // namespace sinew::g4mf
