// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "unit/deform/rig.hpp"

namespace sinew::normals_test {
namespace {

using namespace test;
using testing::FloatNear;
using testing::Pointwise;

auto near(const std::vector<float>& numbers) { return Pointwise(FloatNear(1e-6f), numbers); }

/// One vertex at the origin with this normal and tangent, half on slot 0 and half on slot 1.
Mesh vertex(std::vector<float> normal, std::vector<float> tangent) {
  Mesh mesh = mesh_of({0, 0, 0});
  mesh.blocks[0].attributes.push_back(attribute(Semantic::normal, std::move(normal), 3));
  mesh.blocks[0].attributes.push_back(attribute(Semantic::tangent, std::move(tangent), 4));
  mesh.blocks[0].influences.sets = {influence_set({0, 1, 0, 0}, {.5f, .5f, 0, 0})};
  return mesh;
}

Deformed moved(const Mesh& mesh, const Affine& first, const Affine& second, std::vector<double> amounts = {}) {
  deform::PrepareOptions options;
  options.normals = options.tangents = true;
  return deformed(mesh, {first, second, Affine(3)}, std::move(amounts), options);
}

const Affine identity(3);

TEST(Normals, OfAShearStayPerpendicularToItsTangents) {
  // x' = x + 2y. L⁻ᵀ = (1 0 0; −2 1 0; 0 0 1), so the normal x goes to (1, −2, 0)/√5, while the tangent y goes to L·y = (2, 1, 0)/√5.
  const Affine shear = affine({1, 2, 0, 0, 1, 0, 0, 0, 1}, {5, 6, 7});
  const Deformed out = moved(vertex({1, 0, 0}, {0, 1, 0, -1}), shear, shear);
  const float r = 1 / std::sqrt(5.f);
  EXPECT_THAT(out.normals, near({r, -2 * r, 0}));
  EXPECT_THAT(out.tangents, near({2 * r, r, 0, -1}));
}

TEST(Normals, FollowTheCofactorOfTheBlendNotTheBlendOfCofactors) {
  // Half the identity, half (1 2 0; 0 1 0; 0 0 3): B = (1 1 0; 0 1 0; 0 0 2), columns b0 = x, b1 = x + y, b2 = 2z. Its cofactor matrix has
  // the columns b1×b2 = (2, −2, 0), b2×b0 = (0, 2, 0), b0×b1 = z, so (1, 0, 1) goes to (2, −2, 1), of length 3. Blended cofactors of both
  // maps would give (2, −3, 1).
  const Deformed out = moved(vertex({1, 0, 1}, {0, 1, 0, 1}), identity, affine({1, 2, 0, 0, 1, 0, 0, 0, 3}, {0, 0, 0}));
  EXPECT_THAT(out.normals, near({2 / 3.f, -2 / 3.f, 1 / 3.f}));
}

TEST(Normals, OfAMirrorAreThoseOfTheMirroredTriangles) {
  // diag(−1, 1, 1) has the cofactor matrix diag(1, −1, −1): a triangle's cross product after the map, of its corners in their old order.
  const Affine mirror = affine({-1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0});
  const Deformed out = moved(vertex({0.6f, 0.8f, 0}, {0.8f, -0.6f, 0, 1}), mirror, mirror);
  EXPECT_THAT(out.normals, near({0.6f, -0.8f, 0}));
  EXPECT_THAT(out.tangents, near({-0.8f, -0.6f, 0, 1})) << "w is not touched";
}

TEST(Normals, OfAFlatMapAreThoseOfThePlane) {
  const Affine flat = affine({1, 0, 0, 0, 1, 0, 0, 0, 0}, {0, 0, 0});
  EXPECT_THAT(moved(vertex({0.6f, 0, -0.8f}, {1, 0, 0, 1}), flat, flat).normals, near({0, 0, -1}));
}

TEST(Normals, ThatVanishFallBackToTheBase) {
  const Affine line = affine({1, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0});  // every 2×2 minor is 0
  const Deformed out = moved(vertex({0, 2, 0}, {0, 0, 3, -1}), line, line);
  EXPECT_THAT(out.normals, near({0, 1, 0}));
  EXPECT_THAT(out.tangents, near({0, 0, 1, -1}));
}

TEST(Normals, FallBackEachToItsOwnBase) {
  Mesh mesh = mesh_of({0, 0, 0, 0, 0, 0});
  mesh.blocks[0].attributes.push_back(attribute(Semantic::normal, {0, 1, 0, 0, 0, 1}, 3));
  deform::PrepareOptions options;
  options.normals = true;
  EXPECT_THAT(deformed(mesh, {affine({0, 0, 0, 0, 0, 0, 0, 0, 0}, {1, 2, 3})}, {}, options).normals, near({0, 1, 0, 0, 0, 1}));
}

TEST(Normals, SurviveTinyScales) {
  const double s = 1e-25;  // minors of size 1e-50, far below float
  const Affine tiny = affine({s, 2 * s, 0, 0, s, 0, 0, 0, s}, {0, 0, 0});
  const Deformed out = moved(vertex({1, 0, 0}, {0, 1, 0, 1}), tiny, tiny);
  EXPECT_THAT(out.normals, near({1 / std::sqrt(5.f), -2 / std::sqrt(5.f), 0}));
  EXPECT_THAT(out.tangents, near({2 / std::sqrt(5.f), 1 / std::sqrt(5.f), 0, 1}));
}

TEST(Normals, AreMorphedWithoutNormalisationInBetween) {
  Mesh mesh = vertex({1, 0, 0}, {0, 1, 0, -1});
  mesh.shapes.resize(2);
  const auto offsets = [](Index shape, std::vector<float> values) {
    Offsets out;
    out.shape = shape;
    out.values = Array::own(std::move(values), 3);
    return out;
  };
  mesh.blocks[0].attributes[1].offsets = {offsets(0, {2, 0, 0}), offsets(1, {0, 4, 0})};
  mesh.blocks[0].attributes[2].offsets = {offsets(1, {0, 0, 1})};
  // (1, 0, 0) + 1·(2, 0, 0) + 1·(0, 4, 0) = (3, 4, 0), length 5; normalised after the first shape it would be (1, 4, 0)/√17.
  const Deformed out = moved(mesh, identity, identity, {1, 1});
  EXPECT_THAT(out.normals, near({0.6f, 0.8f, 0}));
  EXPECT_THAT(out.tangents, near({0, std::sqrt(.5f), std::sqrt(.5f), -1}));
}

TEST(Normals, InTwoAndFourDimensionsFollowTheCofactorToo) {
  for (const std::size_t n : {2u, 4u, 6u}) {  // x' = x + 2·(last axis): as above, for any axes between
    Affine shear(n);
    shear(0, n - 1) = 2;
    std::vector<float> normal(n), want(n);
    normal[0] = 1;
    want[0] = 1 / std::sqrt(5.f);
    want[n - 1] = -2 / std::sqrt(5.f);
    Mesh mesh = mesh_of(std::vector<float>(n), n);
    mesh.blocks[0].attributes.push_back(attribute(Semantic::normal, normal, n));
    deform::PrepareOptions options;
    options.normals = true;
    EXPECT_THAT(deformed(mesh, {shear}, {}, options).normals, near(want));
  }
}

TEST(Normals, RowsOfBlocksWithoutThemAreLeftAlone) {
  Mesh mesh = mesh_of({0, 0, 0});
  mesh.blocks.push_back(vertex({0, 0, 1}, {1, 0, 0, 1}).blocks[0]);
  deform::PrepareOptions options;
  options.normals = true;
  options.slots = 2;
  const auto packed = prepared(mesh, 3, options);
  std::vector<float> normals(6, 7.f);
  deform::Output output;
  output.normals = {normals.data(), 2, 3};
  deform::run(packed, palette_of({identity, identity, identity}), {}, {0, 2}, output);
  EXPECT_THAT(normals, testing::ElementsAre(7, 7, 7, 0, 0, 1));
}

}  // namespace
}  // namespace sinew::normals_test
