// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "sinew/document.hpp"

namespace sinew::io {

enum class Format : std::uint8_t { unknown, gltf, g4mf };

/// The format of an opened document: its container's magic bytes, else `asset.dimension` in the JSON (G4MF), else the extension,
/// else `asset.version` (glTF).
[[nodiscard]] Format detect(const document::Document& document);

}  // namespace sinew::io
