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

/// Reads a G4MF document of any revision into a model. Lenient, as the glTF reader: what cannot be used is kept with a defect, which is
/// also a finding at the place that causes it; what it refers to stays in range. A node that names a missing mesh gets an empty mesh with
/// a defect, appended to the file's own. Refused: what has no usable asset.dimension, and files that require an
/// extension. The scene is what descends from node 0. Skins are made of skeletons: one for every node with a skinned mesh that is a child
/// of a skeleton node, in ascending order of the mesh nodes.
[[nodiscard]] Result<Model> read(std::shared_ptr<const document::Document> document, FindingSink& sink, const ReadOptions& options = {});

/// Returns what a report says about the asset, or nothing if the version is unknown. Reports no findings.
[[nodiscard]] std::optional<AssetInfo> asset_info(const document::Document& document);

/// io::appearance of a material of G4MF: factor and texture, of two or three dimensions, of its base colour; both sides are seen.
[[nodiscard]] Appearance read_appearance(const Source& source, SourceId material, std::optional<Error>& note);

/// The element of a list that an index names; missing if there is none.
[[nodiscard]] document::JsonValue element(document::JsonValue list, document::JsonValue index);

/// The file of a texture that Sinew draws: the first one that is PNG, JPEG or WebP; missing if there is none.
[[nodiscard]] document::JsonValue image_of(document::JsonValue root, document::JsonValue texture);
/// The content of a file that a document refers to.
[[nodiscard]] Result<document::Bytes> file_bytes(const document::Document& document, document::JsonValue file);

/// The first numbers of a list, and what stands for missing ones.
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

/// The members of a base colour that add_channel_values gives to surfaces.
inline constexpr std::string_view surface_values[] = {"perVertex", "perSimplex", "perCell", "perEdge", "elementMap", "textureMap"};
/// What the base colour of a material says of the parts of its surfaces becomes attributes of their corners: colours by vertex instance,
/// simplex or edge (of surfaces that are edges alone), and texture coordinates of the channel's own in place of the surface's. Values that
/// are broken or too few are left out. A mesh that nodes show with several materials keeps those of the surfaces themselves.
void add_channel_values(const Source& source, Model& model);

}  // namespace sinew::g4mf
