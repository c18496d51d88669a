// SPDX-License-Identifier: MIT
// How formats store values per corner.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/document/files.hpp"
#include "unit/model/attributes.hpp"

#include "sinew/load.hpp"
#include "sinew/save.hpp"

namespace sinew::io {
namespace {

using sinew::test::attribute;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// A square of two triangles, (0, 1, 2) and (0, 2, 3), and a loose edge. The triangles share their normal, but not all texture coordinates.
Model square() {
  Model model;
  Mesh& mesh = model.meshes.emplace_back();
  VertexBlock& block = mesh.blocks.emplace_back();
  block.vertices = 5;
  block.attributes = {attribute(Semantic::position, {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 7, 7, 7}, 3)};
  Surface& cells = mesh.surfaces.emplace_back();
  cells.indexed = true;
  cells.elements = Array::own(std::vector<std::uint16_t>{0, 1, 2, 0, 2, 3}, 3);
  cells.attributes = {attribute(Semantic::normal, {0, 0, 1}, 3),
                      attribute(Semantic::texcoord, {0, 0, 1, 0, 1, 1, 0, 0, 0.5F, 0.5F, 0, 1}, 2)};
  cells.attributes[0].index = Array::own(std::vector<std::uint8_t>(6), 1);
  Surface& edge = mesh.surfaces.emplace_back();
  edge.primitive = Primitive::lines;
  edge.indexed = true;
  edge.elements = edge.edges = Array::own(std::vector<std::uint16_t>{3, 4}, 2);
  Node& node = model.nodes.emplace_back();
  node.name = "square";
  node.mesh = 0;
  model.rest_pose.locals.emplace_back();
  model.rest_pose.amounts.emplace_back();
  return model;
}

class SaveCorners : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path at(const std::string& name) const { return folder_.path() / name; }
  std::vector<std::string> save_well(const Model& model, const std::string& name) {
    std::vector<std::string> notes;
    const auto saved = save(model, at(name), &notes);
    EXPECT_TRUE(saved) << saved.error().line();
    return notes;
  }
  Model reread(const std::string& name) {
    FindingList findings;
    auto model = load(at(name), {}, findings);
    EXPECT_TRUE(model) << model.error().line();
    EXPECT_THAT(findings.list(), IsEmpty());
    return model ? std::move(*model) : Model();
  }

  document::Folder folder_;
};

std::vector<float> values(const std::vector<Attribute>& attributes, Semantic semantic) {
  const Attribute* found = find_attribute(attributes, semantic);
  return found == nullptr ? std::vector<float>() : found->values.read<float>();
}

TEST_F(SaveCorners, GlbHasAVertexForEveryCombination) {
  EXPECT_THAT(save_well(square(), "a.glb"), IsEmpty());
  const Model model = reread("a.glb");
  const Mesh& mesh = model.meshes.at(0);
  ASSERT_THAT(mesh.surfaces, SizeIs(2));
  EXPECT_THAT(mesh.surfaces[0].elements.read<std::uint32_t>(), ElementsAre(0, 1, 2, 0, 3, 4));
  const VertexBlock& cells = mesh.blocks.at(mesh.surfaces[0].block);
  EXPECT_THAT(values(cells.attributes, Semantic::position), ElementsAre(0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 0, 1, 0));
  EXPECT_THAT(values(cells.attributes, Semantic::normal), ElementsAre(0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1));
  EXPECT_THAT(values(cells.attributes, Semantic::texcoord), ElementsAre(0, 0, 1, 0, 1, 1, 0.5F, 0.5F, 0, 1));
  const VertexBlock& edges = mesh.blocks.at(mesh.surfaces[1].block);
  EXPECT_EQ(edges.vertices, 5u);
  EXPECT_THAT(mesh.surfaces[1].elements.read<std::uint32_t>(), ElementsAre(3, 4));
}

TEST_F(SaveCorners, PlyHasThemToo) {
  save_well(square(), "a.ply");
  const std::string text = folder_.read("a.ply");
  EXPECT_THAT(text, HasSubstr("element vertex 10\n"));
  EXPECT_THAT(text, HasSubstr("property float nx\n"));
  EXPECT_THAT(text, HasSubstr("property float s\n"));
}

TEST_F(SaveCorners, ObjKeepsVerticesAndCountsEachListByItself) {
  EXPECT_THAT(save_well(square(), "a.obj"), IsEmpty());
  EXPECT_EQ(folder_.read("a.obj"),
            "o square\n"
            "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 7 7 7\n"
            "vt 0 1\nvt 1 1\nvt 1 0\nvt 0.5 0.5\nvt 0 0\n"
            "vn 0 0 1\n"
            "f 1/1/1 2/2/1 3/3/1\nf 1/1/1 3/4/1 4/5/1\n"
            "l 4 5\n");
}

TEST_F(SaveCorners, OffAndNpyKeepTheVertices) {
  save_well(square(), "a.off");
  EXPECT_THAT(folder_.read("a.off"), HasSubstr("OFF\n5 3 0\n"));
}

TEST_F(SaveCorners, WhatAFormatCannotHoldIsANote) {
  Model model = square();
  Surface& cells = model.meshes[0].surfaces[0];
  cells.attributes[1] = attribute(Semantic::texcoord, std::vector<float>(18), 3);
  cells.edges = Array::own(std::vector<std::uint16_t>{0, 2}, 2);
  cells.topology.emplace();
  for (const char* name : {"a.glb", "a.gltf", "a.ply", "a.obj"})
    EXPECT_THAT(save_well(model, name), ElementsAre(HasSubstr("texture coordinates"), HasSubstr("edges"), HasSubstr("topology"))) << name;
  EXPECT_THAT(save_well(model, "a.g4b"), IsEmpty());
}

TEST_F(SaveCorners, G4mfKeepsThemPerCorner) {
  for (const char* name : {"a.g4b", "a.g4tf"}) {
    EXPECT_THAT(save_well(square(), name), IsEmpty());
    const Model model = reread(name);
    const Mesh& mesh = model.meshes.at(0);
    EXPECT_EQ(model.revision, "2026-01");
    EXPECT_EQ(model.nodes.at(1).name, "square");
    EXPECT_THAT(values(mesh.blocks[0].attributes, Semantic::position), ElementsAre(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 7, 7, 7));
    EXPECT_THAT(mesh.surfaces[0].elements.read<std::uint32_t>(), ElementsAre(0, 1, 2, 0, 2, 3));
    EXPECT_THAT(values(mesh.surfaces[0].attributes, Semantic::normal), SizeIs(18));
    EXPECT_THAT(values(mesh.surfaces[0].attributes, Semantic::texcoord), ElementsAre(0, 0, 1, 0, 1, 1, 0, 0, 0.5F, 0.5F, 0, 1));
    EXPECT_THAT(mesh.surfaces[1].edges.read<std::uint32_t>(), ElementsAre(3, 4));
  }
}

}  // namespace
}  // namespace sinew::io
