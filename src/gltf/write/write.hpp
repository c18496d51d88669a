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
  /// Returns a relative URI (percent-encoded) for the finished buffer. Empty: the buffer is a GLB's binary chunk. Not called without a
  /// buffer.
  std::function<std::string(std::span<const std::byte>)> name_buffer;
  /// The materials of a model that was not read from glTF, and the extensions that they use. Empty: only the materials' names are written.
  std::vector<document::JsonEdit> materials;
  std::vector<std::string> extensions;
  /// Moves images in files into buffer views. Those that cannot be read keep their URIs, with a note.
  bool embed_images = false;
  /// Returns a new URI for an image in a file; empty: the old one. Not called for embedded images.
  std::function<std::string(document::JsonValue image)> name_image = {};
};

/// A glTF 2.0 file in memory.
struct Written {
  std::string json;
  document::Bytes buffer;                  ///< may be empty; then the JSON has no buffer
  std::vector<std::string> notes;          ///< lost or possibly stale data; one line each
  std::vector<std::string> relative_uris;  ///< copied unchanged; they are relative to the source's folder
};

/// Writes a 3D model without skins: nodes at Model::rest, meshes with their blend shapes, clips, scenes. If the model was read from glTF,
/// everything that it does not interpret is copied from its file: asset, cameras, materials, textures, images (those in buffer views move
/// to the new buffer), samplers, extras and extensions. Preconditions: dimension 3; attributes are per vertex, without index.
[[nodiscard]] Result<Written> write(const Model& model, const WriteOptions& options = {});

}  // namespace sinew::gltf
