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
  /// Gives the finished buffer a URI. Without it the buffer is a G4B file's chunk. Not called for a file without a buffer.
  std::function<std::string(std::span<const std::byte>)> name_buffer;
};

/// A G4MF file of revision 2026-01 in memory.
struct Written {
  std::string json;  ///< as G4MF wants its text
  bool has_buffer = false;
  document::Bytes buffer;
  std::vector<std::string> notes;  ///< what could not be kept, one line each
};

/// Writes a static model of any dimension: the default scene's instances, whose vertices stand in world space, as children of the root
/// without transforms of their own. The blocks of a mesh become its vertices one after another, what is stored by vertex is spread out to
/// corners; where points stand beside other surfaces every block becomes a mesh of its own, since points are all vertices of a mesh.
/// Names are made legal and unique. Materials keep their names. Of a model read from G4MF their factors are carried too, and all extras,
/// cameras and lights, which become children of the root with their transforms in the world. Failure::unsupported: a mesh
/// with more vertices than 32 bits can number.
[[nodiscard]] Result<Written> write(const Model& model, const WriteOptions& options = {});

}  // namespace sinew::g4mf
