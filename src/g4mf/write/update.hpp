// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::g4mf {

/// The revision that a model was read as; nothing for one that comes from elsewhere.
[[nodiscard]] std::optional<Revision> revision_of(const Model& model);

/// The document with what `after` says differently from `before`, the model that was read from it, in the document's own revision.
/// Entities of one kind are the same in both where their index is; `after` may have more of them at the end. Arrays are the same where they
/// lie in the same bytes (Array::data, size, type); what is new is written to accessors of its own. What did not change keeps its JSON byte
/// for byte, its index and its bytes; nothing is compacted.
///
/// Written: nodes (name, children, mesh instance with amounts, Model::rest's transform, visibility, bones with length and mass), skeletons
/// (joints), meshes (vertices, surfaces with elements, edges, topology and corner attributes, influences and group names, blend shapes),
/// materials by name. New names are made legal and unique. Preconditions: one vertex block per mesh with positions and influences in one
/// list, all else by corner; skins that skeletons of the model explain. `losses` gets what cannot be written. Failure::unsupported
/// where that is more than a loss. What reads or writes the result is to be told the revision, `before`'s (2026-01 of an empty model).
[[nodiscard]] Result<std::shared_ptr<const document::Document>> update(const std::shared_ptr<const document::Document>& document,
                                                                       const Model& before, const Model& after, FindingSink& losses);

/// A document of the dimension and nothing else, revision 2026-01, for a model that comes from elsewhere: `update(empty, Model{}, model)`.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> empty_document(const std::filesystem::path& path, std::size_t dimension,
                                                                               const document::OpenOptions& options);

/// Removes what an edit of `before` (null: of nothing) left in `after` without a use: meshes, materials, textures, accessors, buffer views,
/// buffers with their chunks, and bytes of buffers that only those used. What `before` did not use already stays, unless `all`. Indices in
/// `before` and `after` mean the same elements. Null where there is nothing to remove.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> without_orphans(const document::Document* before,
                                                                                const document::Document& after, Revision revision,
                                                                                bool all);

}  // namespace sinew::g4mf
