// SPDX-License-Identifier: MIT
#include "deform/batch.hpp"

#include <utility>

#include "deform/each_pose.hpp"
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

Batch::Posed Batch::memory() const {
  Posed own{scene_->model_->rest_pose, scene_->scratch()};
  if (reader_.in_world()) own.scratch.locals.clear();
  return own;
}

Result<> Batch::set(std::size_t i, Posed& own) const {
  const Rig& rig = *scene_->rig_;
  auto& [pose, maps] = own;
  if (auto done = reader_.read_amounts(i, pose); !done) return done;
  if (reader_.in_world()) return reader_.read_matrices(i, rig.steps(), rig.maps(maps.world).data());
  if (reader_.has_matrices()) {
    if (auto done = reader_.read_matrices(i, rig.steps(), rig.maps(maps.locals).data()); !done) return done;
    rig.world(maps.locals, maps.world);
    return {};
  }
  if (auto done = reader_.read_locals(i, rig.steps(), pose); !done) return done;
  scene_->pose(pose, maps);
  return {};
}

Result<> Batch::run(const Output& rows, unsigned threads) const {
  const std::size_t vertices = scene_->vertices();
  return each_pose(
      reader_.arrays().poses, vertices, threads, [&] { return memory(); },
      [&](std::size_t i, Posed& own, unsigned count) -> Result<> {
        if (auto done = set(i, own); !done) return done;
        return scene_->run_posed(own.pose, rows_of(rows, i * vertices, vertices), count, own.scratch);
      });
}

Result<> Batch::palettes(std::span<double> out, unsigned threads) const {
  const std::size_t n = scene_->model_->dimension, stride = kernels::column_stride(n), size = (n + 1) * (n + 1);
  const auto write = [n, stride](const double* map, double* to) {
    for (std::size_t i = 0; i <= n; ++i)
      for (std::size_t j = 0; j <= n; ++j) *to++ = i < n ? map[j * stride + i] : (j == n ? 1 : 0);
  };
  return each_pose(
      reader_.arrays().poses, scene_->vertices(), threads, [&] { return memory(); },
      [&](std::size_t i, Posed& own, unsigned) -> Result<> {
        if (auto done = set(i, own); !done) return done;
        double* to = out.data() + i * maps() * size;
        for (std::size_t instance = 0; instance + 1 < first_map_.size(); ++instance) {
          const Palette& palette = own.scratch.palette;
          if (auto made = scene_->make_palette(instance, own.scratch); !made) return made;
          const double* map = palette.columns<double>().data();
          for (std::size_t slot = 0; slot < palette.size(); ++slot, map += kernels::map_stride(n), to += size) write(map, to);
        }
        return {};
      });
}

}  // namespace sinew::deform
