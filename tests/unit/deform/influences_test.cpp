// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/deform/rig.hpp"

namespace sinew {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::FloatNear;
using testing::Pointwise;

/// Slot j maps everything to (j + 1)·(1, 10, 100); the node's own map, the last one, to −1·(1, 10, 100). With every vertex at the origin,
/// the first coordinate of a result is Σ weight · (j + 1).
std::vector<Affine> marks(std::size_t slots) {
  std::vector<Affine> maps;
  for (std::size_t j = 0; j <= slots; ++j) {
    const double mark = j == slots ? -1 : static_cast<double>(j) + 1;
    maps.push_back(affine({1, 0, 0, 0, 1, 0, 0, 0, 1}, {mark, 10 * mark, 100 * mark}));
  }
  return maps;
}

float mark_of(const Influences& influences, std::size_t slots, deform::PrepareOptions options = {}) {
  Mesh mesh = mesh_of({0, 0, 0});
  mesh.blocks[0].influences = influences;
  return deformed(mesh, marks(slots), {}, options).positions[0];
}

Influences sets(std::vector<Influences::Set> list) {
  Influences influences;
  influences.sets = std::move(list);
  return influences;
}

/// One vertex with entries as G4MF stores them.
Influences row(std::vector<std::uint16_t> slots, std::vector<float> weights) {
  Influences influences;
  influences.first = {0, static_cast<std::uint32_t>(slots.size())};
  influences.slots = Array::own(std::move(slots), 1);
  influences.weights = Array::own(std::move(weights), 1);
  influences.divide_by_sum = true;
  return influences;
}

TEST(Influences, OfGltfAreUsedAsStored) {
  EXPECT_EQ(mark_of(sets({influence_set({0, 1, 2, 0}, {0.5f, 0.25f, 0.25f, 0})}), 3), 0.5f + 0.5f + 0.75f);
  EXPECT_EQ(mark_of(sets({influence_set({0, 1, 0, 0}, {0.5f, 1, 0, 0})}), 3), 2.5f);  // a wrong sum stays wrong
}

TEST(Influences, TheSameJointTwiceAddsUp) {
  EXPECT_EQ(mark_of(sets({influence_set({2, 2, 0, 0}, {0.5f, 0.25f, 0, 0.25f})}), 3), 3 * 0.75f + 0.25f);
}

TEST(Influences, OfAllSetsCount) {
  const auto eight =
      sets({influence_set({0, 1, 2, 3}, {.125f, .125f, .125f, .125f}), influence_set({4, 5, 6, 7}, {.125f, .125f, .125f, .125f})});
  EXPECT_EQ(mark_of(eight, 8), 36 / 8.f);
}

TEST(Influences, AreReadFromNormalisedIntegers) {
  EXPECT_FLOAT_EQ(mark_of(sets({influence_set<std::uint8_t>({0, 1, 0, 0}, {51, 204, 0, 0}, true)}), 2), 0.2f + 2 * 0.8f);
  EXPECT_FLOAT_EQ(mark_of(sets({influence_set<std::uint16_t>({0, 1, 0, 0}, {13107, 52428, 0, 0}, true)}), 2), 0.2f + 2 * 0.8f);
}

TEST(Influences, AllZeroCollapseToTheOriginInGltf) {
  Mesh mesh = mesh_of({1, 2, 3});
  mesh.blocks[0].influences = sets({influence_set({0, 1, 0, 0}, {0, 0, 0, 0})});
  EXPECT_THAT(deformed(mesh, marks(2)).positions, ElementsAre(0, 0, 0));
}

TEST(Influences, LimitedToTheStrongestAreRenormalised) {
  const auto stored = sets({influence_set({3, 0, 1, 2}, {.125f, .125f, .25f, .5f})});
  deform::PrepareOptions options;
  options.max_influences = 1;
  EXPECT_FLOAT_EQ(mark_of(stored, 4, options), 3);  // slot 2
  options.max_influences = 2;
  EXPECT_FLOAT_EQ(mark_of(stored, 4, options), 3 * 2 / 3.f + 2 / 3.f);
  options.max_influences = 3;  // of equal weights, that of the lower slot
  EXPECT_FLOAT_EQ(mark_of(stored, 4, options), (3 * .5f + 2 * .25f + .125f) / .875f);
}

TEST(Influences, LimitedToTheFirstOnesThatCountAreRenormalised) {
  const auto stored = sets({influence_set({3, 0, 1, 2}, {0, .5f, .25f, .25f})});
  deform::PrepareOptions options;
  options.keep_first = true;
  options.max_influences = 2;  // slots 0 and 1 with ⅔ and ⅓
  EXPECT_FLOAT_EQ(mark_of(stored, 4, options), 2.f / 3 + 2 / 3.f);
  options.max_influences = 1;
  EXPECT_FLOAT_EQ(mark_of(stored, 4, options), 1);
  options.max_influences = 9;
  EXPECT_FLOAT_EQ(mark_of(stored, 4, options), .5f + .5f + .75f);
}

TEST(Influences, OfRowsAreDividedByTheSumOfWhatCounts) {
  EXPECT_FLOAT_EQ(mark_of(row({0, 2}, {0.75f, 0.25f}), 3), 1.5f);
  EXPECT_FLOAT_EQ(mark_of(row({0, 2}, {3, 1}), 3), 1.5f);
  EXPECT_FLOAT_EQ(mark_of(row({0, 7, 2}, {3, 100, 1}), 3), 1.5f) << "a group beyond the slots does nothing";
}

TEST(Influences, RowsWithoutAnythingThatCountsStayWithTheNode) {
  EXPECT_EQ(mark_of(row({}, {}), 3), -1);
  EXPECT_EQ(mark_of(row({5}, {1}), 3), -1);
  EXPECT_EQ(mark_of(row({0, 1}, {1, -1}), 3), -1);
}

TEST(Influences, BlocksWithoutThemStayWithTheNode) {
  Mesh mesh = mesh_of({0, 0, 0});
  mesh.blocks.push_back(mesh.blocks[0]);
  mesh.blocks[0].influences = sets({influence_set({1, 0, 0, 0}, {1, 0, 0, 0})});
  EXPECT_THAT(deformed(mesh, marks(2)).positions, ElementsAre(2, 20, 200, -1, -10, -100));
}

TEST(Influences, AreIgnoredWhereTheMeshIsNotSkinned) {
  Mesh mesh = mesh_of({0, 0, 0});
  mesh.blocks[0].influences = sets({influence_set({1, 0, 0, 0}, {1, 0, 0, 0})});
  deform::PrepareOptions options;
  options.skinned = false;
  EXPECT_THAT(deformed(mesh, marks(0), {}, options).positions, ElementsAre(-1, -10, -100));
}

TEST(Prepare, RefusesNumbersThatAreNotFinite) {
  const auto refusal = [](const Mesh& mesh) {
    deform::PrepareOptions options;
    options.slots = 2;
    options.normals = options.tangents = true;
    const auto prepared = deform::prepare(mesh, 3, options);
    EXPECT_FALSE(prepared.has_value());
    if (prepared) return std::string();
    EXPECT_EQ(prepared.error().failure, Failure::input);
    return prepared.error().message;
  };
  using testing::HasSubstr;
  EXPECT_THAT(refusal(mesh_of({0, 0, 0, 1, NAN, 1})), HasSubstr("position of vertex 1 in block 0"));

  Mesh mesh = mesh_of({0, 0, 0, 1, 1, 1});
  mesh.name = "Body";
  mesh.blocks[0].influences = sets({influence_set({0, 0, 0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 1, HUGE_VALF, 0, 0})});
  EXPECT_THAT(refusal(mesh), HasSubstr("weight of vertex 1 in block 0 of mesh \"Body\""));

  mesh = mesh_of({0, 0, 0, 1, 1, 1});
  mesh.blocks[0].attributes.push_back(attribute(Semantic::normal, {0, 0, 1, 0, 0, -HUGE_VALF}, 3));
  EXPECT_THAT(refusal(mesh), HasSubstr("normal of vertex 1"));

  mesh = mesh_of({0, 0, 0, 1, 1, 1});
  mesh.shapes.resize(4);
  Offsets offsets{3, Array::own(std::vector<std::uint32_t>{1}, 1), Array::own(std::vector<float>{0, NAN, 0}, 3), true};
  mesh.blocks[0].attributes[0].offsets = {offsets};
  EXPECT_THAT(refusal(mesh), HasSubstr("position offset by blend shape 3 of vertex 1"));
}

TEST(Prepare, RefusesKernelsAndDimensionsThatItLacks) {
  const Mesh mesh = mesh_of({0, 0, 0});
  deform::PrepareOptions options;
  options.kernel = "plain";
  EXPECT_EQ(deform::prepare(mesh, 3, options)->kernel(), "plain");
  options.kernel = "abacus";
  EXPECT_EQ(deform::prepare(mesh, 3, options).error().failure, Failure::unsupported);
  EXPECT_EQ(deform::prepare(mesh, 17).error().failure, Failure::limit);
}

TEST(Prepare, CountsWhatItPacked) {
  Mesh mesh = mesh_of({0, 0, 0, 1, 1, 1});
  mesh.blocks.resize(3);
  mesh.blocks[1].vertices = 0;  // a primitive without positions
  mesh.blocks[2] = mesh.blocks[0];
  mesh.blocks[2].attributes.push_back(attribute(Semantic::normal, {0, 0, 1, 0, 0, 1}, 3));
  mesh.shapes.resize(5);
  EXPECT_FALSE(deform::prepare(mesh, 3)->has_normals()) << "not asked for";
  deform::PrepareOptions options;
  options.normals = options.tangents = true;
  const auto prepared = deform::prepare(mesh, 3, options);
  ASSERT_TRUE(prepared);
  EXPECT_EQ(prepared->vertices(), 4u);
  EXPECT_EQ(prepared->shapes(), 5u);
  EXPECT_EQ(prepared->dimension(), 3u);
  EXPECT_TRUE(prepared->has_normals());
  EXPECT_FALSE(prepared->has_tangents());
}

TEST(Prepare, OfAnEmptyMeshHasNothingToDo) {
  EXPECT_EQ(deform::prepare(Mesh{}, 3)->vertices(), 0u);
  EXPECT_TRUE(deformed(prepared(Mesh{}, 3, {}), palette_of({Affine(3)})).positions.empty());
}

}  // namespace
}  // namespace sinew
