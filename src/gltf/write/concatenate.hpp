// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "model/concatenation.hpp"

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::gltf {

/// The first document with the lists of the second behind its own and all indices of the second renumbered, so that what the first says
/// keeps its index, its JSON and its bytes. `nodes` says which nodes of the second stay, where they hang and what the others mean; its
/// scenes and the animations that are not named there are left out, and so is its part of STAIK_skeletons. Buffers at hand join the
/// first buffer of the first document; images beside a file in another folder become buffer views. Names of nodes that both have get a
/// prefix. `losses` gets what cannot be written, with places in the second document, and of extensions that may hold indices.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> concatenate(const document::Document& first,
                                                                            const document::Document& second, const Concatenation& nodes,
                                                                            FindingSink& losses);

}  // namespace sinew::gltf
