// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// The document with what `after` says differently from `before` (gltf/update.hpp, g4mf/update.hpp), without what the edit left behind.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> update(const std::shared_ptr<const document::Document>& document,
                                                                       const Model& before, const Model& after, FindingSink& losses);

/// `after`, an edit of `before`, without what nothing refers to any more: elements of the root's lists and bytes of buffers. What `before`
/// did not use already stays. `revision`: of a G4MF document.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> without_orphans(const document::Document* before,
                                                                                std::shared_ptr<const document::Document> after,
                                                                                std::optional<g4mf::Revision> revision);

/// The document without anything that nothing refers to; null where there is nothing to remove. `changes` hears how many elements of each
/// list went, as hints.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> pruned(const document::Document& document,
                                                                       std::optional<g4mf::Revision> revision, FindingSink& changes);

}  // namespace sinew::operations
