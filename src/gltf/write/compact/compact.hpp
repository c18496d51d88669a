// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::gltf {

/// The number of removed objects.
struct Compacted {
  std::size_t channels = 0;   ///< without a target
  std::size_t samplers = 0;   ///< of animations: without a channel, or equal to another one
  std::size_t accessors = 0;  ///< references now point to another accessor with the same content and use
  std::size_t nodes = 0;
};

/// Returns the document without objects that repeat others or do nothing, and without the flagged nodes. Unused accessors keep their place
/// (see without_orphans). If an unknown extension may refer to elements by index, nodes and accessors stay. Precondition: nothing refers
/// to the flagged nodes except parents and scenes.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> compact(const std::shared_ptr<const document::Document>& document,
                                                                        const std::vector<bool>& nodes, Compacted& done);

/// Returns the document with new buffer views in place of those that are used only in parts: one for each part that accessors in use cover.
/// The old views and accessors keep their places. Nothing changes if that would not save bytes, or if an unknown extension may refer to
/// elements by index.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> split_views(const std::shared_ptr<const document::Document>& document);

}  // namespace sinew::gltf
