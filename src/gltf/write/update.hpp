// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::gltf {

/// The document with what `after` says differently from `before`, the model that was read from it. Entities of one kind are the same in
/// both where their index is; `after` may have more of them at the end, and of the file's own `before` may have an empty mesh that stands
/// for a missing one. Arrays are the same where they lie in the same bytes (Array::data, size, type); what is new is written to accessors
/// of its own, float32 where glTF lacks the type. What did not change keeps its JSON byte for byte, its index and its bytes; nothing is
/// compacted.
///
/// Written: nodes (name, parent and children, mesh, skin, Model::rest's transform and amounts, visibility, bone lengths), skins (slots,
/// bind matrices, root hint, name), meshes (attributes and their offsets, influences, elements, materials, shapes with names and default
/// amounts), clips and their tracks, scenes, strict skeletons (STAIK_skeletons: an empty list takes the extension away), materials by name.
/// Of a new node or mesh its source's members are not carried. Preconditions: `after` has dimension 3 and what glTF can hold:
/// attributes per vertex without index, nodes without shear, influences in sets of four.
/// `losses` gets what cannot be written. Failure::unsupported where that is more than a loss.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> update(const std::shared_ptr<const document::Document>& document,
                                                                       const Model& before, const Model& after, FindingSink& losses);

/// A document with an asset of version 2.0 and nothing else, for a model that comes from elsewhere: `update(empty, Model{}, model)`.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> empty_document(const std::filesystem::path& path,
                                                                               const document::OpenOptions& options);

/// Removes what an edit of `before` (missing: of nothing) left in `after` without a use: meshes, skins, materials, textures, images,
/// samplers, accessors, buffer views, and the bytes of buffers in the file that only those used. What `before` did not use already stays,
/// unless `all`. Null where there is nothing to remove.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> without_orphans(const document::Document* before,
                                                                                const document::Document& after, bool all);

}  // namespace sinew::gltf
