// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string_view>

#include "g4mf/schema/data/revision.hpp"
#include "g4mf/schema/source.hpp"

#include "sinew/document.hpp"
#include "sinew/model.hpp"

namespace sinew::g4mf {

/// Reads a G4MF document of any revision into a model. Unusable objects are kept with a defect, which is also a finding at the place of its
/// cause. All indices stay in range: a node with a missing mesh gets an empty mesh with a defect, appended to the file's meshes. Refuses
/// files without a usable asset.dimension and files that require an extension. The scene has node 0 and its descendants. Every child of a
/// skeleton node with a skinned mesh gets a skin, in ascending order of the mesh nodes.
[[nodiscard]] Result<Model> read(const std::shared_ptr<const document::Document>& document, FindingSink& sink,
                                 const ReadOptions& options = {});

/// Returns the asset's facts for a report, or nothing if the version is unknown. Reports no findings.
[[nodiscard]] std::optional<AssetInfo> asset_info(const document::Document& document);

/// Implements io::load_appearance for G4MF: factor and texture of the base colour, in two or three dimensions. Materials are double-sided.
[[nodiscard]] Appearance read_appearance(const Source& source, SourceId material, std::optional<Error>& note);

/// Returns the first file of a texture that is PNG, JPEG or WebP, or a missing value.
[[nodiscard]] document::JsonValue image_of(document::JsonValue root, document::JsonValue texture);

/// Returns the first numbers of a list. Defaults replace missing ones.
template <std::size_t N>
[[nodiscard]] std::array<double, N> first_numbers(document::JsonValue list, std::array<double, N> missing) {
  std::size_t i = 0;
  for (const document::JsonValue value : list.elements()) {
    if (i == N) break;
    if (const auto number = value.number()) missing[i] = *number;
    ++i;
  }
  return missing;
}

/// The members of a base colour that add_channel_values reads.
inline constexpr std::string_view surface_values[] = {"perVertex", "perSimplex", "perCell", "perEdge", "elementMap", "textureMap"};
/// Copies the values of materials' base colours to corner attributes: colours by vertex instance, simplex or edge (if the surface has only
/// edges), and texture coordinates of the channel, which replace those of the surface. Broken and incomplete values are ignored. A mesh
/// that nodes show with different materials uses those of its surfaces.
void add_channel_values(const Source& source, Model& model);

}  // namespace sinew::g4mf
