// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/document.hpp"
#include "sinew/load.hpp"

namespace sinew::io {

/// Returns the format of an opened document. The magic bytes of its container decide, then `asset.dimension` in the JSON (G4MF), then the
/// extension, then `asset.version` (glTF).
[[nodiscard]] Format detect(const document::Document& document);

/// The format and container that belong to an extension (.gltf .glb .vrm .g4tf .g4b, in any case).
struct Promise {
  Format format = Format::unknown;
  document::Container container = document::Container::json;
};
[[nodiscard]] Promise promised_by(const std::filesystem::path& path);

}  // namespace sinew::io
