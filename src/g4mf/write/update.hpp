// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "document/schema/revision.hpp"

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::g4mf {

/// Returns the revision as which a model was read, or nothing for a model of another origin.
[[nodiscard]] inline std::optional<Revision> revision_of(const Model& model) { return revision_named(model.revision); }

/// Writes the differences between `after` and `before`, the model that was read from the document, in the document's revision. Entities
/// with equal indices correspond; `after` may have more of them at the end. Arrays with the same bytes (Array::data, size, type) are
/// unchanged; other arrays become new accessors. Unchanged objects keep their JSON byte for byte, their index and their bytes; nothing is
/// compacted.
///
/// Written: nodes (name, children, mesh instance with amounts, Model::rest's transform, visibility, bones with length and mass), skeletons
/// (joints), meshes (vertices, surfaces with elements, edges, topology and corner attributes, influences and group names, blend shapes),
/// materials by name. New names are made legal and unique. Preconditions: one vertex block per mesh with only positions and influences (in
/// one list); every skin matches a skeleton of the model. `losses` gets the data that cannot be written. Failure::unsupported: such a loss
/// is not acceptable. Reading the result requires the revision of `before` (2026-01 for an empty model).
[[nodiscard]] Result<std::shared_ptr<const document::Document>> update(const std::shared_ptr<const document::Document>& document,
                                                                       const Model& before, const Model& after, FindingSink& losses);

/// Makes a document of revision 2026-01 that has only a dimension, to write a model of another origin: `update(empty, Model{}, model)`.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> empty_document(const std::filesystem::path& path, std::size_t dimension,
                                                                               const document::OpenOptions& options);

/// Removes objects of `after` that an edit of `before` (null: of nothing) left unused: meshes, materials, textures, accessors, buffer
/// views, buffers with their chunks, and bytes of buffers that only those used. Objects that `before` did not use stay, unless `all`. Equal
/// indices in `before` and `after` mean the same element. Returns null if there is nothing to remove.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> without_orphans(const document::Document* before,
                                                                                const document::Document& after, Revision revision,
                                                                                bool all);

}  // namespace sinew::g4mf
