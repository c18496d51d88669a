// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "animate/clip_plan.hpp"
#include "base/guard.hpp"
#include "deform/packed.hpp"
#include "deform/rig.hpp"
#include "unit/deform/allocations.hpp"
#include "unit/deform/rig.hpp"

#include "sinew/animate.hpp"

// A clip is played in four steps: sample, world, palette, run.

namespace sinew {
namespace {

using namespace test;

Track float_track(Index node, TrackPath path, std::vector<float> values) {
  Track track;
  track.node = node;
  track.path = path;
  track.quaternions = path == TrackPath::rotation;
  track.times = Array::own(std::vector<float>{0, 1, 3}, 1);
  track.values = Array::own(std::move(values), path == TrackPath::rotation ? 4 : path == TrackPath::amounts ? 1 : 3);
  return track;
}

/// Node 0 has a mesh of two vertices and a blend shape, and is below the frame 1, like the chain of joints 2 and 3. `own_node`: the clip
/// moves node 0, too.
Model figure(Skin::Bind bind, bool own_node) {
  Model model;
  model.nodes.resize(4);
  model.nodes[0].mesh = model.nodes[0].skin = 0;
  model.nodes[0].parent = model.nodes[2].parent = 1;
  model.nodes[1].children = {0, 2};
  model.nodes[2].children = {3};
  model.nodes[3].parent = 2;
  model.rest_pose.locals.resize(4);
  model.rest_pose.locals[0].rotor = {std::sqrt(0.3), std::sqrt(0.2), -std::sqrt(0.1), std::sqrt(0.4)};
  model.rest_pose.locals[0].scale = {1.1, 0.7, 3.3};
  model.rest_pose.locals[1].translation = {1, 2, 3};
  model.rest_pose.locals[3].translation = {0, 0.5, 0};
  model.rest_pose.amounts = {{0.25}, {}, {}, {}};
  Mesh& mesh = model.meshes.emplace_back(mesh_of({1, 0, 0, 0, 2, 0}));
  mesh.shapes.resize(1);
  VertexBlock& block = mesh.blocks[0];
  block.attributes[0].offsets.push_back({0, {}, Array::own(std::vector<float>{0, 0, 1, 0, 0, 2}, 3)});
  block.influences.sets = {influence_set({0, 1, 0, 0, 1, 0, 0, 0}, {0.5F, 0.5F, 0, 0, 1, 0, 0, 0})};
  Skin& skin = model.skins.emplace_back();
  skin.bind = bind;
  skin.frame = 1;
  skin.slots = {2, 3};
  skin.joint_from_mesh = {affine({1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 1, 0}), affine({0, -1, 0, 1, 0, 0, 0, 0, 1}, {0, 0, 1})};
  std::vector<Track>& tracks = model.clips.emplace_back().tracks;
  model.clips[0].duration = 3;
  tracks.push_back(float_track(1, TrackPath::translation, {1, 2, 3, 4, 5, 6, 0, 0, 0}));
  tracks.push_back(float_track(2, TrackPath::rotation, {0, 0, 0, 1, 0, 0, 0.6F, 0.8F, 0, 1, 0, 0}));
  tracks.push_back(float_track(3, TrackPath::scale, {1, 1, 1, 2, 1, 1, 1, 3, 1}));
  tracks.push_back(float_track(0, TrackPath::amounts, {0, 1, 0.5F}));
  if (own_node) tracks.push_back(float_track(0, TrackPath::translation, {0, 0, 0, 1, 0, 0, 0, 2, 0}));
  return model;
}

TEST(Steps, ByHandGiveWhatAClipGives) {
  const std::vector<double> times{0, 0.5, 1, 2.75, 9};
  for (const Skin::Bind bind : {Skin::Bind::identity, Skin::Bind::matrices, Skin::Bind::stored_pose, Skin::Bind::skeleton_pose})
    for (const bool own_node : {false, true}) {
      const Model model = figure(bind, own_node);
      const std::vector<Instance> list = need(instances(model));
      auto scene = deform::SceneDeformer::create(model, list, {});
      ASSERT_TRUE(scene);
      std::vector<float> played(times.size() * 6);
      ASSERT_TRUE(scene->run_clip(0, times, {{played.data(), times.size() * 2, 3}, {}, {}}, 1));

      const deform::Prepared& prepared = scene->prepared(0);
      const deform::Rig rig(model, list, prepared.packed().simd);
      const auto plan = rig.plan(model.clips[0]);
      const auto rest_world = need(world_transforms(model, model.rest()));
      animate::ClipPlan::Cursor cursor = plan != nullptr ? plan->start() : animate::ClipPlan::Cursor();
      AlignedVector<double> locals = rig.table(), world = rig.table();
      Pose pose = model.rest(), sampled = model.rest();
      deform::Palette palette;
      for (std::size_t i = 0; i < times.size(); ++i) {
        std::vector<float> by_public_calls(6), by_tables(6);
        need(animate::sample(model, model.clips[0], times[i], sampled));
        const auto world_of_all = need(world_transforms(model, sampled));
        ASSERT_TRUE(deform::palette(model, list[0], world_of_all, rest_world, palette));
        deform::run(prepared, palette, sampled.amounts[0], {0, 2}, {{by_public_calls.data(), 2, 3}, {}, {}});

        if (plan != nullptr) {
          plan->sample(times[i], cursor, pose, rig.maps(locals));
        } else {
          pose = sampled;
          rig.locals(pose, locals);
        }
        rig.world(locals, world);
        const std::size_t before = allocations();
        ASSERT_TRUE(rig.palette(0, locals, world, palette));
        const bool moved_alone = own_node && bind == Skin::Bind::skeleton_pose;
        EXPECT_TRUE(moved_alone || allocations() == before) << "a node that stays was taken as moved";
        deform::run(prepared, palette, pose.amounts[0], {0, 2}, {{by_tables.data(), 2, 3}, {}, {}});
        EXPECT_EQ(by_tables, std::vector<float>(played.begin() + 6 * static_cast<std::ptrdiff_t>(i),
                                                played.begin() + 6 * static_cast<std::ptrdiff_t>(i + 1)));
        EXPECT_LT(largest_difference(by_public_calls, by_tables), 2e-6) << times[i];
      }
    }
}

}  // namespace
}  // namespace sinew
