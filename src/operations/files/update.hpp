// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Returns the document with the differences between `before` and `after` (gltf/update.hpp, g4mf/update.hpp), without objects that the edit
/// orphaned.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> update(const std::shared_ptr<const document::Document>& document,
                                                                       const Model& before, const Model& after, FindingSink& losses);

/// Returns `after`, an edit of `before`, without unreferenced data: elements of the root's lists and bytes of buffers. Data that `before`
/// did not use either stay. `revision`: of a G4MF document.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> without_orphans(const document::Document* before,
                                                                                std::shared_ptr<const document::Document> after,
                                                                                std::optional<g4mf::Revision> revision);

/// Returns the document without any unreferenced data, or null if there is nothing to remove. `changes` gets the number of removed elements
/// of each list, as hints. `kept_skins`: flags of skins of a glTF document that stay.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> pruned(const document::Document& document,
                                                                       std::optional<g4mf::Revision> revision, FindingSink& changes,
                                                                       const std::vector<bool>& kept_skins = {});

}  // namespace sinew::operations
