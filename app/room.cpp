// SPDX-License-Identifier: MIT
#include "room.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace app {

sinew::Result<> check_room(const sinew::Model& model, sinew::Index scene, const Common& common) {
  constexpr std::uint64_t bytes_per_coordinate = 12;  // a float, and as much again for what commands make of it: normals, corners, text
  std::uint64_t vertices = 0;                         // fits: nodes and vertices take bytes of a file
  for (const sinew::Instance& instance : sinew::instances(model, scene))
    for (const sinew::VertexBlock& block : model.meshes[instance.mesh].blocks) vertices += block.vertices;
  if (vertices <= common.limits.memory / (bytes_per_coordinate * std::max<std::size_t>(model.dimension, 1))) return {};
  sinew::Error error;
  error.failure = sinew::Failure::limit;
  error.code = "SINEW_MEMORY_LIMIT";
  error.message = fmt::format(
      "the mesh instances of the scene have {} vertices in total, too many for the memory limit of {} bytes; raise it with --max-memory",
      vertices, common.limits.memory);
  return sinew::Unexpected(std::move(error));
}

}  // namespace app
