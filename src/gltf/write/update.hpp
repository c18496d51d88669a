// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::gltf {

/// Writes the differences between `after` and `before`, the model that was read from the document. Entities with equal indices correspond.
/// `after` may have more of them at the end; `before` may end with the empty mesh that replaces missing ones. Arrays with the same bytes
/// (Array::data, size, type) are unchanged; other arrays become new accessors, in float32 if glTF lacks the type. Unchanged objects keep
/// their JSON byte for byte, their index and their bytes; nothing is compacted.
///
/// Written: nodes (name, parent and children, mesh, skin, Model::rest's transform and amounts, visibility, bone lengths), skins (slots,
/// bind matrices, root hint, name), meshes (attributes and their offsets, influences, elements, materials, shapes with names and default
/// amounts), clips and their tracks, scenes, strict skeletons (STAIK_skeletons: an empty list removes the extension), materials by name.
/// Other members of a new node's or mesh's source are not copied. Preconditions: `after` has dimension 3, attributes per vertex without
/// index, nodes without shear, influences in sets of four. `losses` gets the data that cannot be written. Failure::unsupported: such a loss
/// is not acceptable.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> update(const std::shared_ptr<const document::Document>& document,
                                                                       const Model& before, const Model& after, FindingSink& losses);

/// Makes a document that has only an asset of version 2.0, to write a model of another origin: `update(empty, Model{}, model)`.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> empty_document(const std::filesystem::path& path,
                                                                               const document::OpenOptions& options);

/// Removes objects of `after` that an edit of `before` (null: of nothing) left unused: meshes, skins, materials, textures, images,
/// samplers, accessors, buffer views, and the bytes of embedded buffers that only those used. Objects that `before` did not use stay,
/// unless `all`. Flagged skins of `kept` stay, too. Returns null if there is nothing to remove.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> without_orphans(const document::Document* before,
                                                                                const document::Document& after, bool all,
                                                                                const std::vector<bool>& kept = {});

}  // namespace sinew::gltf
