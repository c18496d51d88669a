// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Returns the document with the `most` strongest influences of each vertex (limit_influences), in its own format and revision, or the
/// document itself if no vertex has more. `revision`: of a G4MF document; empty: the newest whose property names occur. The result refers
/// to its new data by `chunk`, so its revision cannot be detected from its property names. `losses` gets the changes and how far they move
/// vertices.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> limited(const std::shared_ptr<const document::Document>& document,
                                                                        std::size_t most, std::optional<g4mf::Revision> revision,
                                                                        FindingSink& sink, FindingSink& losses);

/// Reports how far vertices moved because influences were removed: compares `after` with `before` in every clip and with every blend shape.
[[nodiscard]] Result<> report_cut(const Model& before, const Model& after, std::size_t most, FindingSink& losses);

}  // namespace sinew::operations
