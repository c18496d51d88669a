// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "model/concatenation.hpp"

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::gltf {

/// Appends the lists of the second document to those of the first and renumbers all indices of the second. The objects of the first keep
/// their index, JSON and bytes. `nodes`: which nodes of the second stay, their parents, and the replacements of the others. Scenes,
/// animations that `nodes` does not list, and STAIK_skeletons of the second are left out. Available buffers are appended to the first
/// buffer. Images in files of another folder become buffer views. Node names that occur in both get a prefix. `losses` gets the data that
/// cannot be written (places are those of the second document) and extensions that may contain indices.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> concatenate(const document::Document& first,
                                                                            const document::Document& second, const Concatenation& nodes,
                                                                            FindingSink& losses);

}  // namespace sinew::gltf
