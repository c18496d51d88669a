// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

#include "operations/bake/texture.hpp"

#include "sinew/bake.hpp"

namespace sinew::operations {

/// A file that is complete under a temporary name.
struct Waiting {
  std::filesystem::path path;
  document::OutputFile file;
};

/// What bake_texture writes.
struct TextureFiles {
  const Model& mesh;
  TexelFormat format;
  std::vector<Waiting> textures;  ///< positions, then normals, if there are any
  std::array<float, 3> min, max;
  Index uv_set;
  double fps;
  std::size_t wraps;  ///< rows of a frame
};

/// Returns the path of a texture beside the mesh. `ending`: "_vat" or "_vnrm".
[[nodiscard]] std::filesystem::path texture_path(const std::filesystem::path& mesh, std::string_view ending, TexelFormat format);

/// Writes the mesh and the sidecar, and shows them with the textures, all or none. Lists them in `made`.
[[nodiscard]] Result<> write_texture_files(TextureFiles files, const std::filesystem::path& mesh, BakedTexture& made);

}  // namespace sinew::operations
