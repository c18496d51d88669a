// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "document/json/json_edit.hpp"

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::gltf {

struct WriteOptions {
  /// Gives the finished buffer a relative URI (percent-encoded). Without it the buffer is a GLB's binary chunk. Not called for a file
  /// without a buffer.
  std::function<std::string(std::span<const std::byte>)> name_buffer;
  /// The materials of a model that was not read from glTF, one each, and the extensions that they use; empty: their names alone.
  std::vector<document::JsonEdit> materials;
  std::vector<std::string> extensions;
};

/// A glTF 2.0 file in memory.
struct Written {
  std::string json;
  document::Bytes buffer;                  ///< may be empty: then the JSON has no buffer
  std::vector<std::string> notes;          ///< what could not be kept, or may not mean the same any more; one line each
  std::vector<std::string> relative_uris;  ///< carried as they were: they are relative to the folder of the source
};

/// Writes a static 3D model: nodes at Model::rest, meshes, scenes; no skins, blend shapes and clips. Of a model read from glTF, what the
/// model does not interpret is carried from its file: asset, cameras, materials, textures, images (those in buffer views move to the
/// new buffer), samplers, extras and extensions. Preconditions: dimension 3; attributes are per vertex, without index.
[[nodiscard]] Result<Written> write(const Model& model, const WriteOptions& options = {});

}  // namespace sinew::gltf
