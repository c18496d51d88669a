// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/guard.hpp"
#include "deform/rig.hpp"
#include "unit/deform/rig.hpp"

namespace sinew {
namespace {

using namespace test;
using deform::Palette;

/// Node 0 has the mesh; 1 is the frame, 2 and 3 a chain of joints below it. All have different positions and scales.
Model rig(Skin::Bind bind) {
  Model model;
  model.nodes.resize(4);
  model.nodes[0].mesh = model.nodes[0].skin = 0;
  model.nodes[1].children = {2};
  model.nodes[2].parent = 1;
  model.nodes[2].children = {3};
  model.nodes[3].parent = 2;
  model.meshes.resize(1);
  model.skins.resize(1);
  model.skins[0].bind = bind;
  model.skins[0].slots = {3, 2};
  model.rest_pose.locals.resize(4);
  model.rest_pose.amounts.resize(4);
  model.rest_pose.locals[0].translation = {1, 1, 1};
  model.rest_pose.locals[1].translation = {10, 0, 0};
  model.rest_pose.locals[1].scale = {2, 2, 2};
  model.rest_pose.locals[2].translation = {0, 5, 0};
  model.rest_pose.locals[3].translation = {0, 0, 3};
  return model;
}

Palette palette_at(const Model& model, const Pose& pose) {
  Palette out;
  const auto made = deform::palette(model, need(instances(model))[0], need(world_transforms(model, pose)),
                                    need(world_transforms(model, model.rest_pose)), out);
  EXPECT_TRUE(made.has_value()) << made.error().line();
  return out;
}

/// A pose that turns node 2 by 90° from x to y, stretches node 3 and moves the frame.
Pose moved(const Model& model) {
  Pose pose = model.rest_pose;
  pose.locals[2].rotor = {std::sqrt(0.5), std::sqrt(0.5), 0, 0};
  pose.locals[3].scale = {1, 3, 1};
  pose.locals[1].translation = {0, -7, 0};
  return pose;
}

TEST(Palette, OfIdentityBindIsTheJointsOwnTransform) {
  const Model model = rig(Skin::Bind::identity);
  const Pose pose = moved(model);
  const auto world = need(world_transforms(model, pose));
  const Palette palette = palette_at(model, pose);
  ASSERT_EQ(palette.size(), 3u);
  EXPECT_EQ(palette[0], world[3]);
  EXPECT_EQ(palette[1], world[2]);
  EXPECT_EQ(palette[2], world[0]) << "the node's own map comes last";
}

TEST(Palette, OfMatricesIsJointTimesMatrix) {
  Model model = rig(Skin::Bind::matrices);
  model.skins[0].joint_from_mesh = {affine({0, -1, 0, 1, 0, 0, 0, 0, 1}, {1, 2, 3}), Affine(3)};
  const auto world = need(world_transforms(model, moved(model)));
  const Palette palette = palette_at(model, moved(model));
  EXPECT_EQ(palette[0], world[3] * model.skins[0].joint_from_mesh[0]);
  EXPECT_EQ(palette[1], world[2]);
}

TEST(Palette, SlotsWithoutANodeStayWithTheMesh) {
  Model model = rig(Skin::Bind::identity);
  model.skins[0].slots[0] = none;
  EXPECT_EQ(palette_at(model, moved(model))[0], need(world_transforms(model, moved(model)))[0]);
}

TEST(Palette, WithoutASkinIsTheNodeAlone) {
  Model model = rig(Skin::Bind::identity);
  model.nodes[0].skin = none;
  const Palette palette = palette_at(model, model.rest_pose);
  ASSERT_EQ(palette.size(), 1u);
  EXPECT_EQ(palette[0], need(world_transforms(model, model.rest_pose))[0]);
}

double distance(const Affine& a, const Affine& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.values().size(); ++i) largest = std::max(largest, std::abs(a.values()[i] - b.values()[i]));
  return largest;
}

TEST(Palette, OfTheStoredPosePutsTheMeshIntoItsFrameAtRest) {
  Model model = rig(Skin::Bind::stored_pose);
  EXPECT_LT(distance(palette_at(model, model.rest_pose)[0], Affine(3)), 1e-15) << "no frame: the world";
  model.skins[0].frame = 1;
  const auto rest = need(world_transforms(model, model.rest_pose));
  for (std::size_t slot = 0; slot < 2; ++slot) EXPECT_LT(distance(palette_at(model, model.rest_pose)[slot], rest[1]), 1e-14);
}

TEST(Palette, OfTheStoredPoseIsTheDefinition) {
  Model model = rig(Skin::Bind::stored_pose);
  model.skins[0].frame = 1;
  const auto rest = need(world_transforms(model, model.rest_pose)), world = need(world_transforms(model, moved(model)));
  const Affine joint_from_mesh = *inverse(*inverse(rest[1]) * rest[3]);  // (P°⁻¹·G°)⁻¹
  EXPECT_LT(distance(palette_at(model, moved(model))[0], world[3] * joint_from_mesh), 1e-13);
}

TEST(Palette, AJointThatIsFlatAtRestLeavesItsVerticesWithTheFrame) {
  Model model = rig(Skin::Bind::stored_pose);
  model.rest_pose.locals[3].scale = {1, 0, 1};
  EXPECT_EQ(palette_at(model, moved(model))[0], Affine(3));
  model.skins[0].frame = 1;
  EXPECT_EQ(palette_at(model, moved(model))[0], need(world_transforms(model, moved(model)))[1]);
}

void expect_equal(const Palette& found, const Palette& expected, bool bit_by_bit) {
  ASSERT_EQ(found.size(), expected.size());
  const auto expect = [&](double a, double b, double unit) { EXPECT_LE(std::abs(a - b), bit_by_bit ? 0 : unit * (1 + std::abs(b))); };
  for (std::size_t i = 0; i < found.columns<double>().size(); ++i) {
    expect(found.columns<double>()[i], expected.columns<double>()[i], 1e-14);
    expect(static_cast<double>(found.columns<float>()[i]), static_cast<double>(expected.columns<float>()[i]), 1e-7);
  }
  for (std::size_t slot = 0; slot < found.size(); ++slot) {
    expect(found.map_size(slot).linear, expected.map_size(slot).linear, 1e-14);
    expect(found.map_size(slot).translation, expected.map_size(slot).translation, 1e-14);
  }
}

TEST(Palette, OfAPreparedRigIsTheSame) {
  std::vector<const kernels::SimdKernel*> kernels{nullptr};
  for (const kernels::SimdKernel& kernel : kernels::simd_kernels()) kernels.push_back(&kernel);
  for (const Skin::Bind bind : {Skin::Bind::identity, Skin::Bind::matrices, Skin::Bind::stored_pose, Skin::Bind::skeleton_pose})
    for (const Index frame : {none, Index{1}})
      for (const bool flat : {false, true}) {
        if (bind == Skin::Bind::skeleton_pose && frame == none) continue;
        Model model = rig(bind);
        model.nodes[0].parent = frame;
        if (frame != none) model.nodes[frame].children.push_back(0);
        model.skins[0].frame = frame;
        model.skins[0].slots = {3, none, 2};
        if (flat) model.rest_pose.locals[3].scale = {1, 0, 1};
        const auto rest = need(world_transforms(model, model.rest_pose));
        model.skins[0].joint_from_mesh = {rest[2], rest[3], rest[1]};
        Pose node_moved = moved(model);
        node_moved.locals[0].translation = {3, 1, 1};
        const std::vector<Instance> list = need(instances(model));
        for (const kernels::SimdKernel* kernel : kernels) {
          const deform::Rig prepared(model, list, kernel);
          AlignedVector<double> locals = prepared.table(), world = locals;
          Palette found;
          for (const Pose& pose : {model.rest_pose, moved(model), node_moved}) {
            prepared.locals(pose, locals);
            prepared.world(locals, world);
            ASSERT_TRUE(prepared.palette(0, locals, world, found).has_value());
            expect_equal(found, palette_at(model, pose), kernel == nullptr);
            ASSERT_TRUE(prepared.palette(0, {}, world, found).has_value());
            expect_equal(found, palette_at(model, pose), kernel == nullptr);
          }
        }
      }
}

TEST(Palette, RefusesWhatFloatCannotHold) {
  for (const double bad : {1e39, static_cast<double>(NAN), HUGE_VAL}) {
    Model model = rig(Skin::Bind::identity);
    model.rest_pose.locals[3].translation = {0, bad, 0};
    Palette palette;
    const auto made = deform::palette(model, need(instances(model))[0], need(world_transforms(model, model.rest_pose)), {}, palette);
    ASSERT_FALSE(made.has_value());
    EXPECT_EQ(made.error().failure, Failure::input);
    EXPECT_THAT(made.error().message, testing::HasSubstr("joint slot 0 of skin 0 (node 3)"));
  }
  Model model = rig(Skin::Bind::identity);
  model.rest_pose.locals[0].scale = {1, NAN, 1};
  Palette palette;
  EXPECT_FALSE(deform::palette(model, need(instances(model))[0], need(world_transforms(model, model.rest_pose)), {}, palette).has_value());
}

TEST(Palette, UsedAgainIsAsANewOne) {
  Model plane = rig(Skin::Bind::identity);
  plane.dimension = 2;
  for (LocalTransform& local : plane.rest_pose.locals) local = {{1, 2}, {}, {}, {}};
  Model alone = rig(Skin::Bind::identity);
  alone.nodes[0].skin = none;
  Model far = rig(Skin::Bind::identity);
  far.rest_pose.locals[2].translation = {0, 1e39, 0};
  Palette used;
  const auto fill = [&](const Model& model) {
    const auto world = need(world_transforms(model, model.rest_pose));
    return deform::palette(model, need(instances(model))[0], world, world, used).has_value();
  };
  for (const Model& model : {rig(Skin::Bind::stored_pose), plane, rig(Skin::Bind::identity), alone, rig(Skin::Bind::stored_pose)}) {
    ASSERT_TRUE(fill(model));
    EXPECT_EQ(used.dimension(), model.dimension);
    expect_equal(used, palette_at(model, model.rest_pose), true);
    EXPECT_FALSE(fill(far));
    EXPECT_EQ(used.size(), 0U) << "refused";
    ASSERT_TRUE(fill(model));
    expect_equal(used, palette_at(model, model.rest_pose), true);
  }
}

TEST(Palette, KeepsItsMapsInPaddedColumnsOnCacheLines) {
  for (const std::size_t n : {2u, 3u, 4u, 5u}) {
    Affine map(n);
    for (std::size_t j = 0; j <= n; ++j)
      for (std::size_t i = 0; i < n; ++i) map(i, j) = static_cast<double>(10 * i + j) + 0.1;
    const Palette palette = palette_of({Affine(n), map});
    EXPECT_EQ(palette[1], map);
    const auto floats = palette.columns<float>();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(floats.data()) % 64, 0u);
    ASSERT_EQ(floats.size() % 32, 0u);
    const std::size_t map_stride = floats.size() / 2, column_stride = n == 2 ? 2 : n == 5 ? 8 : 4;
    for (std::size_t j = 0; j <= n; ++j)
      for (std::size_t i = 0; i < column_stride; ++i)
        EXPECT_EQ(floats[map_stride + j * column_stride + i], i < n ? static_cast<float>(map(i, j)) : 0);
  }
}

}  // namespace
}  // namespace sinew
