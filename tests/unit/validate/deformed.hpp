// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <utility>
#include <vector>

#include "base/guard.hpp"

#include "sinew/deform.hpp"
#include "sinew/load.hpp"

namespace sinew::validate::test {

/// Deforms the scene of a file in its stored pose, with normals, on one thread.
[[nodiscard]] inline Result<std::vector<float>> deformed(const Model& model, std::vector<Instance> list, std::vector<float> rows) {
  auto scene = deform::SceneDeformer::create(model, std::move(list), {.normals = true});
  if (!scene) return Unexpected(std::move(scene.error()));
  const strided_view<float> positions(rows.data(), scene->vertices(), model.dimension);
  if (auto done = scene->run(model.rest_pose, {positions, {}, {}}, 1); !done) return Unexpected(std::move(done.error()));
  return rows;
}

[[nodiscard]] inline std::vector<float> room_for(const Model& model) {
  std::size_t rows = 0;
  for (const Instance& instance : need(instances(model)))
    for (const VertexBlock& block : model.meshes[instance.mesh].blocks) rows += block.vertices;
  return std::vector<float>(rows * model.dimension);
}

}  // namespace sinew::validate::test
