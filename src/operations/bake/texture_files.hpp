// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>

#include "operations/bake/texture.hpp"

#include "sinew/bake.hpp"

namespace sinew::operations {

/// What bake_texture writes.
struct TextureFiles {
  const Model& mesh;
  const Texture& positions;
  const Texture* normals;  ///< may be null
  std::array<float, 3> min, max;
  Index uv_set;
  double fps;
  std::size_t wraps;  ///< rows of a frame
};

/// Writes the mesh, the textures and the sidecar, all or none, and lists them in `made`.
[[nodiscard]] Result<> write_texture_files(const TextureFiles& files, const std::filesystem::path& mesh, BakedTexture& made);

}  // namespace sinew::operations
