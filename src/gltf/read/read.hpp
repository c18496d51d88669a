// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "gltf/schema/source.hpp"

#include "sinew/document.hpp"
#include "sinew/model.hpp"

namespace sinew::gltf {

/// Reads a glTF 2.0 document with the extensions of extensions.cpp into a model. Lenient: what cannot be used is kept
/// with a defect, which is also a finding at the place that causes it; what it refers to stays in range. A node that names a missing mesh
/// gets an empty mesh with a defect, appended to the file's own, so that it stays an instance and whoever needs it is told; so does a
/// `scene` that is missing. Refused: what is no glTF 2 at all, and files that require an extension that is not supported.
[[nodiscard]] Result<Model> read(std::shared_ptr<const document::Document> document, FindingSink& sink);

/// Returns what a report says about the asset, or nothing if the version is unknown. Reports no findings.
[[nodiscard]] std::optional<AssetInfo> asset_info(const document::Document& document);

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

/// io::appearance of a material of glTF.
[[nodiscard]] Appearance read_appearance(const Source& source, SourceId material, std::optional<Error>& note);

/// io::faces_back of glTF.
[[nodiscard]] bool faces_back(const Source& source);

}  // namespace sinew::gltf
