// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "gltf/schema/source.hpp"

#include "sinew/document.hpp"
#include "sinew/model.hpp"

namespace sinew::gltf {

/// Reads a glTF 2.0 document with the extensions of extensions.cpp into a model. Unusable objects are kept with a defect, which is also a
/// finding at the place of its cause. All indices stay in range: a node with a missing mesh gets an empty mesh with a defect, appended to
/// the file's meshes, and stays an instance. A missing `scene` is replaced, too. Refuses files that are not glTF 2 or require an
/// unsupported extension.
[[nodiscard]] Result<Model> read(const std::shared_ptr<const document::Document>& document, FindingSink& sink);

/// Returns the asset's facts for a report, or nothing if the version is unknown. Reports no findings.
[[nodiscard]] std::optional<AssetInfo> asset_info(const document::Document& document);

/// Returns the file of an image from its URI or buffer view, not decoded.
[[nodiscard]] Result<document::Bytes> image_bytes(const document::Document& document, document::JsonValue image,
                                                  document::FetchedOnce* fetched = nullptr);

/// Coordinates of a texture: TEXCOORD_set, transformed by KHR_texture_transform, a column-major 3 × 3 matrix for (u, v, 1).
struct TextureCoordinates {
  Index set = 0;
  std::array<double, 9> transform{1, 0, 0, 0, 1, 0, 0, 0, 1};

  friend bool operator==(const TextureCoordinates&, const TextureCoordinates&) = default;
};
/// `info`: an object that refers to a texture.
[[nodiscard]] TextureCoordinates texture_coordinates(document::JsonValue info);

/// Implements io::load_appearance for glTF.
[[nodiscard]] Appearance read_appearance(const Source& source, SourceId material, std::optional<Error>& note);

/// Implements io::faces_back for glTF.
[[nodiscard]] bool faces_back(const Source& source);

}  // namespace sinew::gltf
