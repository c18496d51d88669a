// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "g4mf/schema/data/revision.hpp"
#include "model/concatenation.hpp"

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::g4mf {

/// The first document with the lists of the second behind its own and all indices of the second renumbered, so that what the first says
/// keeps its index, its JSON and its bytes. Both are of `revision` and of one dimension. `nodes` says which nodes of the second stay, where
/// they hang and what the others mean. Buffers of the second become one new chunk. Names that items of the first have get a prefix, and a
/// number where that does not help. `losses` gets what cannot be written, with places in the second document, and of extensions that
/// may hold indices.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> concatenate(const document::Document& first,
                                                                            const document::Document& second, Revision revision,
                                                                            const Concatenation& nodes, FindingSink& losses);

}  // namespace sinew::g4mf
