// SPDX-License-Identifier: MIT
#include "operations/repair/repair.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "unit/model/attributes.hpp"

namespace sinew::operations {
namespace {

using sinew::test::attribute;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pointwise;
using testing::SizeIs;

/// A mesh of one block at node 0, whose skin has `joints` joints: a chain from node 1 on.
Model rig(std::size_t vertices, Index joints) {
  Model model;
  model.format = "glTF";
  Mesh& mesh = model.meshes.emplace_back();
  VertexBlock& block = mesh.blocks.emplace_back();
  block.vertices = vertices;
  block.attributes.push_back({Semantic::position, 0, {}, Array::own(std::vector<float>(vertices * 3), 3), {}, {}});
  mesh.surfaces.emplace_back();
  Skin& skin = model.skins.emplace_back();
  model.nodes.resize(1 + joints);
  for (Index j = 1; j <= joints; ++j) {
    skin.slots.push_back(j);
    model.nodes[j].parent = j == 1 ? none : j - 1;
    if (j != 1) model.nodes[j - 1].children = {j};
  }
  model.nodes[0].mesh = 0;
  model.nodes[0].skin = 0;
  model.rest_pose.locals.resize(1 + joints);
  model.rest_pose.amounts.resize(1 + joints);
  return model;
}

template <class J, class W>
Influences::Set set_of(std::vector<J> joints, std::vector<W> weights) {
  return {Array::own(std::move(joints), 4), Array::own(std::move(weights), 4, !std::is_floating_point_v<W>)};
}

struct Mended {
  Model model;
  std::vector<Finding> changes;
  [[nodiscard]] const Influences& influences() const { return model.meshes[0].blocks[0].influences; }
  [[nodiscard]] std::vector<std::uint32_t> joints(std::size_t set = 0) const { return influences().sets[set].joints.read<std::uint32_t>(); }
  [[nodiscard]] std::vector<float> weights(std::size_t set = 0) const { return influences().sets[set].weights.read<float>(); }
};

Mended repaired(const Model& model, const RepairOptions& options = {}) {
  FindingList changes;
  auto result = repair_model(model, options, changes);
  EXPECT_TRUE(result);
  return {std::move(*result), changes.list()};
}

RepairOptions limits(std::size_t most, double prune) {
  RepairOptions options;
  options.max_influences = most;
  options.prune = prune;
  return options;
}

Mended with_sets(std::vector<Influences::Set> sets, const RepairOptions& options = {}, Index joints = 3) {
  Model model = rig(sets[0].joints.size(), joints);
  model.meshes[0].blocks[0].influences.sets = std::move(sets);
  return repaired(model, options);
}

TEST(Repair, KeepsTheBytesOfWhatIsRight) {
  Model model = rig(2, 3);
  // Not in descending order, and a weight of 0 in front: glTF allows both.
  model.meshes[0].blocks[0].influences.sets = {set_of<std::uint8_t, float>({0, 1, 2, 0, 0, 2, 1, 0}, {0, 0.25F, 0.75F, 0, 1, 0, 0, 0})};
  model.meshes[0].blocks[0].influences.sets[0].joints = Array::own(std::vector<std::uint8_t>{0, 1, 2, 0, 0, 0, 0, 0}, 4);
  const Mended done = repaired(model);
  EXPECT_THAT(done.changes, IsEmpty());
  EXPECT_EQ(done.influences().sets[0].joints.data(), model.meshes[0].blocks[0].influences.sets[0].joints.data());
  EXPECT_EQ(done.influences().sets[0].weights.data(), model.meshes[0].blocks[0].influences.sets[0].weights.data());
}

TEST(Repair, AddsTheWeightsOfAJointThatIsNamedTwice) {
  const Mended done = with_sets({set_of<std::uint8_t, float>({2, 1, 2, 0}, {0.25F, 0.25F, 0.5F, 0})});
  EXPECT_THAT(done.joints(), ElementsAre(2, 1, 0, 0));
  EXPECT_THAT(done.weights(), ElementsAre(0.75F, 0.25F, 0, 0));
  ASSERT_THAT(done.changes, SizeIs(1));
  EXPECT_EQ(done.changes[0].code, "SINEW_EDIT_CHANGED");
  EXPECT_EQ(done.changes[0].message, "changed the weights of 1 vertex: 1 listed a joint twice; the weights are added");
}

TEST(Repair, WeightsAddUpToOne) {
  const Mended done = with_sets({set_of<std::uint8_t, float>({0, 1, 2, 0, 1, 0, 0, 0}, {1, 2, 1, 0, 1, 0, 0, 0})});
  EXPECT_THAT(done.joints(), ElementsAre(1, 0, 2, 0, 1, 0, 0, 0));
  EXPECT_THAT(done.weights(), ElementsAre(0.5F, 0.25F, 0.25F, 0, 1, 0, 0, 0));
  EXPECT_THAT(done.changes[0].message, HasSubstr("1 had weights that did not sum to 1; the worst sum was 4"));
}

TEST(Repair, IntegersAddUpToTheLargestByTheLargestRemainder) {
  // Thirds of 255 are 85 each; of 3:2:2 in 255 the shares are 109.28, 72.86, 72.86.
  const Mended done = with_sets({set_of<std::uint8_t, std::uint8_t>({0, 1, 2, 0, 0, 1, 2, 0}, {9, 9, 9, 0, 3, 2, 2, 0})});
  const Array& weights = done.influences().sets[0].weights;
  ASSERT_EQ(weights.type(), ComponentType::uint8);
  ASSERT_TRUE(weights.normalized());
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(weights.data());
  EXPECT_THAT(std::vector(bytes, bytes + 8), ElementsAre(85, 85, 85, 0, 109, 73, 73, 0));
  EXPECT_EQ(done.influences().sets[0].joints.type(), ComponentType::uint8);
}

TEST(Repair, WhatHasNoWeightLeavesAndUnusedSlotsNameJointZero) {
  const Mended done = with_sets({set_of<std::uint16_t, float>({1, 2, 0, 0, 1, 0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0})});
  EXPECT_THAT(done.joints(), ElementsAre(1, 0, 0, 0, 1, 0, 0, 0));
  EXPECT_THAT(done.changes[0].message, HasSubstr("1 had weights of 0, now removed"));
}

TEST(Repair, JointsThatTheSkinHasNotGo) {
  const Mended done = with_sets({set_of<std::uint8_t, float>({1, 7, 0, 0}, {0.5F, 0.5F, 0, 0})});
  EXPECT_THAT(done.joints(), ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(done.weights(), ElementsAre(1, 0, 0, 0));
}

TEST(Repair, AVertexWithoutWeightFollowsTheTopmostJoint) {
  Model model = rig(1, 3);
  model.skins[0].slots = {3, 1, 2};  // node 1 is the topmost: slot 1
  model.meshes[0].blocks[0].influences.sets = {set_of<std::uint8_t, float>({2, 0, 0, 0}, {-1, 0, 0, 0})};
  const Mended done = repaired(model);
  EXPECT_THAT(done.joints(), ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(done.weights(), ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(done.changes[0].message, HasSubstr("1 had a negative weight, now removed; 1 had no weight and now follow the topmost joint"));
}

TEST(Repair, SeveralSetsHaveTheStrongestInFrontAndNoneIsEmpty) {
  const Mended done = with_sets(
      {set_of<std::uint8_t, float>({0, 1, 2, 3}, {0.1F, 0.1F, 0.1F, 0.1F}), set_of<std::uint8_t, float>({4, 0, 0, 0}, {0.6F, 0, 0, 0})}, {},
      5);
  EXPECT_THAT(done.joints(0), ElementsAre(4, 0, 1, 2));
  EXPECT_THAT(done.joints(1), ElementsAre(3, 0, 0, 0));
  EXPECT_THAT(done.changes[0].message, HasSubstr("1 had weights that were not in descending order"));
  const Mended cut = with_sets(
      {set_of<std::uint8_t, float>({0, 1, 2, 3}, {0.1F, 0.1F, 0.1F, 0.1F}), set_of<std::uint8_t, float>({4, 0, 0, 0}, {0.6F, 0, 0, 0})},
      limits(2, 0), 5);
  ASSERT_THAT(cut.influences().sets, SizeIs(1));
  EXPECT_THAT(cut.joints(), ElementsAre(4, 0, 0, 0));
  EXPECT_FLOAT_EQ(cut.weights()[0], 6.0F / 7);
  EXPECT_THAT(cut.changes[0].message, HasSubstr("1 lost influences beyond the limit, the largest 0.1"));
}

TEST(Repair, SmallWeightsGoButTheStrongestStays) {
  const Mended done =
      with_sets({set_of<std::uint8_t, float>({0, 1, 2, 0, 0, 1, 2, 0}, {0.5F, 0.49F, 0.01F, 0, 0.25F, 0.5F, 0.25F, 0})}, limits(0, 0.6));
  EXPECT_THAT(done.joints(), ElementsAre(0, 0, 0, 0, 1, 0, 0, 0));
  EXPECT_THAT(done.weights(), ElementsAre(1, 0, 0, 0, 1, 0, 0, 0));
}

TEST(Repair, IsDoneAfterOnce) {
  std::vector<float> weights;
  std::vector<std::uint8_t> joints, parts;
  for (std::uint32_t i = 0, seed = 1; i < 4 * 500; ++i, seed = seed * 1664525 + 1013904223) {
    joints.push_back(static_cast<std::uint8_t>((seed >> 24) % 6));
    parts.push_back(static_cast<std::uint8_t>(seed >> 16));
    weights.push_back(static_cast<float>(static_cast<int>(seed >> 12 & 1023) - 100) / 512);
  }
  for (const bool bytes : {false, true}) {
    Model model = rig(500, 5);
    model.meshes[0].blocks[0].influences.sets = {bytes ? set_of(joints, parts) : set_of(joints, weights)};
    const Mended once = repaired(model);
    EXPECT_THAT(once.changes, SizeIs(1));
    EXPECT_THAT(repaired(once.model).changes, IsEmpty());
  }
}

/// One vertex more than `first` has entries for has none.
Model sparse_rig(std::vector<std::uint32_t> first, std::vector<std::uint8_t> slots, std::vector<float> weights) {
  Model model = rig(first.size() - 1, 3);
  model.format = "G4MF";
  model.skins[0].bind = Skin::Bind::skeleton_pose;
  model.skins[0].frame = 1;
  Influences& influences = model.meshes[0].blocks[0].influences;
  influences.first = std::move(first);
  influences.slots = Array::own(std::move(slots), 1);
  influences.weights = Array::own(std::move(weights), 1);
  influences.divide_by_sum = true;
  return model;
}

TEST(Repair, RunsOfG4mfDescendAndAddUp) {
  // The example of the format's text, whose weights add up to 1.5; a vertex without entries; one with a weight of 0; one that is right.
  const Model model = sparse_rig({0, 3, 3, 5, 6}, {0, 1, 2, 1, 0, 2}, {0.5F, 0.75F, 0.25F, 0, 1, 1});
  const Mended done = repaired(model);
  EXPECT_THAT(done.influences().first, ElementsAre(0, 3, 3, 4, 5));
  EXPECT_THAT(done.influences().slots.read<std::uint32_t>(), ElementsAre(1, 0, 2, 0, 2));
  EXPECT_EQ(done.influences().slots.type(), ComponentType::uint8);
  EXPECT_THAT(done.influences().weights.read<float>(), ElementsAre(0.5F, 1.0F / 3, 1.0F / 6, 1, 1));
  EXPECT_THAT(repaired(done.model).changes, IsEmpty());
}

TEST(Repair, GroupsThatNoSkeletonHasGo) {
  Model model = sparse_rig({0, 2}, {5, 1}, {0.75F, 0.25F});
  EXPECT_THAT(repaired(model).influences().weights.read<float>(), ElementsAre(1));
  model.skins.push_back(model.skins[0]);
  model.skins[1].slots.resize(6, none);
  model.nodes.emplace_back().mesh = 0;
  model.nodes.back().skin = 1;
  model.rest_pose.locals.emplace_back();
  EXPECT_THAT(repaired(model).changes, IsEmpty()) << "the other skeleton has that group";
}

TEST(Repair, NormalsHaveLengthOneAndOffsetsFollow) {
  Model model = rig(2, 1);
  Attribute normals = attribute(Semantic::normal, {0, 0, 2, 0, 1, 0}, 3);
  Offsets dense;
  dense.values = Array::own(std::vector<float>{2, 0, 0, 1, 0, 0}, 3);
  Offsets sparse;
  sparse.sparse_ = true;
  sparse.indices = Array::own(std::vector<std::uint16_t>{0}, 1);
  sparse.values = Array::own(std::vector<float>{0, 4, 0}, 3);
  normals.offsets = {dense, sparse};
  model.meshes[0].blocks[0].attributes.push_back(normals);
  const Mended done = repaired(model);
  const Attribute& mended = done.model.meshes[0].blocks[0].attributes[1];
  EXPECT_THAT(mended.values.read<float>(), ElementsAre(0, 0, 1, 0, 1, 0));
  EXPECT_THAT(mended.offsets[0].values.read<float>(), ElementsAre(1, 0, 0, 1, 0, 0));
  EXPECT_THAT(mended.offsets[1].values.read<float>(), ElementsAre(0, 2, 0));
  ASSERT_THAT(done.changes, SizeIs(1));
  EXPECT_EQ(done.changes[0].message, "normalized 1 normal; the worst length was 2");
}

TEST(Repair, ANormalOfLengthZeroIsThatOfItsTriangles) {
  Model model = rig(3, 1);
  VertexBlock& block = model.meshes[0].blocks[0];
  block.attributes[0] = attribute(Semantic::position, {0, 0, 0, 1, 0, 0, 0, 1, 0}, 3);
  block.attributes.push_back(attribute(Semantic::normal, {0, 0, 0, 1, 0, 0, 0, 1, 0}, 3));
  EXPECT_THAT(repaired(model).model.meshes[0].blocks[0].attributes[1].values.read<float>(), ElementsAre(0, 0, 1, 1, 0, 0, 0, 1, 0));
}

TEST(Repair, TangentsHaveLengthOneAndASign) {
  Model model = rig(2, 1);
  model.meshes[0].blocks[0].attributes.push_back(attribute(Semantic::tangent, {3, 0, 0, 0.5F, 0, 1, 0, -2}, 4));
  const Mended done = repaired(model);
  EXPECT_THAT(done.model.meshes[0].blocks[0].attributes[1].values.read<float>(), ElementsAre(1, 0, 0, 1, 0, 1, 0, -1));
  EXPECT_EQ(done.changes[0].message, "normalized 1 tangent; the worst length was 3; set the w of 2 tangents to 1 or -1");
}

TEST(Repair, RotationsHaveLengthOne) {
  Model model = rig(1, 3);
  model.rest_pose.locals[1].rotor = {2, 0, 0, 0};
  model.rest_pose.locals[2].rotor = {0, 0, 0, 0};
  model.rest_pose.locals[3].rotor = {1.001, 0, 0, 0};  // within what bytes can say
  const Mended done = repaired(model);
  EXPECT_EQ(done.model.rest_pose.locals[1].rotor[0], 1);
  EXPECT_TRUE(done.model.rest_pose.locals[2].rotor.empty());
  EXPECT_EQ(done.model.rest_pose.locals[3].rotor[0], 1.001);
  EXPECT_THAT(done.changes, SizeIs(2));
}

TEST(Repair, KeysHaveLengthOneWithTheirTangents) {
  Model model = rig(1, 2);
  Track track;
  track.node = 1;
  track.path = TrackPath::rotation;
  track.times = Array::own(std::vector<float>{0, 1}, 1);
  track.values = Array::own(std::vector<float>{0, 0, 0, 2, 0, 0, 0, 1}, 4);
  Track cubic = track;
  cubic.node = 2;
  cubic.interpolation = Interpolation::cubic_spline;
  cubic.times = Array::own(std::vector<float>{0}, 1);
  cubic.values = Array::own(std::vector<float>{4, 0, 0, 0, 0, 0, 0, 2, 0, 4, 0, 0}, 4);
  model.clips.emplace_back().tracks = {track, cubic};
  const Mended done = repaired(model);
  EXPECT_THAT(done.model.clips[0].tracks[0].values.read<float>(), ElementsAre(0, 0, 0, 1, 0, 0, 0, 1));
  EXPECT_THAT(done.model.clips[0].tracks[1].values.read<float>(), ElementsAre(2, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 0));
  EXPECT_THAT(done.changes, SizeIs(2));
}

TEST(Repair, BonesOfOneNameGetNamesOfTheirOwnOnlyWhenAsked) {
  Model model = rig(1, 3);
  model.nodes[1].name = model.nodes[3].name = "Arm";
  model.nodes[2].name = "Arm_2";
  EXPECT_THAT(repaired(model).changes, IsEmpty());
  RepairOptions options;
  options.names = true;
  EXPECT_EQ(repaired(model, options).model.nodes[3].name, "Arm_3");
}

TEST(Repair, WithoutAnyJointNothingIsKnownOfGroups) {
  Model model = sparse_rig({0, 2}, {5, 1}, {0.75F, 0.25F});
  model.skins[0].slots.clear();
  EXPECT_THAT(repaired(model).changes, IsEmpty());
}

TEST(Repair, ARootHintIsAboveAllJoints) {
  Model model = rig(1, 3);
  model.skins[0].root_hint = 2;
  EXPECT_EQ(repaired(model).model.skins[0].root_hint, 1u);
  model.skins[0].root_hint = 1;
  EXPECT_THAT(repaired(model).changes, IsEmpty());
  model.nodes[3].parent = none;
  EXPECT_EQ(repaired(model).model.skins[0].root_hint, none);
}

TEST(Repair, SparseOffsetsOfG4mfAscend) {
  Model model = sparse_rig({0, 0, 0, 0, 0}, {}, {});
  Offsets offsets;
  offsets.sparse_ = true;
  offsets.indices = Array::own(std::vector<std::uint8_t>{3, 1, 3}, 1);
  offsets.values = Array::own(std::vector<float>{1, 0, 0, 0, 1, 0, 2, 0, 5}, 3);
  model.meshes[0].blocks[0].attributes[0].offsets = {offsets};
  const Mended done = repaired(model);
  const Offsets& mended = done.model.meshes[0].blocks[0].attributes[0].offsets[0];
  EXPECT_THAT(mended.indices.read<std::uint32_t>(), ElementsAre(1, 3));
  EXPECT_THAT(mended.values.read<float>(), ElementsAre(0, 1, 0, 3, 0, 5));
}

}  // namespace
}  // namespace sinew::operations
