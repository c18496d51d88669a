// SPDX-License-Identifier: MIT
#include "deform/batch.hpp"

#include <memory>
#include <new>
#include <utility>

#include "base/catalogue.hpp"
#include "kernels/maps.hpp"

namespace sinew::deform {

Batch::Batch(const SceneDeformer& scene, PoseReader reader) : scene_(&scene), reader_(std::move(reader)) {
  for (std::size_t i = 0; i < scene.instances_.size(); ++i) first_map_.push_back(first_map_.back() + scene.rig_->bound(i).slots.size());
}

Result<Batch> Batch::create(const SceneDeformer& scene, const PoseArrays& poses) {
  auto reader = PoseReader::create(*scene.model_, poses);
  if (!reader) return Unexpected(std::move(reader.error()));
  return Batch(scene, std::move(*reader));
}

Result<> Batch::set(std::size_t i, Pose& pose, Scratch& scratch) const {
  const Rig& rig = *scene_->rig_;
  if (auto done = reader_.read_amounts(i, pose); !done) return done;
  if (reader_.has_matrices()) {
    if (auto done = reader_.read_matrices(i, rig.steps(), rig.locals(scratch.world)); !done) return done;
    if (!reader_.in_world()) rig.join(scratch.world);
    return {};
  }
  if (auto done = reader_.read_locals(i, rig.steps(), pose); !done) return done;
  rig.pose(pose, scratch.world);
  return {};
}

SceneDeformer::PoseNow Batch::now(std::size_t i, Pose& pose) const {
  if (reader_.in_world()) return {};
  return {[this, i, &pose]() -> const Pose& {
    if (reader_.has_matrices()) (void)reader_.read_locals(i, scene_->rig_->steps(), pose);  // `set` checked them
    return pose;
  }};
}

Result<> Batch::run(const Output& rows, unsigned threads) const {
  const auto start = [&]() -> SceneDeformer::RunOne {
    const auto pose = std::make_shared<Pose>(scene_->model_->rest_pose);
    return {[this, pose](std::size_t i, const Output& own, unsigned count, Scratch& scratch) -> Result<> {
      if (auto done = set(i, *pose, scratch); !done) return done;
      return scene_->run_joined(*pose, now(i, *pose), own, count, scratch);
    }};
  };
  return scene_->run_all(reader_.arrays().poses, {start}, rows, threads);
}

Result<> Batch::palettes(std::span<double> out, unsigned threads) const {
  const std::size_t n = scene_->model_->dimension, stride = kernels::column_stride(n), size = (n + 1) * (n + 1);
  const auto write = [n, stride](const double* map, double* to) {
    for (std::size_t i = 0; i <= n; ++i)
      for (std::size_t j = 0; j <= n; ++j) *to++ = i < n ? map[j * stride + i] : (j == n ? 1 : 0);
  };
  const auto start = [&]() -> SceneDeformer::RunOne {
    const auto pose = std::make_shared<Pose>(scene_->model_->rest_pose);
    return {[&, pose](std::size_t i, const Output&, unsigned, Scratch& scratch) -> Result<> {
      if (auto done = set(i, *pose, scratch); !done) return done;
      double* to = out.data() + i * maps() * size;
      for (std::size_t instance = 0; instance + 1 < first_map_.size(); ++instance) {
        if (auto made = scene_->make_palette(instance, now(i, *pose), scratch); !made) return made;
        const double* map = scratch.palette.columns<double>().data();
        for (std::size_t slot = 0; slot < scratch.palette.size(); ++slot, map += kernels::map_stride(n), to += size) write(map, to);
      }
      return {};
    }};
  };
  return scene_->run_all(reader_.arrays().poses, {start}, {}, threads);
}

}  // namespace sinew::deform
