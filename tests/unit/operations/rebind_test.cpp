// SPDX-License-Identifier: MIT
#include "operations/rebind/rebind.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/guard.hpp"

#include "sinew/deform.hpp"

namespace sinew::operations::rebind_test {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pointwise;
using testing::SizeIs;

constexpr double half = 0.70710678118654752;

Affine moved_by(double x, double y, double z) {
  Affine map(3);
  map.translation(0) = x;
  map.translation(1) = y;
  map.translation(2) = z;
  return map;
}

Array rows(std::vector<float> values, std::size_t width) { return Array::own(std::move(values), width); }

/// The strip of the glTF tutorial's chapter on skins: ten vertices, two joints, the second one unit up; node 0 has the mesh. With `rigid`
/// every vertex follows one joint alone: the lower six the first, the others the second.
Model strip(bool rigid) {
  Model model;
  model.format = "glTF";
  model.nodes.resize(3);
  model.nodes[0].mesh = model.nodes[0].skin = 0;
  model.nodes[1].children = {2};
  model.nodes[2].parent = 1;
  model.rest_pose.locals.resize(3);
  model.rest_pose.locals[2].translation = {0, 1, 0};
  model.rest_pose.amounts.resize(3);
  Mesh& mesh = model.meshes.emplace_back();
  VertexBlock& block = mesh.blocks.emplace_back();
  block.vertices = 10;
  std::vector<float> positions, normals, tangents, weights;
  std::vector<std::uint8_t> joints;
  for (int i = 0; i < 10; ++i) {
    const float y = 0.5F * static_cast<float>(i / 2), upper = rigid ? (i < 6 ? 0.0F : 1.0F) : 0.25F * static_cast<float>(i / 2);
    positions.insert(positions.end(), {i % 2 ? 0.5F : -0.5F, y, 0});
    normals.insert(normals.end(), {0, 0, 1});
    tangents.insert(tangents.end(), {1, 0, 0, -1});
    if (upper == 0 || upper == 1) {
      joints.insert(joints.end(), {static_cast<std::uint8_t>(upper), 0, 0, 0});
      weights.insert(weights.end(), {1, 0, 0, 0});
    } else {
      joints.insert(joints.end(), {0, 1, 0, 0});
      weights.insert(weights.end(), {1 - upper, upper, 0, 0});
    }
  }
  Offsets bulge;
  bulge.values = rows({0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 1}, 3);
  Attribute position{Semantic::position, 0, {}, rows(positions, 3), {}, {bulge}};
  block.attributes = {position, {Semantic::normal, 0, {}, rows(normals, 3), {}, {}}, {Semantic::tangent, 0, {}, rows(tangents, 4), {}, {}}};
  block.influences.sets = {{Array::own(joints, 4), rows(weights, 4)}};
  mesh.surfaces.emplace_back();
  mesh.shapes.emplace_back();
  model.rest_pose.amounts[0] = {0};
  Skin& skin = model.skins.emplace_back();
  skin.slots = {1, 2};
  skin.bind = Skin::Bind::matrices;
  skin.joint_from_mesh = {Affine(3), moved_by(0, -1, 0)};
  return model;
}

/// The second joint turned from X to Y by a quarter turn.
Pose bent(const Model& model, double amount = 0) {
  Pose pose = model.rest_pose;
  pose.locals[2].rotor = {half, half, 0, 0};
  pose.amounts[0] = {amount};
  return pose;
}

struct Deformed {
  std::vector<float> positions, normals, tangents;
};

Deformed deformed(const Model& model, const Pose& pose) {
  deform::PrepareOptions channels;
  channels.normals = channels.tangents = true;
  auto deformer = deform::SceneDeformer::create(model, need(instances(model)), channels);
  EXPECT_TRUE(deformer);
  const std::size_t vertices = deformer->vertices();
  Deformed out{std::vector<float>(vertices * 3), std::vector<float>(vertices * 3), std::vector<float>(vertices * 4)};
  EXPECT_TRUE(
      deformer->run(pose, {{out.positions.data(), vertices, 3}, {out.normals.data(), vertices, 3}, {out.tangents.data(), vertices, 4}}, 1));
  return out;
}

void expect_same(const Model& a, const Model& b, const Pose& pose_of_a) {
  Pose pose_of_b = pose_of_a;
  pose_of_b.locals.resize(b.nodes.size());
  pose_of_b.amounts.resize(b.nodes.size());
  const Deformed before = deformed(a, pose_of_a), after = deformed(b, pose_of_b);
  EXPECT_THAT(after.positions, Pointwise(FloatNear(1e-5F), before.positions));
  EXPECT_THAT(after.normals, Pointwise(FloatNear(1e-5F), before.normals));
  EXPECT_THAT(after.tangents, Pointwise(FloatNear(1e-5F), before.tangents));
}

struct Outcome {
  Result<Model> model;
  std::vector<Finding> changes;
};

Outcome rebound(const Model& model, const RebindPlan& options) {
  FindingList changes;
  auto result = rebind_model(model, options, changes);
  return {std::move(result), changes.list()};
}

RebindPlan to(BindPose pose) {
  RebindPlan options;
  options.to = pose;
  return options;
}

const Array& positions_of(const Model& model) { return model.meshes[0].blocks[0].attributes[0].values; }

TEST(Rebind, TheTutorialBendsAsItSays) {
  const Deformed out = deformed(strip(false), bent(strip(false)));
  const auto vertex = [&](std::size_t i) {
    return std::vector(out.positions.begin() + static_cast<std::ptrdiff_t>(i) * 3,
                       out.positions.begin() + static_cast<std::ptrdiff_t>(i) * 3 + 2);
  };
  EXPECT_THAT(vertex(9), ElementsAre(FloatNear(-1, 1e-6F), FloatNear(1.5F, 1e-6F)));
  EXPECT_THAT(vertex(6), ElementsAre(FloatNear(-0.5F, 1e-6F), FloatNear(0.75F, 1e-6F)));
}

TEST(Rebind, WhatIsBoundToTheRestPoseStays) {
  const Model model = strip(false);
  const Outcome done = rebound(model, to(BindPose::rest));
  ASSERT_TRUE(done.model);
  EXPECT_THAT(done.changes, IsEmpty());
  EXPECT_EQ(positions_of(*done.model).data(), positions_of(model).data());
}

TEST(Rebind, RigidPartsAreBoundToAnyPoseExactly) {
  Model model = strip(true);
  model.rest_pose = bent(model);
  const Outcome done = rebound(model, to(BindPose::rest));
  ASSERT_TRUE(done.model);
  // Vertex 9, (0.5, 2) turned about (0, 1): (-1, 1.5), its place at rest.
  const auto positions = positions_of(*done.model).read<float>();
  EXPECT_NEAR(positions[27], -1, 1e-6);
  EXPECT_NEAR(positions[28], 1.5, 1e-6);
  // The new matrix is the inverse of the turned joint: it brings (0, 1) to the origin.
  const Affine& matrix = done.model->skins[0].joint_from_mesh[1];
  EXPECT_NEAR(matrix(0, 1), 1, 1e-12);
  EXPECT_NEAR(matrix.translation(0), -1, 1e-12);
  for (const double amount : {0.0, 1.0}) {
    Pose pose = bent(model, amount);
    expect_same(model, *done.model, pose);
    pose.locals[2].rotor = {0.8, 0, 0.6, 0};
    pose.locals[1].translation = {1, 2, 3};
    expect_same(model, *done.model, pose);
  }
  ASSERT_THAT(done.changes, SizeIs(2));
  EXPECT_THAT(done.changes[0].message, HasSubstr("vertices moved by up to 1.58114"));
  EXPECT_EQ(done.changes[1].message, "new bind matrices for 2 joints");
}

TEST(Rebind, BlendedVerticesAreRefusedWithJointAndDistance) {
  Model model = strip(false);
  model.rest_pose = bent(model);
  const Outcome refusal = rebound(model, to(BindPose::rest));
  ASSERT_FALSE(refusal.model);
  EXPECT_EQ(refusal.model.error().failure, Failure::unsupported);
  // Vertex 2 is seen at (-0.5, 0.5) by joint 0, with weight 0.75, and at (0.5, 0.5) by joint 1; their mean lies 0.75 from the latter.
  EXPECT_THAT(refusal.model.error().message, HasSubstr("would move by up to 0.75"));
  EXPECT_THAT(refusal.model.error().message, HasSubstr("joint 1 (node 2)"));
  RebindPlan lax = to(BindPose::rest);
  lax.tolerance = 1;
  const Outcome done = rebound(model, lax);
  ASSERT_TRUE(done.model);
  expect_same(model, *done.model, bent(model));  // in the new bind pose itself nothing changes
}

TEST(Rebind, TheIdentityIsExactWhereEachVertexFollowsOneJoint) {
  const Model model = strip(true);
  const Outcome done = rebound(model, to(BindPose::identity));
  ASSERT_TRUE(done.model);
  EXPECT_EQ(done.model->skins[0].bind, Skin::Bind::identity);
  EXPECT_THAT(done.model->skins[0].joint_from_mesh, IsEmpty());
  EXPECT_EQ(positions_of(*done.model).read<float>()[28], 1) << "(0.5, 2) in the space of the joint at (0, 1)";
  expect_same(model, *done.model, bent(model, 0.5));
  EXPECT_FALSE(rebound(strip(false), to(BindPose::identity)).model);
  Model strict = strip(true);
  strict.skeletons.emplace_back().joints = {1, 2};
  const Outcome said = rebound(strict, to(BindPose::identity));
  ASSERT_TRUE(said.model);
  EXPECT_EQ(said.model->skins[0].bind, Skin::Bind::matrices) << "without them the skin would be bound to the stored pose";
  EXPECT_THAT(said.model->skins[0].joint_from_mesh, ElementsAre(Affine(3), Affine(3)));
}

TEST(Rebind, ACommonFactorGoesIntoTheVertices) {
  Model model = strip(false);
  Affine shape(3);  // a bind shape: twice as large, mirrored, put elsewhere
  shape(0, 0) = -2;
  shape(1, 1) = shape(2, 2) = 2;
  shape.translation(1) = 3;
  Skin other = model.skins[0];
  for (Affine& matrix : other.joint_from_mesh) matrix = matrix * shape;
  model.skins.push_back(other);
  model.meshes.push_back(model.meshes[0]);
  model.nodes.push_back(model.nodes[0]);
  model.nodes[3].mesh = model.nodes[3].skin = 1;
  model.rest_pose.locals.emplace_back();
  model.rest_pose.amounts.push_back({0});
  RebindPlan options;
  options.unify = true;
  const Outcome done = rebound(model, options);
  ASSERT_TRUE(done.model);
  EXPECT_EQ(done.model->skins[1].joint_from_mesh, done.model->skins[0].joint_from_mesh);
  EXPECT_EQ(positions_of(*done.model).data(), positions_of(model).data()) << "the first skin stays";
  EXPECT_EQ(done.model->meshes[1].blocks[0].attributes[0].values.read<float>()[27], -1);
  expect_same(model, *done.model, bent(model, 0.5));
}

TEST(Rebind, SkinsInOtherPosesAreNotUnified) {
  Model model = strip(false);
  model.skins.push_back(model.skins[0]);
  model.skins[1].joint_from_mesh[1] = moved_by(1, 0, 0);
  RebindPlan options;
  options.unify = true;
  const Outcome done = rebound(model, options);
  ASSERT_TRUE(done.model);
  ASSERT_THAT(done.changes, SizeIs(1));
  EXPECT_EQ(done.changes[0].message, "not changed: joint 1 (node 2) is bound in a different pose than in skin 0");
}

TEST(Rebind, TheDefaultBindPoseIsTheSkeletons) {
  Model model = strip(false);
  Skeleton& skeleton = model.skeletons.emplace_back();
  skeleton.root = 1;
  skeleton.joints = {2, 1};
  skeleton.joint_from_mesh = {moved_by(5, -1, 0), moved_by(5, 0, 0)};
  const Outcome done = rebound(model, to(BindPose::skeleton));
  ASSERT_TRUE(done.model);
  EXPECT_EQ(done.model->skins[0].joint_from_mesh[0], moved_by(5, 0, 0));
  EXPECT_EQ(done.model->skins[0].joint_from_mesh[1], moved_by(5, -1, 0));
  EXPECT_EQ(positions_of(*done.model).read<float>()[0], -5.5F);
  expect_same(model, *done.model, bent(model));
  model.skeletons.clear();
  const Outcome without = rebound(model, to(BindPose::skeleton));
  ASSERT_FALSE(without.model);
  EXPECT_THAT(without.model.error().message, HasSubstr("no strict skeleton"));
}

TEST(Rebind, VerticesGoToTheSpaceOfTheScene) {
  Model model = strip(false);
  Affine shape(3);  // half as large, mirrored, put elsewhere
  shape(0, 0) = -0.5;
  shape(1, 1) = shape(2, 2) = 0.5;
  shape.translation(1) = 3;
  for (Affine& matrix : model.skins[0].joint_from_mesh) matrix = matrix * shape;
  model.rest_pose.locals[1].translation = {7, 0, 0};
  RebindPlan options = to(BindPose::rest);
  options.world = true;
  const Outcome done = rebound(model, options);
  ASSERT_TRUE(done.model);
  EXPECT_EQ(done.model->skins[0].joint_from_mesh[1], moved_by(-7, -1, 0));
  EXPECT_EQ(positions_of(*done.model).read<float>()[27], 6.75F);
  for (const double amount : {0.0, 1.0}) expect_same(model, *done.model, bent(model, amount));
  EXPECT_THAT(rebound(*done.model, options).changes, IsEmpty());
}

TEST(Rebind, ASmallFactorCountsFarFromTheOrigin) {
  Model model = strip(false);
  Affine shape(3);
  shape(0, 0) = 1.002;
  for (Affine& matrix : model.skins[0].joint_from_mesh) matrix = matrix * shape;
  model.rest_pose.locals[1].translation = {4000, 0, 0};
  for (Affine& matrix : model.skins[0].joint_from_mesh) matrix = matrix * moved_by(-4000 / 1.002, 0, 0);
  RebindPlan options = to(BindPose::rest);
  for (const bool keep : {false, true}) {
    options.keep_vertices = keep;
    options.world = !keep;
    const Outcome done = rebound(model, options);
    ASSERT_TRUE(done.model);
    EXPECT_EQ(done.model->skins[0].joint_from_mesh[0](0, 0), 1) << keep;
    EXPECT_EQ(done.model->skins[0].joint_from_mesh[0].translation(0), -4000) << keep;
  }
}

TEST(Rebind, RigidPartsGoToTheSpaceOfTheSceneEachByItsOwnFactor) {
  Model model = strip(true);
  model.rest_pose = bent(model);
  RebindPlan options = to(BindPose::rest);
  options.world = true;
  const Outcome done = rebound(model, options);
  ASSERT_TRUE(done.model);
  expect_same(model, *done.model, model.rest_pose);
  EXPECT_THAT(positions_of(*done.model).read<float>(), Pointwise(FloatNear(1e-5F), deformed(model, model.rest_pose).positions));
  Model blended = strip(false);
  blended.rest_pose = bent(blended);
  EXPECT_THAT(rebound(blended, options).model.error().message,
              HasSubstr("joint 1 (node 2) of skin 0, because its world transform times its bind matrix differs from that of joint 0"));
}

TEST(Rebind, LostMatricesAreComputedAndTheVerticesStay) {
  Model model = strip(false);
  model.rest_pose = bent(model);
  RebindPlan options = to(BindPose::rest);
  options.keep_vertices = options.unify = true;
  const Outcome done = rebound(model, options);
  ASSERT_TRUE(done.model);
  EXPECT_EQ(positions_of(*done.model).data(), positions_of(model).data());
  EXPECT_THAT(deformed(*done.model, model.rest_pose).positions, Pointwise(FloatNear(1e-6F), positions_of(model).read<float>()));
  options.world = true;
  EXPECT_EQ(rebound(model, options).model.error().failure, Failure::usage);
  options.world = false;
  options.to = BindPose::identity;
  EXPECT_EQ(rebound(model, options).model.error().failure, Failure::usage);
}

TEST(Rebind, StoredAmountsOfBlendShapesGoIntoTheMesh) {
  Model model = strip(false);
  model.rest_pose.amounts[0] = {0.5};
  Offsets lean;
  lean.values = rows(std::vector<float>(30, 0.25F), 3);
  model.meshes[0].blocks[0].attributes[1].offsets = model.meshes[0].blocks[0].attributes[2].offsets = {lean};
  RebindPlan options;
  options.bake_shapes = true;
  const Outcome done = rebound(model, options);
  ASSERT_TRUE(done.model);
  EXPECT_EQ(done.model->rest_pose.amounts[0][0], 0);
  EXPECT_EQ(positions_of(*done.model).read<float>()[2], 0.5F);
  for (const double amount : {0.0, 0.5, 1.0}) {
    Pose before = bent(model, amount), after = bent(model, amount - 0.5);
    const Deformed want = deformed(model, before), got = deformed(*done.model, after);
    EXPECT_THAT(got.positions, Pointwise(FloatNear(1e-5F), want.positions));
    EXPECT_THAT(got.normals, Pointwise(FloatNear(1e-5F), want.normals));
    EXPECT_THAT(got.tangents, Pointwise(FloatNear(1e-5F), want.tangents));
  }
  model.nodes.push_back(model.nodes[0]);
  model.rest_pose.locals.emplace_back();
  model.rest_pose.amounts.push_back({0.25});
  EXPECT_THAT(rebound(model, options).model.error().message, HasSubstr("node 0 and node 3 use the mesh with different amounts"));
}

TEST(Rebind, AClipAtATimeIsAPose) {
  Model model = strip(true);
  Track track;
  track.node = 2;
  track.path = TrackPath::rotation;
  track.quaternions = true;
  track.times = rows({0, 1}, 1);
  track.values = rows({0, 0, 0, 1, 0, 0, 1, 0}, 4);
  model.clips.emplace_back().tracks = {track};
  RebindPlan options = to(BindPose::clip);
  options.clip = 0;
  options.seconds = 0.5;
  const Outcome done = rebound(model, options);
  ASSERT_TRUE(done.model);
  EXPECT_NEAR(positions_of(*done.model).read<float>()[27], -1, 1e-6);
  expect_same(model, *done.model, bent(model));
  options.clip = 1;
  EXPECT_EQ(rebound(model, options).model.error().failure, Failure::usage);
}

TEST(Rebind, AJointWithoutInverseIsRefused) {
  Model model = strip(false);
  model.rest_pose.locals[2].scale = {1, 0, 1};
  const Outcome done = rebound(model, to(BindPose::rest));
  ASSERT_FALSE(done.model);
  EXPECT_THAT(done.model.error().message, HasSubstr("joint 1 (node 2) has no inverse"));
}

TEST(Rebind, ASlotThatFollowsAnotherJointOfTheSkinMerges) {
  const Model model = strip(false);
  RebindPlan options;
  options.joints = {{0, 1, 1}};  // a stiff strip
  const Outcome done = rebound(model, options);
  ASSERT_TRUE(done.model);
  EXPECT_THAT(done.model->skins[0].slots, ElementsAre(1, 2)) << "joints of glTF are unique";
  const Influences::Set& set = done.model->meshes[0].blocks[0].influences.sets[0];
  EXPECT_THAT(set.joints.read<std::uint32_t>(), testing::Each(0));
  EXPECT_EQ(set.weights.read<float>()[12], 1) << "0.25 and 0.75 of vertex 3 meet";
  EXPECT_THAT(deformed(*done.model, bent(model)).positions, Pointwise(FloatNear(1e-6F), positions_of(model).read<float>()));
}

TEST(Rebind, ASlotThatFollowsAnyOtherNodeStaysAtRest) {
  Model model = strip(false);
  model.nodes.emplace_back().name = "Prop";
  model.nodes[3].parent = 1;
  model.nodes[1].children.push_back(3);
  LocalTransform local;
  local.translation = {7, 0, 0};
  model.rest_pose.locals.push_back(local);
  model.rest_pose.amounts.emplace_back();
  RebindPlan options;
  options.joints = {{0, 1, 3}};
  const Outcome done = rebound(model, options);
  ASSERT_TRUE(done.model);
  EXPECT_THAT(done.model->skins[0].slots, ElementsAre(1, 3));
  expect_same(model, *done.model, model.rest_pose);
  Pose pose = model.rest_pose;
  pose.locals[3].translation = {7, 0, 1};
  EXPECT_EQ(deformed(*done.model, pose).positions[29], 1) << "vertex 9 goes with the prop";
}

TEST(Rebind, JointsKeepACommonRootAndStrictSkeletonsTheirJoints) {
  Model model = strip(false);
  RebindPlan options;
  options.joints = {{0, 1, 0}};
  EXPECT_THAT(rebound(model, options).model.error().message, HasSubstr("node 0 has no common root"));
  model.nodes[0].parent = 1;
  model.nodes[1].children.push_back(0);
  model.skeletons.emplace_back().joints = {1, 2};
  EXPECT_THAT(rebound(model, options).model.error().message, HasSubstr("node 0 is not a joint of the strict skeleton"));
  options.joints = {{0, 1, none}};
  EXPECT_THAT(rebound(model, options).model.error().message, HasSubstr("a strict skeleton cannot contain a joint"));
}

TEST(Rebind, ASlotThatNothingMovesGetsANodeBesideTheTopmostJoint) {
  Model model = strip(false);
  model.scenes.emplace_back().roots = {0, 1};
  model.default_scene = 0;
  RebindPlan options;
  options.joints = {{0, 1, none}};
  const Outcome done = rebound(model, options);
  ASSERT_TRUE(done.model);
  const Model& after = *done.model;
  ASSERT_THAT(after.nodes, SizeIs(5));
  EXPECT_THAT(after.skins[0].slots, ElementsAre(1, 4));
  EXPECT_THAT(after.nodes[3].children, ElementsAre(1, 4)) << "joints must have a common root";
  EXPECT_EQ(after.nodes[1].parent, 3u);
  EXPECT_THAT(after.scenes[0].roots, ElementsAre(0, 3));
  expect_same(model, after, model.rest_pose);
  Pose pose = bent(model);
  pose.locals.resize(5);
  pose.amounts.resize(5);
  EXPECT_EQ(deformed(after, pose).positions[28], 2) << "vertex 9 stays";
}

TEST(Rebind, SlotsOfG4mfNameAnyBoneOfTheSkeletonOrNone) {
  Model model;
  model.format = "G4MF";
  model.nodes.resize(4);
  model.rest_pose.locals.resize(4);
  model.rest_pose.amounts.resize(4);
  model.nodes[1].parent = model.nodes[3].parent = 0;
  model.nodes[2].parent = 1;
  model.nodes[1].bone = model.nodes[2].bone = Bone{};
  Skin& skin = model.skins.emplace_back();
  skin.bind = Skin::Bind::skeleton_pose;
  skin.frame = 0;
  skin.slots = {1, 2};
  model.skeletons.emplace_back().node = 0;
  model.skeletons[0].joints = {1, 2};
  RebindPlan options;
  options.joints = {{0, 1, 1}};
  EXPECT_THAT(rebound(model, options).model->skeletons[0].joints, ElementsAre(1, 1));
  options.joints = {{0, 1, none}};
  EXPECT_THAT(rebound(model, options).model->skins[0].slots, ElementsAre(1, none));
  options.joints = {{0, 1, 3}};
  EXPECT_THAT(rebound(model, options).model.error().message, HasSubstr("node 3 is not a bone"));
  EXPECT_TRUE(rebound(model, to(BindPose::rest)).model);
  EXPECT_EQ(rebound(model, to(BindPose::identity)).model.error().failure, Failure::unsupported);
}

}  // namespace
}  // namespace sinew::operations::rebind_test
