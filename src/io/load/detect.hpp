// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/document.hpp"
#include "sinew/load.hpp"

namespace sinew::io {

/// The format of an opened document: its container's magic bytes, else `asset.dimension` in the JSON (G4MF), else the extension,
/// else `asset.version` (glTF).
[[nodiscard]] Format detect(const document::Document& document);

/// The format and container that an extension promises (.gltf .glb .vrm .g4tf .g4b, in any case).
struct Promise {
  Format format = Format::unknown;
  document::Container container = document::Container::json;
};
[[nodiscard]] Promise promised_by(const std::filesystem::path& path);

}  // namespace sinew::io
