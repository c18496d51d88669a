// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// The document with the `most` strongest influences of each vertex (limit_influences), in its own format and revision; the document
/// itself where no vertex has more. `revision` of a G4MF document; nothing: the newest whose names occur. The result names its new data by
/// `chunk`, so its revision cannot be found from its names. `losses`: what changed, and how far that moves vertices.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> limited(const std::shared_ptr<const document::Document>& document,
                                                                        std::size_t most, std::optional<g4mf::Revision> revision,
                                                                        FindingSink& sink, FindingSink& losses);

/// Says how far vertices moved because influences of theirs went: `after` against `before`, in every clip and with every blend shape.
[[nodiscard]] Result<> report_cut(const Model& before, const Model& after, std::size_t most, FindingSink& losses);

}  // namespace sinew::operations
