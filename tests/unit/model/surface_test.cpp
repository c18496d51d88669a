// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/guard.hpp"

#include "sinew/model.hpp"

namespace sinew {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CornerCount, IsThatOfTheExpandedElements) {
  Mesh mesh;
  mesh.blocks.resize(1);
  for (const Primitive primitive : {Primitive::points, Primitive::lines, Primitive::line_loop, Primitive::line_strip, Primitive::simplexes,
                                    Primitive::simplex_strip, Primitive::simplex_fan})
    for (const bool indexed : {false, true})
      for (std::size_t count = 0; count < 9; ++count)
        for (const std::size_t dimension : {2u, 3u, 4u, 5u}) {
          Surface surface;
          surface.primitive = primitive;
          surface.indexed = indexed;
          mesh.blocks[0].vertices = count;
          if (indexed) surface.elements = Array::own(std::vector<std::uint8_t>(count), 1);
          EXPECT_EQ(corner_count(mesh, surface, dimension), need(elements_of(mesh, surface, dimension)).indices.size()) << count;
        }
  Surface wide;  // as G4MF stores simplexes: a row each
  wide.indexed = true;
  wide.elements = Array::own(std::vector<std::uint8_t>(12), 4);
  EXPECT_EQ(corner_count(mesh, wide, 4), 12u);
}

/// A square in the plane, its edges stored in both directions.
Mesh square() {
  Mesh mesh;
  mesh.blocks.resize(1);
  mesh.blocks[0].vertices = 4;
  Attribute positions;
  positions.semantic = Semantic::position;
  positions.values = Array::own(std::vector<float>{0, 0, 2, 0, 2, 2, 0, 2}, 2);
  mesh.blocks[0].attributes = {positions};
  mesh.surfaces.resize(1);
  mesh.surfaces[0].edges = Array::own(std::vector<std::uint16_t>{1, 0, 1, 2, 3, 2, 3, 0}, 2);
  mesh.surfaces[0].topology.emplace();
  mesh.surfaces[0].topology->tiers = {Array::own(std::vector<std::uint8_t>{4, 0, 1, 2, 3}, 1)};
  return mesh;
}

TEST(TopologyCorners, AreTheVerticesOfEachBoundaryItem) {
  const Mesh mesh = square();
  const auto corners = topology_corners(mesh.surfaces[0], 2, 100);
  ASSERT_TRUE(corners);
  EXPECT_THAT(corners->first, ElementsAre(0, 4));
  EXPECT_THAT(corners->indices, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(topology_corners(mesh.surfaces[0], 4, 100)->size(), 0u) << "no volumes in it";
  EXPECT_EQ(topology_corners(Surface{}, 3, 100)->size(), 0u);
  EXPECT_FALSE(topology_corners(mesh.surfaces[0], 2, 3));
}

TEST(SimplexesFromTopology, AreCutInTheStoredShape) {
  const Mesh mesh = square();
  const auto flat = simplexes_from_topology(mesh, mesh.surfaces[0], 2, 100);
  ASSERT_TRUE(flat);
  EXPECT_EQ(flat->corners, 3u);
  EXPECT_THAT(flat->simplexes, ElementsAre(0, 1, 2, 0, 2, 3));
  EXPECT_THAT(simplexes_from_topology(mesh, mesh.surfaces[0], 3, 100)->simplexes, ElementsAre(0, 1, 2, 0, 2, 3)) << "z = 0";
  EXPECT_THAT(simplexes_from_topology(mesh, mesh.surfaces[0], 4, 100)->simplexes, IsEmpty());
}

}  // namespace
}  // namespace sinew
