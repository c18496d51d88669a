// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::g4mf {

struct WriteOptions {
  /// Returns a URI for the finished buffer. Empty: the buffer is a G4B file's chunk. Not called if there is no buffer.
  std::function<std::string(std::span<const std::byte>)> name_buffer;
};

/// A G4MF file of revision 2026-01 in memory.
struct Written {
  std::string json;  ///< formatted as G4MF requires
  bool has_buffer = false;
  document::Bytes buffer;
  std::vector<std::string> notes;  ///< lost data, one line each
};

/// Writes a static model of any dimension. The default scene's instances (vertices in world space) become children of the root without
/// transforms. The blocks of a mesh become its vertices, one block after another; values per vertex are repeated per corner. If a mesh has
/// points, each block becomes a separate mesh, because points are all vertices of a mesh. Names are made legal and unique. Materials keep
/// their names. If the model was read from G4MF, the factors of materials, all extras, cameras and lights are copied; cameras and lights
/// become children of the root with their world transforms. Failure::unsupported: a mesh with more vertices than 32 bits can count.
[[nodiscard]] Result<Written> write(const Model& model, const WriteOptions& options = {});

}  // namespace sinew::g4mf
