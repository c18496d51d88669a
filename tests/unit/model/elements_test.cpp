// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/guard.hpp"

#include "sinew/model.hpp"

namespace sinew {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Elements elements(Primitive primitive, std::vector<std::uint16_t> indices, std::size_t dimension = 3) {
  Surface surface;
  surface.primitive = primitive;
  surface.indexed = true;
  surface.elements = Array::own(std::move(indices), 1);
  return need(elements_of({}, surface, dimension));
}

TEST(Elements, ListsDropTheirIncompleteLastPiece) {
  EXPECT_THAT(elements(Primitive::points, {4, 2}).indices, ElementsAre(4, 2));
  EXPECT_THAT(elements(Primitive::lines, {4, 2, 7}).indices, ElementsAre(4, 2));
  EXPECT_THAT(elements(Primitive::simplexes, {4, 2, 7, 1, 0}).indices, ElementsAre(4, 2, 7));
}

TEST(Elements, SimplexesHaveAsManyCornersAsTheSpaceHasDimensionsButThree) {
  EXPECT_EQ(elements(Primitive::simplexes, {0, 1, 2, 3, 4}, 4).corners, 4u);
  EXPECT_THAT(elements(Primitive::simplexes, {0, 1, 2, 3, 4}, 4).indices, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(elements(Primitive::simplexes, {0, 1, 2}, 2).corners, 3u);
}

TEST(Elements, StripsOfTrianglesKeepFacingTheSameWay) {
  const Elements strip = elements(Primitive::simplex_strip, {10, 11, 12, 13, 14});
  EXPECT_EQ(strip.corners, 3u);
  EXPECT_THAT(strip.indices, ElementsAre(10, 11, 12, 11, 13, 12, 12, 13, 14));
}

TEST(Elements, FansTurnAroundTheirFirstVertex) {
  EXPECT_THAT(elements(Primitive::simplex_fan, {10, 11, 12, 13}).indices, ElementsAre(11, 12, 10, 12, 13, 10));
}

TEST(Elements, LoopsCloseAndStripsDoNot) {
  EXPECT_THAT(elements(Primitive::line_strip, {5, 6, 7}).indices, ElementsAre(5, 6, 6, 7));
  EXPECT_THAT(elements(Primitive::line_loop, {5, 6, 7}).indices, ElementsAre(5, 6, 6, 7, 7, 5));
}

TEST(Elements, TooFewIndicesMakeNothing) {
  for (const Primitive primitive : {Primitive::lines, Primitive::line_strip, Primitive::line_loop, Primitive::simplexes,
                                    Primitive::simplex_strip, Primitive::simplex_fan}) {
    EXPECT_THAT(elements(primitive, {}).indices, IsEmpty());
    EXPECT_THAT(elements(primitive, {3}).indices, IsEmpty());
  }
  EXPECT_THAT(elements(Primitive::simplex_strip, {3, 4}).indices, IsEmpty());
}

TEST(Elements, WithoutIndicesAreTheVerticesInOrder) {
  Mesh mesh;
  mesh.blocks.resize(2);
  mesh.blocks[1].vertices = 4;
  Surface surface;
  surface.block = 1;
  surface.primitive = Primitive::simplex_fan;
  EXPECT_THAT(need(elements_of(mesh, surface, 3)).indices, ElementsAre(1, 2, 0, 2, 3, 0));
}

TEST(FindAttribute, GoesByMeaningAndSet) {
  std::vector<Attribute> attributes(3);
  attributes[0].semantic = Semantic::position;
  attributes[1].semantic = attributes[2].semantic = Semantic::texcoord;
  attributes[2].set = 1;
  EXPECT_EQ(find_attribute(attributes, Semantic::texcoord, 1), &attributes[2]);
  EXPECT_EQ(find_attribute(attributes, Semantic::texcoord), &attributes[1]);
  EXPECT_EQ(find_attribute(attributes, Semantic::normal), nullptr);
}

}  // namespace
}  // namespace sinew
