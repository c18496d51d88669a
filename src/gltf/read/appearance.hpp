// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "gltf/schema/source.hpp"

#include "sinew/model.hpp"

namespace sinew::gltf {

/// io::appearance of a material of glTF.
/// The file of an image: what its URI or its buffer view holds, not decoded.
[[nodiscard]] Result<document::Bytes> image_bytes(const document::Document& document, document::JsonValue image);

/// Where a texture is: by TEXCOORD_set, moved by KHR_texture_transform, columns of a 3 × 3 matrix that is applied to (u, v, 1).
struct TextureCoordinates {
  Index set = 0;
  std::array<double, 9> transform{1, 0, 0, 0, 1, 0, 0, 0, 1};

  friend bool operator==(const TextureCoordinates&, const TextureCoordinates&) = default;
};
/// Those of an object that refers to a texture.
[[nodiscard]] TextureCoordinates texture_coordinates(document::JsonValue info);

[[nodiscard]] Appearance read_appearance(const Source& source, SourceId material, std::optional<Error>& note);

/// io::faces_back of glTF.
[[nodiscard]] bool faces_back(const Source& source);

}  // namespace sinew::gltf
