// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "g4mf/schema/data/revision.hpp"
#include "model/concatenation.hpp"

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::g4mf {

/// Appends the lists of the second document to those of the first and renumbers all indices of the second. The objects of the first keep
/// their index, JSON and bytes. Both documents have the same `revision` and dimension. `nodes`: which nodes of the second stay, their
/// parents, and the replacements of the others. Buffers of the second become one new chunk. Names that occur in both get a prefix, and a
/// number if that is not enough. `losses` gets the data that cannot be written (places are those of the second document) and extensions
/// that may contain indices.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> concatenate(const document::Document& first,
                                                                            const document::Document& second, Revision revision,
                                                                            const Concatenation& nodes, FindingSink& losses);

}  // namespace sinew::g4mf
